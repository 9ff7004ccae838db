// How a call begins that this browser makes.
import type { UserHeader } from '../../sdk/client.ts'
import { call, isInCall } from './state.ts'

/** Calls somebody: the panel opens, asks for the microphone and rings. */
export function startCall(other: UserHeader): void {
  if (isInCall()) return
  call.value = { id: newId(), other, isIncoming: false, isDirect: false, phase: 'ringing' }
}

/** A UUID; `crypto.randomUUID` exists only over TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
