// Messages between nodes about calls.
import type { CallEvent, Side } from './call.ts'

/** Messages and questions to all nodes. `key` names one call; ids of calls are the clients' and may be reused. */
export type Message =
  | { type: 'present'; user: string }
  | { type: 'ring'; key: string; callID: string; caller: string; callee: string; frame: Uint8Array }
  /** `over`: the server has no more to do with the call. */
  | { type: 'answered'; key: string; callID: string; callee: string; over: boolean }
  | { type: 'ended'; key: string; callID: string; caller: string; sides: readonly Side[] }
  | { type: 'event'; callID: string; event: CallEvent & { by: string }; leg?: string }
  | { type: 'beat'; lines: readonly [key: string, ringing: boolean][]; legs: readonly string[] }

export type Answer =
  | { phones: number }
  /** Of the owner of a call: what became of an event. */
  | { outcome: 'done' | 'unknown' | 'answered' }
  | { outcome: 'admitted'; key: string; node: string }

/** Messages between the two nodes of a call: audio, or changes of a socket. */
export type ToLine = Uint8Array | 'opened' | 'closed'
export type ToLeg = Uint8Array | { close: string }
export type Crossing = ['line', key: string, content: ToLine] | ['leg', id: string, content: ToLeg]
