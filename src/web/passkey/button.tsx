// The button of the sign-in page for those who have a passkey.
import { useState } from 'preact/hooks'
import type { PasskeyChallengeData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { FormError } from '../kit/field.tsx'
import { begin } from '../session.ts'
import { t } from '../texts.ts'
import { canUsePasskeys, sign } from './device.ts'
import './texts.ts'

export function PasskeyButton() {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  if (!canUsePasskeys) return null
  const signIn = async () => {
    // The door comes before the calls of the pages behind it.
    const asked = (await client.call('POST /auth/passkeys/challenge')) as PasskeyChallengeData
    await client.call('POST /auth/passkeys/login bt', { state: asked.state, credential: await sign(asked) })
    await begin()
  }
  const press = () => {
    setBusy(true)
    setError(undefined)
    void signIn()
      .catch(setError)
      .finally(() => setBusy(false))
  }
  return (
    <>
      <button type="button" class="btn quiet" disabled={busy} onClick={press}>
        {t('passkey.signIn')}
      </button>
      <FormError error={error} fields={[]} />
    </>
  )
}
