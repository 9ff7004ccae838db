// The user who reads chats, as far as a chat needs to know them. The user channel is one: it stands above
// chats, receives their events and keeps what is unread.
import type { Socket } from '../core/http/route.ts'
import type { Viewer } from '../core/base/viewer.ts'
import type { UnreadState } from './unread.ts'

/** Something that sends this user frames and depends on whom the user hides. */
export interface ChatSession {
  /** Undefined before it has opened and after it has closed. */
  readonly socket: Socket | undefined
  /** Key of the browser session that opened it; empty when a token did. */
  readonly sessionKey: string
  /** Called after level, blocks or mutes of the user changed. */
  relationsChanged(): void
  /** Called when they are not known for a while: until `relationsChanged` nothing may be sent. */
  relationsUnknown(): void
}

/** An authenticated user with what they have not read, and their chat sockets on this node. */
export interface ChatReader extends Viewer {
  readonly unread: UnreadState
  /** Unread state of each shared inbox, by its account. */
  readonly inboxes: ReadonlyMap<string, UnreadState>
  readonly chatSessions: readonly ChatSession[]
  /** False when the account lost its token, or this browser session, while a socket was being opened. */
  mayConnect(sessionKey: string): boolean
  /** True while whom the user hides may have changed since it was read. */
  readonly stale: boolean
  addSession(session: ChatSession): void
  removeSession(session: ChatSession): void
  /** Resolves when the state is live. */
  ready(): Promise<void>
  /** Reads everything from Postgres again. */
  reload(): Promise<void>
}

/** The viewer of a request, which authentication made a reader of chats. */
export function chatReaderOf(viewer: Viewer): ChatReader {
  if (!('chatSessions' in viewer)) throw new Error('the viewer of a request is its user channel')
  return viewer as ChatReader
}
