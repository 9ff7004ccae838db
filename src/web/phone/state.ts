// The call that rings or is talked in, if any. How it sounds is the concern of panel.tsx, which is loaded when there is one.
import { signal } from '@preact/signals'
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { whenNoticed } from '../live.ts'

export interface Call {
  /** Chosen by the caller's device. */
  id: string
  other: UserHeader
  isIncoming: boolean
  /** From phone to phone, without the server: a browser cannot take it. */
  isDirect: boolean
  phase: 'ringing' | 'connecting' | 'talking' | 'over'
  /** A sentence: how it ended. */
  ended?: string
}

export const call = signal<Call | undefined>()

export const isInCall = (): boolean => call.value !== undefined && call.value.phase !== 'over'

export function changeCall(change: Partial<Call>): void {
  if (call.value) call.value = { ...call.value, ...change }
}

/** Closes the panel; a call that goes on ends. */
export function endCall(): void {
  const ended = call.value
  call.value = undefined
  if (ended && ended.phase !== 'over') void client.phone.decline({ callID: ended.id }).catch(() => undefined)
}

whenNoticed(({ type, contentID, caller, callerAddress }) => {
  if (type === 'incomingPhoneCall' && caller && !isInCall())
    call.value = { id: contentID, other: caller, isIncoming: true, isDirect: callerAddress !== undefined, phase: 'ringing' }
  if (call.value?.id.toLowerCase() !== contentID.toLowerCase()) return
  // Answered by another device, or by another tab.
  if (type === 'phoneCallAnswered' && call.value.isIncoming && call.value.phase === 'ringing') call.value = undefined
  if (type === 'phoneCallEnded') {
    if (call.value?.phase === 'ringing' && call.value.isIncoming) call.value = undefined
    else changeCall({ phase: 'over' })
  }
})
