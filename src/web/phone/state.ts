// The call that rings or is talked in, if any. How it sounds is the concern of panel.tsx, which is loaded when there is one.
import { signal } from '@preact/signals'
import type { UserHeader } from '../../sdk/client.ts'
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

/** Longer than the server lets phones ring: the notice of the end may have been lost with a connection. */
const ringsForMs = 65_000

function stopRinging(id: string): void {
  if (call.value?.id === id && call.value.isIncoming && call.value.phase === 'ringing') call.value = undefined
}

whenNoticed(({ type, contentID, caller, callerAddress }) => {
  if (type === 'incomingPhoneCall' && caller && !isInCall()) {
    call.value = { id: contentID, other: caller, isIncoming: true, isDirect: callerAddress !== undefined, phase: 'ringing' }
    setTimeout(() => stopRinging(contentID), ringsForMs)
  }
  if (call.value?.id.toLowerCase() !== contentID.toLowerCase()) return
  // Answered by another device, or by another tab.
  if (type === 'phoneCallAnswered') stopRinging(call.value.id)
  if (type === 'phoneCallEnded') {
    if (call.value?.phase === 'ringing' && call.value.isIncoming) call.value = undefined
    else changeCall({ phase: 'over' })
  }
})
