// The app on somebody's phone that shows the digits of a second factor.
import { URI, type TOTP } from 'otpauth'
import { testPassword } from './accounts.ts'
import type { Client } from './client.ts'
import type { LeapingClock } from './fake-clock.ts'
import { body } from './fez.ts'

const stepMs = 30_000

export interface Phone {
  /** The digits of now, or of a step before or after. */
  at(steps: number): string
  /** Digits that were not used yet: half a minute goes by. */
  next(): string
}

/** `clock`: that of the server; without one time does not pass. */
export function phoneOf(address: string, clock?: LeapingClock): Phone {
  const totp = URI.parse(address) as TOTP
  const at = (steps: number) => totp.generate({ timestamp: (clock?.now() ?? Date.now()) + steps * stepMs })
  return {
    at,
    next: () => {
      clock?.leap(stepMs)
      return at(0)
    },
  }
}

export interface Guarded {
  phone: Phone
  /** For emergencies. */
  codes: string[]
}

/** Sets a second factor up; the account is signed out by it. */
export async function guard(client: Client, clock?: LeapingClock): Promise<Guarded> {
  const { address } = await body(client.post('/auth/secondfactor', { currentPassword: testPassword }), 201)
  const phone = phoneOf(address, clock)
  const { recoveryCodes } = await body(client.post('/auth/secondfactor/confirm', { code: phone.next() }), 201)
  return { phone, codes: recoveryCodes }
}
