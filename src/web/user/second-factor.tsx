// The second factor of one's own account: setting it up, its emergency codes, turning it off.
import { useState } from 'preact/hooks'
import type { SecondFactorData, SecondFactorSetupData } from '../../sdk/client.ts'
import '../auth/factor-texts.ts'
import { SecretCard } from '../auth/recovery-card.tsx'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Page, Section } from '../kit/page.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { Answer } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { toast } from '../kit/toast.tsx'
import { me, refreshMe } from '../session.ts'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'

export function SecondFactor() {
  const [setup, setSetup] = useState<SecondFactorSetupData>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const factor = useQuery({ queryKey: ['second factor'], queryFn: () => client.auth.secondfactor(), staleTime: 0 })
  const changed = (recoveryCodes: readonly string[]) => {
    setSetup(undefined)
    setCodes(recoveryCodes)
    refresh('second factor', 'devices')
    // The rights of the team may be back, or gone.
    void refreshMe().catch(() => undefined)
  }
  return (
    <Page title={t('factor')} back="/account">
      {codes.length > 0 ? (
        <Codes codes={codes} done={() => setCodes([])} />
      ) : setup ? (
        <Confirm setup={setup} done={changed} />
      ) : (
        <Answer of={factor} rows={2}>
          {(data) => (data.isOn ? <On factor={data} changed={changed} /> : <Off factor={data} begun={setSetup} />)}
        </Answer>
      )}
    </Page>
  )
}

function Off({ factor: { isNeeded }, begun }: { factor: SecondFactorData; begun: (setup: SecondFactorSetupData) => void }) {
  const { values, set, error, busy, submit } = useForm({ currentPassword: '' })
  return (
    <form class="card pad door text" onSubmit={submit(async () => begun(await client.auth.setSecondfactor(values)))}>
      {isNeeded && (
        <p role="status">
          <b>{t('factor.needed')}</b>
        </p>
      )}
      <p>{t('factor.text')}</p>
      <p>{t('factor.phone')}</p>
      <PasswordField value={values.currentPassword} change={set('currentPassword')} error={error} />
      <FormError error={error} fields={['currentPassword']} />
      <button type="submit" class="btn" disabled={busy}>
        {t('factor.begin')}
      </button>
    </form>
  )
}

function Confirm({ setup: { secret, address }, done }: { setup: SecondFactorSetupData; done: (codes: readonly string[]) => void }) {
  const { values, set, error, busy, submit } = useForm({ code: '' })
  const confirm = async () => done((await once(client.auth.secondfactorConfirm, { code: values.code.replace(/\s/g, '') })).recoveryCodes)
  return (
    <form class="card pad door text" onSubmit={submit(confirm)}>
      <p>{t('factor.scan')}</p>
      <div class="qr-code paper">
        <QrCode text={address} />
      </div>
      <p>
        <a class="btn quiet" href={address}>
          {t('factor.onThisPhone')}
        </a>
      </p>
      <p class="quiet">{t('factor.key')}</p>
      <p class="token">
        <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <Field
        label={t('factor.digits')}
        value={values.code}
        change={set('code')}
        error={errorOf(error, 'code')}
        input={{ name: 'code', inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 7, required: true }}
      />
      <FormError error={error} fields={['code']} />
      <p>{t('factor.signsOut')}</p>
      <button type="submit" class="btn" disabled={busy}>
        {t('factor.turnOn')}
      </button>
    </form>
  )
}

/** Shown this once. */
function Codes({ codes, done }: { codes: readonly string[]; done: () => void }) {
  const title = t('factor.codesOf', { name: me.value?.username ?? '' })
  return (
    <SecretCard text={t('factor.codesText')} title={title} secrets={codes} file={title}>
      <button type="button" class="btn" onClick={done}>
        {t('factor.done')}
      </button>
    </SecretCard>
  )
}

function On({ factor, changed }: { factor: SecondFactorData; changed: (codes: readonly string[]) => void }) {
  const { confirmedAt, recoveryCodesLeft } = factor
  return (
    <>
      <div class="card pad text" role="status">
        <p>
          {confirmedAt && t('factor.on', { time: when(confirmedAt) })} {t('factor.left', { n: recoveryCodesLeft })}
        </p>
        <p>{t('factor.phone')}</p>
      </div>
      <Section title={t('factor.codes')}>
        <Shown
          text={t('factor.newCodesText')}
          label={t('factor.newCodes')}
          run={async (shown) => changed((await once(client.auth.secondfactorCodes, shown)).recoveryCodes)}
        />
      </Section>
      <Section title={t('factor.turnOff')}>
        <Shown
          text={factor.isNeeded ? t('factor.lost') : undefined}
          label={t('factor.turnOff')}
          run={async (shown) => {
            await client.auth.secondfactorRemove(shown)
            toast(t('factor.off'))
            changed([])
          }}
        />
      </Section>
    </>
  )
}

interface ShownProps {
  text?: string | undefined
  label: string
  run: (shown: { currentPassword: string; code: string }) => Promise<void>
}

/** Asks for the password and the second factor once more. */
function Shown({ text, label, run }: ShownProps) {
  const { values, set, error, busy, submit, clear } = useForm({ currentPassword: '', code: '' })
  const show = async () => {
    await run({ ...values, code: values.code.replace(/\s/g, '') })
    clear()
  }
  return (
    <form class="card pad door text" onSubmit={submit(show)}>
      {text && <p>{text}</p>}
      <PasswordField value={values.currentPassword} change={set('currentPassword')} error={error} />
      <Field
        label={t('factor.code')}
        hint={t('factor.codeHint')}
        value={values.code}
        change={set('code')}
        error={errorOf(error, 'code')}
        input={{ name: 'code', autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false, maxLength: 20, required: true }}
      />
      <FormError error={error} fields={['currentPassword', 'code']} />
      <button type="submit" class="btn quiet" disabled={busy}>
        {label}
      </button>
    </form>
  )
}

function PasswordField({ value, change, error }: { value: string; change: (value: string) => void; error: unknown }) {
  return (
    <Field
      label={t('yourPassword')}
      value={value}
      change={change}
      error={errorOf(error, 'currentPassword')}
      input={{ type: 'password', autocomplete: 'current-password', required: true }}
    />
  )
}
