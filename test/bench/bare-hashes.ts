// The limit of logins: Argon2 alone, with the product's parameters, as many at once as there are cores.
import { availableParallelism } from 'node:os'
import { hashSecret, verifySecret } from '../../src/auth/passwords.ts'
import { takeOrders } from './processes.ts'

const stored = await hashSecret('a password')

takeOrders(0, {
  /** Checks passwords for some time; returns how many. */
  async hash({ durationMs }: { durationMs: number }) {
    const endMs = performance.now() + durationMs
    let count = 0
    await Promise.all(
      Array.from({ length: availableParallelism() }, async () => {
        while (performance.now() < endMs) {
          await verifySecret(stored, 'a password')
          count++
        }
      }),
    )
    return count
  },
})
