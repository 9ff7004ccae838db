// One phone call as a state machine: state and event give the next state and what is to be done.
// Pure; lines.ts feeds it and carries its effects out.

export type Side = 'caller' | 'callee'

/**
 * `ringing`: nobody has answered. `connecting`: only the callee may open a phone socket.
 * `active`: both phone sockets are open. `over`: forgotten; nothing happens any more.
 */
export type Phase = 'ringing' | 'connecting' | 'active' | 'over'

export interface Call {
  /** False when the two talk without the server, which then only rings. */
  readonly relayed: boolean
  readonly caller: string
  readonly callee: string
  readonly phase: Phase
}

export type CallEvent =
  /** So many notification sockets of the callee got the call. */
  | { type: 'rang'; phones: number }
  /** Somebody wants to open the callee's phone socket. */
  | { type: 'accepted'; by: string }
  /** The callee's phone socket is open. */
  | { type: 'connected' }
  /** A user reports that they have answered. */
  | { type: 'answered'; by: string }
  | { type: 'declined'; by: string }
  /** A phone socket has closed, or was never opened. */
  | { type: 'hungUp'; side: Side }
  | { type: 'audio'; from: Side }
  | { type: 'timedOut' }
  /** A part of the server that the call needs is gone. */
  | { type: 'lost' }

export type Effect =
  /** The callee may open their phone socket. */
  | { type: 'admit' }
  /** Nobody may: `answered` to the callee of a call that has been answered, `unknown` to everybody else. */
  | { type: 'refuse'; because: 'answered' | 'unknown' }
  /** `phoneCallAnswered` to all notification sockets of the callee. */
  | { type: 'tellAnswered' }
  /** `phoneCallEnded`: to all notification sockets of the caller, to those of the callee that rang. */
  | { type: 'tellEnded'; sides: readonly Side[] }
  /** PhoneSocketStartData to both phone sockets. */
  | { type: 'start' }
  /** The frame of an `audio` event goes to this side. */
  | { type: 'relay'; to: Side }
  | { type: 'close'; side: Side; reason?: string }

export interface Step {
  readonly call: Call
  readonly effects: readonly Effect[]
}

/** A call that rings from now on. */
export const newCall = (caller: string, callee: string, relayed: boolean): Call => ({ relayed, caller, callee, phase: 'ringing' })

export const otherSide = (side: Side): Side => (side === 'caller' ? 'callee' : 'caller')

const both: readonly Side[] = ['caller', 'callee']

/** The effect of one event on a call. */
export function step(call: Call, event: CallEvent): Step {
  if (call.phase === 'over')
    return event.type === 'accepted' ? { call, effects: [{ type: 'refuse', because: 'unknown' }] } : { call, effects: [] }
  switch (event.type) {
    case 'rang':
      if (event.phones > 0 || call.phase !== 'ringing') return nothing(call)
      return ended(call, [], 'The user called is not connected any more.')
    case 'accepted':
      return accepted(call, event.by)
    case 'connected':
      if (call.phase !== 'connecting') return nothing(call)
      return { call: { ...call, phase: 'active' }, effects: [{ type: 'start' }] }
    case 'answered':
      if (event.by !== call.callee) return nothing(call)
      // From here on the two phones know each other's address.
      if (!call.relayed) return { call: { ...call, phase: 'over' }, effects: [{ type: 'tellAnswered' }] }
      return { call, effects: [{ type: 'tellAnswered' }] }
    case 'declined':
      return event.by === call.caller || event.by === call.callee ? ended(call, both) : nothing(call)
    case 'hungUp':
      return ended(call, ['callee'])
    case 'audio':
      return call.phase === 'active' ? { call, effects: [{ type: 'relay', to: otherSide(event.from) }] } : nothing(call)
    case 'timedOut':
      return call.phase === 'ringing' ? ended(call, both, 'Nobody has answered.') : nothing(call)
    case 'lost':
      return ended(call, both, 'The server has lost the call.')
  }
}

const nothing = (call: Call): Step => ({ call, effects: [] })

function accepted(call: Call, by: string): Step {
  if (by !== call.callee || !call.relayed) return { call, effects: [{ type: 'refuse', because: 'unknown' }] }
  if (call.phase !== 'ringing') return { call, effects: [{ type: 'refuse', because: 'answered' }] }
  return { call: { ...call, phase: 'connecting' }, effects: [{ type: 'admit' }, { type: 'tellAnswered' }] }
}

/** The sockets are closed last: what their closing leads to finds the call over. */
function ended(call: Call, tell: readonly Side[], reason?: string): Step {
  const closing = call.relayed ? both.map((side): Effect => ({ type: 'close', side, ...(reason === undefined ? {} : { reason }) })) : []
  return { call: { ...call, phase: 'over' }, effects: [{ type: 'tellEnded', sides: tell }, ...closing] }
}
