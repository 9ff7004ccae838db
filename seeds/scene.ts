// `npm run demo`: a short scene played against a running development server, showing what each
// user's sockets receive. `npm run demo -- http://other-host:8081` plays it elsewhere.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { readConfig } from '../src/core/config.ts'

const base = (process.argv[2] ?? `http://localhost:${readConfig([]).port}`).replace(/\/+$/, '')
const api = `${base}/api/v3`

interface Chat {
  fezID: string
  title: string
  members?: { participants: Header[]; waitingList: Header[] }
}

interface Header {
  userID: string
  username: string
}

interface Actor {
  name: string
  userID: string
  token: string
}

const say = (line: string) => void process.stdout.write(`${line}\n`)
const sockets: { who: string; which: string; ws: WebSocket }[] = []

try {
  await play()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  for (const { ws } of sockets) ws.close()
}

async function play(): Promise<void> {
  say(`A scene on ${base}. Lines with an arrow are what a socket received.\n`)
  const [james, heidi, sam, vera] = (await Promise.all(['james', 'heidi', 'sam', 'verified'].map(login))) as [Actor, Actor, Actor, Actor]
  for (const actor of [james, heidi, sam, vera]) await listen(actor, 'notifications', '/notification/socket')

  say('james looks for somebody to play a board game with. There are two seats.')
  const chat = await call<Chat>(james, 'POST', '/fez/create', {
    fezType: 'gaming',
    title: 'Two seats at the game table',
    info: 'A quick game before dinner',
    location: 'Card room',
    startTime: new Date(Date.now() + 3 * 60 * 60_000).toISOString(),
    minCapacity: 2,
    maxCapacity: 2,
    initialUsers: [],
  })
  const path = `/fez/${chat.fezID}`
  await listen(james, 'chat', `${path}/socket`)

  for (const actor of [heidi, sam, vera]) {
    say(`${actor.name} joins.`)
    showSeats(await call<Chat>(actor, 'POST', `${path}/join`))
    await listen(actor, 'chat', `${path}/socket`)
  }

  await post(heidi, path, 'I bring the dice.')
  await post(james, path, 'And I the snacks.')

  say('sam blocks verified: neither sees the other any more, in either direction.')
  await call(sam, 'POST', `/users/${vera.userID}/block`)
  await post(vera, path, 'Is there room for a fourth?')
  say('  (sam got nothing of that.)')

  say('heidi has to leave; sam, first in the waiting list, moves up.')
  await call(heidi, 'POST', `${path}/unjoin`)
  showSeats(await call<Chat>(james, 'GET', path))
  await post(james, path, 'Welcome to the table, sam.')

  const { newFezMessageCount } = await call<{ newFezMessageCount: number }>(vera, 'GET', '/notification/user')
  say(`verified has unread posts in ${newFezMessageCount} LFG chat${newFezMessageCount === 1 ? '' : 's'}.`)

  say('\nThe curtain falls: the block is lifted and the game called off.')
  await call(sam, 'POST', `/users/${vera.userID}/unblock`)
  await call(james, 'POST', `${path}/cancel`)
}

async function login(name: string): Promise<Actor> {
  const answer = await fetch(`${api}/auth/login`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${name}:password`).toString('base64')}` },
  }).catch((cause: unknown) => {
    throw new Error(`No server answers at ${base}. Start one with npm start.`, { cause })
  })
  if (!answer.ok) throw new Error(`${name} could not log in (${answer.status}). The demo needs a development server with its demo users.`)
  const { token, userID } = (await answer.json()) as { token: string; userID: string }
  return { name, userID, token }
}

async function call<T>(actor: Actor, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(api + path, {
    method,
    headers: { authorization: `Bearer ${actor.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} as ${actor.name} answered ${answer.status}: ${text}`)
  // Everything the server sent before this answer shows before the scene goes on.
  await Promise.all(sockets.map(({ ws }) => roundTrip(ws)))
  return (text === '' ? undefined : JSON.parse(text)) as T
}

async function listen(actor: Actor, which: string, path: string): Promise<void> {
  const ws = new WebSocket(api.replace(/^http/, 'ws') + path, { headers: { authorization: `Bearer ${actor.token}` } })
  ws.on('message', (frame) => say(`    → ${actor.name} (${which}): ${describe(JSON.parse(String(frame)))}`))
  await once(ws, 'open')
  sockets.push({ who: actor.name, which, ws })
}

async function roundTrip(ws: WebSocket): Promise<void> {
  ws.ping()
  await once(ws, 'pong')
}

async function post(actor: Actor, path: string, text: string): Promise<void> {
  say(`${actor.name} posts "${text}"`)
  await call(actor, 'POST', `${path}/post`, { text, images: [] })
}

function showSeats({ members }: Chat): void {
  const names = (headers: Header[]) => headers.map(({ username }) => username).join(', ') || 'nobody'
  if (members) say(`  at the table: ${names(members.participants)}; waiting: ${names(members.waitingList)}`)
}

function describe(frame: { author?: Header; text?: string; user?: Header; joined?: boolean; type?: object; info?: string }): string {
  if (frame.author) return `${frame.author.username} wrote "${frame.text}"`
  if (frame.user) return `${frame.user.username} ${frame.joined ? 'joined' : 'left'}`
  return `${Object.keys(frame.type ?? {}).join()}: ${frame.info}`
}
