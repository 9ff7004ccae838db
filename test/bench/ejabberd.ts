// ejabberd: chats as rooms of XMPP (MUC), over plain TCP.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { numberAt, postedBy, text, type Chat, type Sender } from './busy-chats.ts'
import { openAll } from './fan-out.ts'
import { dial } from './load.ts'
import { findProgram, inSameOrder, startProgram, type Members, type Server } from './peer.ts'

/** Starts ejabberd; undefined when it is not installed. */
export async function startEjabberd(): Promise<Server | undefined> {
  const [erl, ejabberdctl] = [findProgram('erl'), findProgram('ejabberdctl')]
  if (erl === undefined || ejabberdctl === undefined) return undefined
  // Not through ejabberdctl itself: it would change the user, and start a name server that outlives it.
  const libraries = /^ERL_LIBS='?([^'\n]+)/m.exec(readFileSync(ejabberdctl, 'utf8'))?.[1]
  if (libraries === undefined) return undefined
  return await startProgram('ejabberd', async (directory, port) => {
    const file = join(directory, 'ejabberd.yml')
    await writeFile(file, settings(port))
    return {
      command: erl,
      args: ['-noinput', '+P', '250000', '+Q', '65536', '-mnesia', 'dir', JSON.stringify(join(directory, 'mnesia')), '-s', 'ejabberd'],
      env: { EJABBERD_CONFIG_PATH: file, EJABBERD_LOG_PATH: join(directory, 'ejabberd.log'), ERL_LIBS: libraries },
    }
  })
}

/** Everybody in the rooms of their chats. */
export async function joinRooms({ port }: Server, chats: readonly Chat[]): Promise<Members> {
  const occupants = new Map<string, Occupant>()
  const readers: Occupant[][] = []
  for (const { id, members } of chats) {
    const nextCheck = inSameOrder()
    readers.push(
      await openAll(members, async ({ id: userID, username }) => {
        const occupant = await Occupant.join(port, `${id}@conference.localhost`, username, nextCheck())
        occupants.set(userID, occupant)
        return occupant
      }),
    )
  }
  let count = 0
  const send: Sender = async (_, { id }) => await occupants.get(id)?.say(++count)
  return {
    posted: (atOnce, posts, took) =>
      postedBy(
        Array.from({ length: atOnce }, () => send),
        readers,
        chats,
        posts,
        took,
      ),
    close() {
      for (const occupant of occupants.values()) occupant.close()
    },
  }
}

/** Without storage, history and presence broadcasts: a thousand who join would be a million stanzas. */
const settings = (port: number): string => `
hosts: [localhost]
loglevel: error
auth_method: anonymous
anonymous_protocol: sasl_anon
listen:
  - {port: ${port}, ip: "127.0.0.1", module: ejabberd_c2s, access: all, shaper: none, backlog: 1024}
modules:
  mod_muc:
    history_size: 0
    max_users: 5000
    max_users_presence: 0
    default_room_options: {persistent: false, mam: false, logging: false, presence_broadcast: [], max_users: 5000}
`

const streamStart = "<stream:stream to='localhost' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
const bodyStart = Buffer.from('<body>')
const messageEnd = Buffer.from('</message>')

/** Somebody in a room, who takes what is said there and says something. */
class Occupant {
  readonly #room: string
  readonly #onPost: (id: number) => void
  #socket: Socket | undefined
  /** What comes before the room does is read as text, until it has what is waited for. */
  #step: { text: string; until: string; resolve: () => void; reject: (error: Error) => void } | undefined
  #rest: Buffer | undefined
  /** Own posts that have not come back. */
  readonly #said = new Map<number, { resolve: () => void; reject: (error: Error) => void }>()
  frames = 0

  private constructor(room: string, onPost: (id: number) => void) {
    this.#room = room
    this.#onPost = onPost
  }

  /** Connects, logs in as nobody in particular, and enters the room. */
  static async join(port: number, room: string, nick: string, onPost: (id: number) => void): Promise<Occupant> {
    const occupant = new Occupant(room, onPost)
    const socket = await dial(port, undefined, (memory, length) => occupant.#take(memory.subarray(0, length)))
    occupant.#socket = socket
    socket.once('close', () => {
      const error = new Error('ejabberd has closed a connection instead of answering')
      occupant.#step?.reject(error)
      for (const { reject } of occupant.#said.values()) reject(error)
    })
    await occupant.#ask(streamStart, '</stream:features>')
    await occupant.#ask("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>", '<success')
    await occupant.#ask(streamStart, '</stream:features>')
    await occupant.#ask("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>", "type='result'")
    // The subject is the last thing that somebody new gets.
    await occupant.#ask(`<presence to='${room}/${nick}'><x xmlns='http://jabber.org/protocol/muc'/></presence>`, '<subject/></message>')
    return occupant
  }

  /** Says something; resolves when it comes back, as it comes to everybody in the room. */
  say(id: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#said.set(id, { resolve, reject })
      this.#socket?.write(`<message to='${this.#room}' type='groupchat'><body>${id} ${text}</body></message>`)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #ask(stanza: string, until: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#step = { text: '', until, resolve, reject }
      this.#socket?.write(stanza)
    })
  }

  #take(chunk: Buffer): void {
    if (this.#step) {
      this.#step.text += chunk.toString('latin1')
      if (!this.#step.text.includes(this.#step.until)) return
      this.#step.resolve()
      this.#step = undefined
      return
    }
    const data = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk
    const at = this.#postsIn(data)
    this.#rest = at < data.length ? Buffer.from(data.subarray(at)) : undefined
  }

  /** Takes the posts that have come as a whole; returns where they end. */
  #postsIn(data: Buffer): number {
    let at = 0
    for (;;) {
      const body = data.indexOf(bodyStart, at)
      const end = body < 0 ? -1 : data.indexOf(messageEnd, body)
      if (end < 0) return at
      at = end + messageEnd.length
      const id = numberAt(data, body + bodyStart.length)
      this.frames++
      this.#onPost(id)
      this.#said.get(id)?.resolve()
      this.#said.delete(id)
    }
  }
}
