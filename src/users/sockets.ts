// The open sockets of one user on this node, and what is sent to all of them.
import type { Socket, SocketHandlers } from '../core/http/route.ts'
import { closeCodes, maxSocketsPerUser } from '../core/http/sockets.ts'
import { browsersTopic } from '../notices/frames.ts'
import type { ChatSession } from '../fez/reader.ts'

/** Socket topic of every notification socket: for frames that are the same for everybody. */
export const everybodyTopic = 'everybody'

/** Socket topic of the browsers of moderators: for notices that apps do not know. What is sent there names nobody. */
export const teamBrowsersTopic = 'team browsers'

const nothing: readonly never[] = []

function without<T>(list: readonly T[], item: T): readonly T[] {
  const index = list.indexOf(item)
  if (index < 0) return list
  return list.length === 1 ? nothing : list.toSpliced(index, 1)
}

/** Something that is told what the user's sockets are told, and is none: the app of a device that is closed. */
export interface Device {
  /** Key of the browser session that it belongs to; empty when it was opened with an app's token. */
  readonly sessionKey: string
  hear(frame: Uint8Array): void
  /** Its credential is gone. */
  ended(): void
}

/** One per user channel. Thousands of users are connected: empty lists are shared, and no list is longer than it need be. */
export class UserSockets {
  notification: readonly Socket[] = nothing
  chats: readonly ChatSession[] = nothing
  devices: readonly Device[] = nothing
  /** Keys of the browser sessions that opened notification sockets; those that a token opened are not in it. */
  #browsers: Map<Socket, string> | undefined
  /** Appointments and events that the notification sockets were notified of. */
  #announced: Set<string> | undefined

  /** True while any socket is open, or a closed app is to be told. */
  get any(): boolean {
    return this.hears || this.chats.length > 0
  }

  /** True while somebody is to be told of notices. */
  get hears(): boolean {
    return this.notification.length > 0 || this.devices.length > 0
  }

  addDevice(device: Device): void {
    this.devices = this.devices.concat([device])
  }

  removeDevice(device: Device): void {
    this.devices = without(this.devices, device)
  }

  /** A device listens to everything that concerns the user. `sessionKey` is empty when a token opened the socket. */
  add(socket: Socket, sessionKey: string): void {
    if (sessionKey !== '') (this.#browsers ??= new Map()).set(socket, sessionKey)
    this.notification = this.notification.concat([socket])
  }

  remove(socket: Socket): void {
    this.notification = without(this.notification, socket)
    this.#browsers?.delete(socket)
  }

  /** A device listens to a chat. */
  addChat(session: ChatSession): void {
    this.chats = this.chats.concat([session])
  }

  removeChat(session: ChatSession): void {
    this.chats = without(this.chats, session)
  }

  /** Sends frames to every device's notification socket, in one write each, and to devices whose app is closed. */
  notify(...frames: readonly Uint8Array[]): void {
    for (const socket of this.notification) socket.sendAll(frames)
    for (const device of this.devices) for (const frame of frames) device.hear(frame)
  }

  /** True when a browser listens. */
  get hasBrowsers(): boolean {
    return (this.#browsers?.size ?? 0) > 0
  }

  /** Sends a frame to browsers alone: apps would not know it. */
  notifyBrowsers(frame: Uint8Array): void {
    for (const socket of this.#browsers?.keys() ?? []) socket.send(frame)
  }

  /** The user has become a member of the team, or ceased to be one: browsers that listen already, too. */
  setTeam(isModerator: boolean): void {
    for (const socket of this.#browsers?.keys() ?? []) {
      if (isModerator) socket.subscribe(teamBrowsersTopic)
      else socket.unsubscribe(teamBrowsersTopic)
    }
  }

  /** As `notify`, once for each appointment: a job that was interrupted runs again and publishes its notice again. */
  notifyOnce(appointment: string, notice: Uint8Array): void {
    this.#announced ??= new Set()
    if (this.#announced.has(appointment)) return
    this.#announced.add(appointment)
    this.notify(notice)
  }

  /** Closes the sockets whose credential is gone: a browser session, or with an empty key the token. */
  closeWhere(isGone: (sessionKey: string) => boolean): void {
    for (const socket of [...this.notification]) if (isGone(this.#browsers?.get(socket) ?? '')) socket.close(closeCodes.goingAway)
    for (const { socket, sessionKey } of [...this.chats]) if (isGone(sessionKey)) socket?.close(closeCodes.goingAway)
    for (const device of this.devices)
      if (isGone(device.sessionKey)) {
        this.removeDevice(device)
        device.ended()
      }
  }
}

/** The user of a notification socket. */
interface Listener {
  readonly sockets: UserSockets
  readonly isModerator: boolean
  mayConnect(sessionKey: string): boolean
}

/** A device's socket for everything that concerns its user. */
export class NotificationSession implements SocketHandlers {
  readonly #user: Listener
  readonly #sessionKey: string

  constructor(user: Listener, sessionKey: string) {
    this.#user = user
    this.#sessionKey = sessionKey
  }

  opened(socket: Socket): void {
    const { sockets } = this.#user
    const isFull = sockets.notification.length >= maxSocketsPerUser
    if (isFull || !this.#user.mayConnect(this.#sessionKey)) return socket.close(closeCodes.goingAway)
    sockets.add(socket, this.#sessionKey)
    socket.subscribe(everybodyTopic)
    if (this.#sessionKey === '') return
    socket.subscribe(browsersTopic)
    if (this.#user.isModerator) socket.subscribe(teamBrowsersTopic)
  }

  closed(socket: Socket): void {
    this.#user.sockets.remove(socket)
  }
}
