// A chat in which people write while another version takes the place of a packed product.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startPacked, type PackedPlace } from './kits.ts'

/** Between two posts of somebody who keeps writing. */
const pauseMs = 50

/** A chat of one person, and which of their posts were acknowledged. */
export class UpgradeChat {
  readonly #place: PackedPlace
  readonly #token: string
  readonly #id: string
  readonly #acknowledged: string[] = []

  private constructor(place: PackedPlace, token: string, id: string) {
    this.#place = place
    this.#token = token
    this.#id = id
  }

  static async start(place: PackedPlace): Promise<UpgradeChat> {
    const answer = await fetch(place.url('/api/v3/auth/login'), {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from('james:password').toString('base64')}` },
    })
    const { token } = (await answer.json()) as { token: string }
    const group = { fezType: 'activity', title: 'While it changes', info: 'We write', minCapacity: 0, maxCapacity: 0, initialUsers: [] }
    const created = await call(place, token, 'POST', '/fez/create', group)
    assert.equal(created.status, 201)
    return new UpgradeChat(place, token, ((await created.json()) as { fezID: string }).fezID)
  }

  /** Fails unless it is acknowledged. */
  async write(text: string): Promise<void> {
    const post = { text, images: [], postAsModerator: false, postAsTwitarrTeam: false }
    const { status } = await call(this.#place, this.#token, 'POST', `/fez/${this.#id}/post`, post)
    assert.equal(status, 201)
    this.#acknowledged.push(text)
  }

  /** Writes until told to stop; resolves with how long nobody was served, in ms. */
  keepWriting(): () => Promise<number> {
    const stopped = new AbortController()
    let [longestMs, lastMs] = [0, performance.now()]
    const done = (async () => {
      for (let number = 0; !stopped.signal.aborted; number++) {
        await this.write(`post ${number} of ${Math.random()}`).then(
          () => {
            longestMs = Math.max(longestMs, performance.now() - lastMs)
            lastMs = performance.now()
          },
          () => undefined,
        )
        // What is tried needs the processor, too.
        await pause(pauseMs)
      }
    })()
    return async () => {
      stopped.abort()
      await done
      return longestMs
    }
  }

  /** Fails unless everything is there that was acknowledged. */
  async isWhole(): Promise<void> {
    const there = new Set<string>()
    for (let [start, total] = [0, 1]; start < total;) {
      const answer = await call(this.#place, this.#token, 'GET', `/fez/${this.#id}?start=${start}&limit=200`)
      const { members } = (await answer.json()) as { members: { paginator: { total: number }; posts: { text: string }[] } }
      total = members.paginator.total
      start += members.posts.length
      for (const { text } of members.posts) there.add(text)
    }
    assert.deepEqual(
      this.#acknowledged.filter((text) => !there.has(text)),
      [],
    )
  }
}

/** Registers the hooks of one file: a place and a chat in it, which are there once its tests run. */
export function upgradeTests(): { place: PackedPlace; chat: UpgradeChat } {
  const found = {} as { place: PackedPlace; chat: UpgradeChat }
  before(async () => {
    found.place = await startPacked()
    found.chat = await UpgradeChat.start(found.place)
  })
  after(() => found.place.end())
  return found
}

const call = (place: PackedPlace, token: string, method: string, path: string, content?: object) =>
  fetch(place.url(`/api/v3${path}`), {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(content ? { body: JSON.stringify(content) } : {}),
  })
