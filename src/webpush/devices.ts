// Devices whose app is closed, as listeners of their users: what a socket of theirs would get becomes jobs that send it.
//
// One server holds them all, by a lease: a user's channel there decides as for any socket of theirs, so that blocks, mutes, and chats
// that are being looked at count without another word. When that server dies another one takes over; what was to be told in between is
// not told, as for a socket that breaks.
import { DateTime } from 'luxon'
import type { Node } from '../core/work/ctx.ts'
import { insertOutbox, type OutboxEntry } from '../core/outbox/jobs.ts'
import type { NotificationType } from '../notices/schemas.ts'
import { settingsOf } from '../settings/channel.ts'
import { userKind, type UserChannel } from '../users/channel.ts'
import { everybodyTopic, teamBrowsersTopic, type Device } from '../users/sockets.ts'
import { pushDevicesTopic } from './events.ts'
import { deletePushDevices, selectPushDevices } from './queries.ts'
import type { PushDeviceRow } from './rows.ts'

const lease = 'push-devices'
/** Below the time after which a lease is free. */
const renewEveryMs = 3000
/** What comes together goes into one statement. */
const gatherMs = 100
/** Of one kind about one thing: the first tells, and those after it are seen with it. */
const quietAfterMs = 30_000
/** Nobody wants to hear of it later. */
const lateMs = 6 * 60 * 60_000
/** Accounts that are read at once. */
const atOnce = 20

/** One device. */
class PushDevice implements Device {
  readonly row: PushDeviceRow
  readonly user: UserChannel
  readonly #push: PushDevices
  readonly #told = new Map<string, number>()

  constructor(push: PushDevices, user: UserChannel, row: PushDeviceRow) {
    this.#push = push
    this.user = user
    this.row = row
  }

  get sessionKey(): string {
    return this.row.sessionKey
  }

  hear(frame: Uint8Array): void {
    const { name, info, contentID } = noticeIn(frame)
    const { nowMs } = this.#push
    if (!this.row.types.includes(name) || isQuiet(this.row, nowMs)) return
    const about = `${name} ${contentID}`
    if (nowMs - (this.#told.get(about) ?? -Infinity) < quietAfterMs) return
    for (const [each, at] of this.#told) if (nowMs - at >= quietAfterMs) this.#told.delete(each)
    this.#told.set(about, nowMs)
    this.#push.tell(this.row.id, { type: name, contentID }, info)
  }

  ended(): void {
    this.#push.ended(this)
  }
}

interface Notice {
  name: NotificationType
  info: string
  contentID: string
}

/** A frame often goes to many. */
const read = new WeakMap<Uint8Array, Notice>()

function noticeIn(frame: Uint8Array): Notice {
  const known = read.get(frame)
  if (known) return known
  const { type, info, contentID } = JSON.parse(Buffer.from(frame).toString()) as { type: object; info: string; contentID: string }
  const notice = { name: Object.keys(type)[0] as NotificationType, info, contentID }
  read.set(frame, notice)
  return notice
}

/** Whether it is within the quiet hours of the device, also over midnight. */
function isQuiet({ quietFrom: from, quietTo: to, timeZone }: PushDeviceRow, nowMs: number): boolean {
  if (from === null || to === null) return false
  const time = DateTime.fromMillis(nowMs, { zone: timeZone ?? 'utc' }).toFormat('HH:mm')
  return from <= to ? time >= from && time < to : time >= from || time < to
}

/** See the head of the file. */
export class PushDevices {
  readonly #node: Node
  /** By account. */
  readonly #devices = new Map<string, PushDevice[]>()
  #holds = false
  #gathered: OutboxEntry[] = []
  #stopping = false
  /** One reading after another. */
  #reading: Promise<unknown> = Promise.resolve()
  readonly #stopTimers: () => void

  constructor(node: Node) {
    this.#node = node
    const stops = [node.clock.every(renewEveryMs, () => void this.look()), node.clock.every(gatherMs, () => void this.write())]
    this.#stopTimers = () => stops.forEach((stop) => stop())
    node.channels.listen(pushDevicesTopic, (accountId) => {
      if (this.#holds) this.#read([accountId])
    })
    node.bus.onReset(() => {
      if (this.#holds) this.#read()
    })
    void this.look()
  }

  get nowMs(): number {
    return this.#node.clock.now()
  }

  /** Takes the lease when it is free, or keeps it. */
  async look(): Promise<void> {
    const { leases, bus } = this.#node
    const held = this.#holds
    this.#holds = held
      ? await leases.renew([lease], bus.nodeId).catch(() => false)
      : await leases.acquire([lease], bus.nodeId).catch(() => false)
    if (this.#stopping || this.#holds === held) return
    if (this.#holds) this.#read()
    else this.#drop()
  }

  /** Frames for many: of a socket topic. */
  heard(topic: string, frame: Uint8Array): void {
    if (topic !== everybodyTopic && topic !== teamBrowsersTopic) return
    for (const devices of this.#devices.values())
      for (const device of devices) if (topic === everybodyTopic || device.user.isModerator) device.hear(frame)
  }

  /** Notes a notice for a device. */
  tell(deviceID: string, notice: { type: string; contentID: string }, info: string): void {
    const told = settingsOf(this.#node).values.pushTexts && info !== '' ? { ...notice, info } : notice
    const payload = { deviceID, notice: told, until: new Date(this.nowMs + lateMs).toISOString() }
    this.#gathered.push({ job: 'push', payload, runAt: undefined, requestId: 'push' })
  }

  /** A device's session has ended. */
  ended({ row, user }: PushDevice): void {
    this.#devices.set(
      user.id,
      (this.#devices.get(user.id) ?? []).filter((each) => each.row.id !== row.id),
    )
    this.#forget([row.id])
  }

  #forget(ids: readonly string[]): void {
    const { db, log } = this.#node
    deletePushDevices(db.sql, ids).catch((error: unknown) => log.warn({ err: error }, 'a device that is signed out could not be forgotten'))
  }

  /** Hands gathered notices over to the workers. */
  async write(): Promise<void> {
    if (this.#gathered.length === 0) return
    const entries = this.#gathered
    this.#gathered = []
    const { db, jobWakeUp, log } = this.#node
    try {
      await insertOutbox(db.sql, entries)
      jobWakeUp.send()
    } catch (error) {
      log.warn({ err: error, notices: entries.length }, 'notices for closed apps are lost')
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#stopTimers()
    await this.#reading
    await this.write()
    this.#drop()
    const { leases, bus } = this.#node
    if (this.#holds) await leases.release([lease], bus.nodeId).catch(() => undefined)
  }

  /** Reads the devices of some accounts again, or of all. */
  #read(accountIds?: readonly string[]): void {
    this.#reading = this.#reading
      .then(() => this.#readNow(accountIds))
      .catch((error: unknown) => this.#node.log.warn({ err: error }, 'devices of closed apps could not be read'))
  }

  async #readNow(accountIds?: readonly string[]): Promise<void> {
    const rows = await selectPushDevices(this.#node.db.sql, accountIds)
    const byAccount = new Map<string, PushDeviceRow[]>()
    for (const row of rows) byAccount.set(row.accountId, [...(byAccount.get(row.accountId) ?? []), row])
    for (const id of accountIds ?? this.#devices.keys()) if (!byAccount.has(id)) this.#install(id, undefined, [])
    const users = this.#node.channels.of(userKind)
    const ids = [...byAccount.keys()]
    for (let from = 0; from < ids.length && !this.#stopping; from += atOnce)
      await Promise.all(ids.slice(from, from + atOnce).map(async (id) => this.#install(id, await users.get(id), byAccount.get(id) ?? [])))
  }

  #install(accountId: string, user: UserChannel | undefined, rows: readonly PushDeviceRow[]): void {
    for (const device of this.#devices.get(accountId) ?? []) device.user.sockets.removeDevice(device)
    this.#devices.delete(accountId)
    if (!user || this.#stopping || !this.#holds) return
    // Some sessions may have ended while no server held them.
    const gone = rows.filter(({ sessionKey }) => !user.mayConnect(sessionKey))
    if (gone.length > 0) this.#forget(gone.map(({ id }) => id))
    const devices = rows.filter((row) => !gone.includes(row)).map((row) => new PushDevice(this, user, row))
    for (const device of devices) user.sockets.addDevice(device)
    if (devices.length > 0) this.#devices.set(accountId, devices)
  }

  #drop(): void {
    for (const accountId of [...this.#devices.keys()]) this.#install(accountId, undefined, [])
  }
}
