// So many people for so long: each has a socket for news and does what people do, whether the server keeps up or not. What is
// measured is what they would notice.
import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Client } from '../sdk/client.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { habitsOf, messageMark, type Asked } from './habits.ts'
import type { Chat, Person, Place } from './people.ts'
import { ServerWatch, type ServerLoad } from './server-watch.ts'
import { mapConcurrently } from './concurrency.ts'

/** How so many people fared. Times in ms; undefined where nothing was measured. */
export interface Step {
  people: number
  requestsPerSecond: number
  /** Half of the answers, and 99 of 100, came within. */
  p50: number | undefined
  p99: number | undefined
  /** 99 of 100 messages were with everybody else in the chat within. */
  messageP99: number | undefined
  /** Messages that did not come to somebody who listened. */
  lost: number
  /** Answers that were no success, by status; 0 for none at all. */
  failed: Readonly<Record<number, number>>
  failedPart: number
  /** Of the machine that asks: the part of its time in which it had something to do, 0 to 1. */
  ownLoad: number
  server: ServerLoad
}

const tickMs = 10
/** At the start caches are empty and sockets open: not what a day is like. */
const warmUpPart = 0.2
const patienceMs = 30_000
const lastMessagesMs = 5000
const openTogether = 50
const apiPath = '/api/v3'

export class Crowd {
  readonly #url: string
  readonly #place: Place
  readonly #picture: string
  readonly #watch: ServerWatch
  readonly #sockets = new Map<Person, WebSocket>()
  /** Of all requests: what is written differs from what was written before. */
  #count = 0
  /** Of this step. */
  #answers = createHistogram()
  #deliveries = createHistogram()
  #failed: Record<number, number> = {}
  #isMeasured = false
  /** Messages under way, by number: when they were sent, and who is still without them. */
  readonly #underWay = new Map<number, { sentMs: number; missing: Set<Person>; isMeasured: boolean }>()

  constructor(url: string, place: Place, picture: string, admin: Client) {
    this.#url = url
    this.#place = place
    this.#picture = picture
    this.#watch = new ServerWatch(admin)
  }

  /** One step: the first `people` of the place, for `seconds`. */
  async live(people: number, seconds: number): Promise<Step> {
    await mapConcurrently(this.#place.people.slice(this.#sockets.size, people), openTogether, (person) => this.#listen(person))
    this.#answers = createHistogram()
    this.#deliveries = createHistogram()
    this.#failed = {}
    const habits = habitsOf(this.#place, this.#picture, (number, chat, author) => this.#send(number, chat, author))
    const asking = new Set<Promise<void>>()
    const sent = habits.map(() => 0)
    const startedMs = performance.now()
    let idle = performance.eventLoopUtilization()
    for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - startedMs) / 1000) {
      if (!this.#isMeasured && elapsed >= seconds * warmUpPart) {
        this.#isMeasured = true
        idle = performance.eventLoopUtilization()
        this.#watch.begin()
      }
      for (const [index, { perMinute, make }] of habits.entries())
        // What is late was late for somebody too: nobody waits for the answers of others.
        for (
          const due = Math.round(((elapsed * perMinute) / 60) * people);
          (sent[index] ?? 0) < due;
          sent[index] = (sent[index] ?? 0) + 1
        ) {
          const asked = this.#ask(make(this.#count++, people))
          asking.add(asked)
          void asked.then(() => asking.delete(asked))
        }
      await pause(tickMs)
    }
    const ownLoad = performance.eventLoopUtilization(idle).utilization
    const server = await this.#watch.end()
    await Promise.all(asking)
    const lost = await this.#stillMissing()
    this.#isMeasured = false
    return this.#result(people, seconds * (1 - warmUpPart), lost, ownLoad, server)
  }

  /** Hangs up. */
  leave(): void {
    for (const socket of this.#sockets.values()) socket.terminate()
  }

  #result(people: number, seconds: number, lost: number, ownLoad: number, server: ServerLoad): Step {
    const failures = Object.values(this.#failed).reduce((sum, n) => sum + n, 0)
    const all = this.#answers.count + failures
    const ms = (histogram: RecordableHistogram, percent: number) =>
      histogram.count === 0 ? undefined : histogram.percentile(percent) / 1000
    return {
      people,
      requestsPerSecond: all / seconds,
      p50: ms(this.#answers, 50),
      p99: ms(this.#answers, 99),
      messageP99: ms(this.#deliveries, 99),
      lost,
      failed: this.#failed,
      failedPart: all === 0 ? 0 : failures / all,
      ownLoad,
      server,
    }
  }

  async #ask({ by, method, path, body }: Asked): Promise<void> {
    const isMeasured = this.#isMeasured
    const begun = performance.now()
    let status = 0
    try {
      const response = await fetch(this.#url + apiPath + path, {
        method,
        headers: { Authorization: `Bearer ${by.token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(patienceMs),
      })
      await response.arrayBuffer()
      status = response.status
    } catch {
      // No answer at all.
    }
    if (!isMeasured) return
    if (status >= 200 && status < 300) this.#answers.record(microseconds(begun))
    else this.#failed[status] = (this.#failed[status] ?? 0) + 1
  }

  /** @throws OperatorError when the server, or a proxy before it, takes no more sockets */
  async #listen(person: Person): Promise<void> {
    const socket = new WebSocket(`${this.#url.replace(/^http/, 'ws')}${apiPath}/notification/socket`, {
      headers: { Authorization: `Bearer ${person.token}` },
      handshakeTimeout: patienceMs,
    })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject)).catch((cause: Error) => {
      throw new OperatorError(`After ${this.#sockets.size} sockets ${this.#url} did not take another one: ${cause.message}.`, { cause })
    })
    // Who has lost it misses what is sent from now on, and that is counted.
    socket.on('error', () => undefined)
    socket.on('message', (data) => this.#arrived(person, String(data as Buffer)))
    this.#sockets.set(person, socket)
  }

  #send(number: number, { members }: Chat, author: Person): void {
    const missing = new Set(members.filter((member) => member !== author && this.#sockets.has(member)))
    if (missing.size > 0) this.#underWay.set(number, { sentMs: performance.now(), missing, isMeasured: this.#isMeasured })
  }

  #arrived(person: Person, frame: string): void {
    const at = frame.indexOf(messageMark)
    if (at < 0) return
    const number = Number.parseInt(frame.slice(at + messageMark.length), 10)
    const message = this.#underWay.get(number)
    if (!message?.missing.delete(person)) return
    if (message.isMeasured) this.#deliveries.record(microseconds(message.sentMs))
    if (message.missing.size === 0) this.#underWay.delete(number)
  }

  /** How many deliveries of this step are missing after a while, those of posts that were refused included. */
  async #stillMissing(): Promise<number> {
    for (const begun = performance.now(); this.#underWay.size > 0 && performance.now() - begun < lastMessagesMs;) await pause(tickMs)
    const lost = [...this.#underWay.values()].reduce((sum, { missing, isMeasured }) => sum + (isMeasured ? missing.size : 0), 0)
    this.#underWay.clear()
    return lost
  }
}

const microseconds = (sinceMs: number): number => Math.max(1, Math.round((performance.now() - sinceMs) * 1000))
