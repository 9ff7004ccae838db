// One server node of the product, with orders that reach what HTTP alone cannot.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { startApp } from '../../src/app.ts'
import { readConfig } from '../../src/accounts/config.ts'
import type { FezChannel } from '../../src/fez/channel.ts'
import { type FezEvent } from '../../src/fez/events.ts'
import { fezKind } from '../../src/fez/channel.ts'
import { announcementsId, announcementsKind } from '../../src/announcements/channel.ts'
import { pushFigures } from '../../src/console/figures-push.service.ts'
import { figuresIn, sampleEveryMs } from '../../src/console/figures.ts'
import { apartMs, takeOrders } from './processes.ts'

const config = readConfig([])
const app = await startApp({ config, databaseUrl: config.databaseUrl ?? '', redisUrl: config.redisUrl ?? '', source: 'bench' })

/** More than a post to 5,000 sockets needs: the next one comes when the last one has gone out. */
const turnsOfAPost = 25

const loop = monitorEventLoopDelay({ resolution: 1 })

takeOrders(app.port, {
  /** 99th percentile of the loop's delay in ms since the last such order; the first one begins to measure. */
  loopDelay() {
    loop.enable()
    const ms = loop.percentile(99) / 1e6
    loop.reset()
    return ms
  },
  /** Samples of so many times five seconds, up to now. */
  sample({ count }: { count: number }) {
    const { clock } = app.node
    const now = clock.now.bind(clock)
    const from = now() - count * sampleEveryMs
    for (let turn = 0; turn < count; turn++) {
      clock.now = () => from + turn * sampleEveryMs
      figuresIn(app.node).sample()
    }
    clock.now = now
  },
  /** Sends the figures to those who watch, so many times. */
  async pushFigures({ count }: { count: number }) {
    for (let turn = 0; turn < count; turn++) await pushFigures(app.node)
  },
  /** Announcements were written. */
  announced: () => app.node.channels.publishConfirmed(announcementsKind.name, announcementsId, { type: 'changed' }),
  /** Brings a chat's channel `turns` x `perTurn` posts as the bus would, without writing them. */
  async posts({
    fezID,
    authorID,
    text,
    turns,
    perTurn,
  }: {
    fezID: string
    authorID: string
    text: string
    turns: number
    perTurn: number
  }) {
    const { channel, next } = await posting(fezID, authorID, text)
    for (let turn = 0; turn < turns; turn++) {
      for (let i = 0; i < perTurn; i++) void channel.receive(next())
      for (let waited = 0; waited < turnsOfAPost; waited++) await new Promise((resolve) => setImmediate(resolve))
    }
  },
  /** Publishes posts that were not written on all nodes, so far apart that they travel one by one. */
  async publishedPosts({ fezID, authorID, text, turns }: { fezID: string; authorID: string; text: string; turns: number }) {
    const { next } = await posting(fezID, authorID, text)
    for (let turn = 0; turn < turns; turn++) {
      app.node.channels.publish(fezKind.name, fezID, next())
      await delay(apartMs)
    }
  },
})

/** A chat's channel, and the events that come next in it. */
async function posting(fezID: string, authorID: string, text: string): Promise<{ channel: FezChannel; next: () => FezEvent }> {
  const channel = await app.node.channels.of(fezKind).get(fezID)
  const author = await app.node.accounts.find(authorID)
  if (!channel || !author) throw new Error('no such chat or author')
  return {
    channel,
    next() {
      const post = {
        id: channel.row.lastPostId + 1,
        fezId: fezID,
        authorId: authorID,
        realAuthorId: authorID,
        text,
        image: null,
        imageSizes: null,
        moderationStatus: 'normal' as const,
        createdAt: new Date(),
      }
      return {
        type: 'posted',
        seq: channel.row.seq + 1,
        posts: [{ post, author }],
        updatedAt: post.createdAt,
        chat: { fezType: channel.row.fezType, title: channel.row.title },
      }
    },
  }
}
