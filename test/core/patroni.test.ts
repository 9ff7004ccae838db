// Postgres that Patroni looks after, by hand: whatever happens to its primary, nothing acknowledged is lost and all go on.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { seed } from '../../seeds/run.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { primaryUrl } from '../../src/core/base/postgres-url.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import type { TestNodes } from '../support/app.ts'
import { withConnection } from '../support/db.ts'
import { createSeamail, people, type Person } from '../support/fez.ts'
import type { TestSocket } from '../support/client.ts'
import { patroniCluster, type PatroniCluster } from '../support/patroni.ts'
import { startNodesOn } from '../support/postgres-pair.ts'
import { until } from '../support/until.ts'

const quiet = () => undefined
const program = process.env['PATRONI']
const crowdSize = 500
const chatSize = 10
/** Between two posts of one person, so that the processors are not the limit. */
const pauseMs = 4000
/** After a refusal. */
const retryMs = 1000

/** What happens to the primary; resolves when it can come back, with how. */
const failures: Record<string, (cluster: PatroniCluster) => Promise<() => unknown>> = {
  async 'Postgres crashes'(cluster) {
    ;(await cluster.primary()).crashPostgres()
    return () => undefined
  },
  async 'the machine is gone'(cluster) {
    const lost = await cluster.primary()
    await lost.crash()
    return () => lost.restart()
  },
  async 'another one takes its place in order'(cluster) {
    await cluster.switchOver()
    return () => undefined
  },
  async 'it is cut off from etcd'(cluster) {
    const { toEtcd } = await cluster.primary()
    toEtcd.cut()
    return () => toEtcd.mend()
  },
  async 'the machine stands still, until its watchdog starts it again'(cluster) {
    const lost = await cluster.primary()
    lost.signal('SIGSTOP')
    return async () => {
      await lost.crash()
      lost.restart()
    }
  },
}

interface Chat {
  id: string
  members: readonly Person[]
  /** Of one of them, at the other node. */
  socket: TestSocket
}

/** People in chats of ten over two nodes, who write all the time; a tenth of them listens at the other node. */
class Crowd {
  readonly acknowledged = new Map<string, string[]>()
  /** Statuses other than those of success, with how often each came. */
  readonly refusals = new Map<number, number>()
  readonly #chats: readonly Chat[]
  #on = true
  #count = 0
  readonly #work: Promise<unknown>

  static async of(nodes: TestNodes): Promise<Crowd> {
    const all = await people(nodes, ...Array.from({ length: crowdSize }, () => ({})))
    const groups = Array.from({ length: crowdSize / chatSize }, (_, index) => all.slice(index * chatSize, (index + 1) * chatSize))
    const chats = await Promise.all(
      groups.map(async (members) => {
        const [first, ...others] = members as [Person, ...Person[]]
        const id = await createSeamail(first.one, others)
        return { id, members, socket: await (others[0] as Person).two.socket(`/fez/${id}/socket`) }
      }),
    )
    return new Crowd(chats)
  }

  private constructor(chats: readonly Chat[]) {
    this.#chats = chats
    for (const { id } of chats) this.acknowledged.set(id, [])
    const writing = chats.flatMap(({ id, members }) => members.map((who, index) => this.#write(who, index, id)))
    this.#work = Promise.all(writing)
  }

  async #write(who: Person, index: number, chat: string): Promise<void> {
    const client = who.clients[index % who.clients.length] as Person['one']
    await pause((pauseMs * index) / chatSize)
    while (this.#on) {
      const text = `number ${this.#count++}`
      const { status } = await client.post(`/fez/${chat}/post`, { text, images: [] })
      if (status === 201) this.acknowledged.get(chat)?.push(text)
      else this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1)
      await pause(status === 201 ? pauseMs : retryMs)
    }
  }

  /** Resolves when a post of each chat was acknowledged that began later. */
  async goesOn(withinMs: number): Promise<void> {
    const from = this.#count
    const isLater = (text: string) => Number(text.slice('number '.length)) >= from
    await until(() => [...this.acknowledged.values()].every((texts) => texts.slice(-5).some(isLater)), 'all write again', withinMs)
  }

  async end(): Promise<void> {
    this.#on = false
    await this.#work
  }

  /** Everything acknowledged is there once, both nodes show it as it is there, and the sockets have heard of it. */
  async check(url: string): Promise<void> {
    // By a connection of its own: the test's other ones end when another server becomes the primary.
    const rows = await withConnection(
      url,
      (sql) => sql<{ chat: string; text: string }[]>`select fez_id as chat, text from fez_post order by id`,
    )
    for (const { id, members, socket } of this.#chats) {
      const texts = rows.filter(({ chat }) => chat === id).map(({ text }) => text)
      assert.equal(new Set(texts).size, texts.length, 'nothing is there twice')
      const there = new Set(texts)
      assert.deepEqual(
        this.acknowledged.get(id)?.filter((text) => !there.has(text)),
        [],
        'nothing acknowledged is lost',
      )
      for (const client of (members[2] as Person).clients) {
        const { status, body } = await client.get(`/fez/${id}?start=${Math.max(0, texts.length - 50)}&limit=50`)
        assert.equal(status, 200, JSON.stringify(body))
        assert.deepEqual(
          body.members.posts.map(({ text }: { text: string }) => text),
          texts.slice(-50),
          'a node shows what is there',
        )
      }
      assert.ok(socket.open, 'the socket was open all the time')
      await until(() => {
        const heard = new Set(socket.frames.map(({ text }) => text))
        return this.acknowledged.get(id)?.every((text) => heard.has(text)) ?? false
      }, 'the socket has heard of each')
    }
  }
}

test(
  'with Patroni, whatever happens to the primary, nothing acknowledged is lost and all go on',
  { skip: program === undefined },
  async (t) => {
    const cluster = await patroniCluster(t, program as string)
    const address = primaryUrl(cluster.url)
    await migrate(address, quiet)
    await seed(readConfig(['--env', 'testing'], {}), address, { loaded: quiet, notice: quiet })
    const crowd = await Crowd.of(await startNodesOn(t, cluster))
    await crowd.goesOn(60_000)
    for (const [what, fail] of Object.entries(failures)) {
      const before = await cluster.primary()
      const beganMs = performance.now()
      const comesBack = await fail(cluster)
      await until(async () => (await cluster.primary()).name !== before.name, 'another one is the primary', 90_000)
      const takenMs = performance.now()
      await crowd.goesOn(45_000)
      t.diagnostic(`${what}: ${Math.round(takenMs - beganMs)} ms, then ${Math.round(performance.now() - takenMs)} ms until all write`)
      await comesBack()
      await cluster.settled()
    }
    await crowd.goesOn(45_000)
    await crowd.end()
    await crowd.check(address)
    t.diagnostic(`${[...crowd.acknowledged.values()].flat().length} posts acknowledged; refused ${JSON.stringify([...crowd.refusals])}`)
    assert.deepEqual(
      [...crowd.refusals.keys()].filter((status) => status < 500),
      [],
      'nobody was signed out',
    )
  },
)
