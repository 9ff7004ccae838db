// `npm run demo`: a short scene played against a running development server, showing what each
// user's sockets receive. `npm run demo -- http://other-host:8081` plays it elsewhere; `npm run demo -- --full` fills a server instead.
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { readConfig } from '../src/accounts/config.ts'
import { fillPlace } from './full.ts'
import { createClient, QuarterdeckError, type Client, type FezData, type Live, type UserHeader } from '../src/sdk/client.ts'

const [first, second] = process.argv.slice(2)
const isFull = first === '--full'
const baseUrl = ((isFull ? second : first) ?? `http://localhost:${readConfig([]).port}`).replace(/(?<!\/)\/+$/, '')

interface Actor {
  name: string
  userID: string
  client: Client
}

/** Frames that a socket of the scene may receive. */
interface Frame {
  author?: UserHeader
  text?: string
  user?: UserHeader
  joined?: boolean
  watching?: object
  type?: object
  info?: string
}

const say = (line: string) => void process.stdout.write(`${line}\n`)
const connections: WebSocket[] = []

/** Known to the scene, so that it can wait for what a socket is about to receive. */
class SceneSocket extends WebSocket {
  constructor(url: string, options: object) {
    super(url, options)
    connections.push(this)
  }
}

try {
  if (isFull) await fillPlace(baseUrl, say)
  else await play()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  for (const connection of connections) connection.terminate()
}
process.exit()

async function play(): Promise<void> {
  say(`A scene on ${baseUrl}. Lines with an arrow are what a socket received.\n`)
  const [james, heidi, sam, vera] = (await Promise.all(['james', 'heidi', 'sam', 'verified'].map(login))) as [Actor, Actor, Actor, Actor]
  for (const actor of [james, heidi, sam, vera]) await listen(actor, 'notifications', actor.client.notification.socket())

  say('james looks for somebody to play a board game with. There are two seats.')
  const { fezID } = await james.client.fez.create({
    fezType: 'gaming',
    title: 'Two seats at the game table',
    info: 'A quick game before dinner',
    location: 'Card room',
    startTime: new Date(Date.now() + 3 * 60 * 60_000),
    minCapacity: 2,
    maxCapacity: 2,
    initialUsers: [],
  })
  await listen(james, 'chat', james.client.fez.socket({ fezID }))

  for (const actor of [heidi, sam, vera]) {
    say(`${actor.name} joins.`)
    await showSeats(await actor.client.fez.join({ fezID }))
    await listen(actor, 'chat', actor.client.fez.socket({ fezID }))
  }

  await post(heidi, fezID, 'I bring the dice.')
  await post(james, fezID, 'And I the snacks.')

  say('sam blocks verified: neither sees the other any more, in either direction.')
  await sam.client.users.block({ user_id: vera.userID })
  await post(vera, fezID, 'Is there room for a fourth?')
  say('  (sam got nothing of that.)')

  say('heidi has to leave; sam, first in the waiting list, moves up.')
  await heidi.client.fez.unjoin({ fezID })
  await showSeats(await james.client.fez.get({ fezID }))
  await post(james, fezID, 'Welcome to the table, sam.')

  const { newFezMessageCount } = await vera.client.notification.user()
  say(`verified has unread posts in ${newFezMessageCount} LFG chat${newFezMessageCount === 1 ? '' : 's'}.`)

  say('\nThe curtain falls: the block is lifted and the game called off.')
  await sam.client.users.unblock({ user_id: vera.userID })
  await james.client.fez.cancel({ fezID })
  await everythingHeard()
}

async function login(name: string): Promise<Actor> {
  const client = createClient({ baseUrl, WebSocket: SceneSocket })
  try {
    const { userID } = await client.auth.login({ username: name, password: 'password' }, { retries: 0 })
    return { name, userID, client }
  } catch (cause) {
    if (!(cause instanceof QuarterdeckError)) throw cause
    if (cause.status === 0) throw new Error(`No server answers at ${baseUrl}. Start one with npm start.`, { cause })
    throw new Error(`${name} could not log in (${cause.status}). The demo needs a development server with its demo users.`, { cause })
  }
}

/** Prints what a socket receives; resolves when it is open. */
async function listen({ name }: Actor, which: string, socket: Live<Frame>): Promise<void> {
  const hear = async () => {
    for await (const frame of socket) say(`    → ${name} (${which}): ${describe(frame)}`)
  }
  const failed = hear()
  await Promise.race([failed, once(connections.at(-1) as WebSocket, 'open')])
}

/** Everything the server has sent shows before the scene goes on. */
async function everythingHeard(): Promise<void> {
  for (const connection of connections) {
    connection.ping()
    await once(connection, 'pong')
  }
  await nextTurn()
}

async function post({ name, client }: Actor, fezID: string, text: string): Promise<void> {
  say(`${name} posts "${text}"`)
  await client.fez.post({ fezID, text, images: [] })
  await everythingHeard()
}

async function showSeats({ members }: FezData): Promise<void> {
  await everythingHeard()
  const names = (headers: UserHeader[]) => headers.map(({ username }) => username).join(', ') || 'nobody'
  if (members) say(`  at the table: ${names(members.participants)}; waiting: ${names(members.waitingList)}`)
}

function describe(frame: Frame): string {
  if (frame.author) return `${frame.author.username} wrote "${frame.text}"`
  if (frame.user) return `${frame.user.username} ${frame.joined ? 'joined' : 'left'}`
  return `${Object.keys(frame.type ?? {}).join()}: ${frame.info}`
}
