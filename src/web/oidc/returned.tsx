// The page after the identity provider: signs in with the account that is connected, or lets somebody make or connect one.
import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { CreatedUserData, OidcReturnData } from '../../sdk/client.ts'
import { NewAccountForm, type NewAccount } from '../auth/new-account-form.tsx'
import { RecoveryCard } from '../auth/recovery-card.tsx'
import { Refused } from '../auth/refused.tsx'
import { client } from '../client.ts'
import { Field } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Page, Section } from '../kit/page.tsx'
import { Loading } from '../kit/states.tsx'
import { attempt } from '../kit/toast.tsx'
import { begin, me } from '../session.ts'
import { t } from '../texts.ts'
import { beginAddress, useProvider } from './button.tsx'
import './texts.ts'

const problems = ['away', 'refused', 'failed'] as const
type Problem = (typeof problems)[number]

export function Returned() {
  const asked = new URLSearchParams(location.search)
  const [problem, setProblem] = useState<Problem | undefined>(problems.find((each) => asked.has(each)))
  const [returned, setReturned] = useState<OidcReturnData>()
  useEffect(() => {
    if (problem) return
    const fail = () => setProblem('failed')
    client.oidc.returned().then((found) => (found ? setReturned(found) : fail()), fail)
  }, [])
  if (problem) return <Failed problem={problem} />
  if (!returned)
    return (
      <Page title={t('signIn')} back="/login">
        <Loading rows={2} />
      </Page>
    )
  if (me.value) return <Connect returned={returned} username={me.value.username} />
  return returned.username === undefined ? <New returned={returned} /> : <Known returned={returned} username={returned.username} />
}

function Failed({ problem }: { problem: Problem }) {
  const provider = useProvider() ?? ''
  const back = me.value ? '/account/identities' : '/login'
  return (
    <Page title={t('signIn')} back={back}>
      <div class="card pad door">
        <p role="alert">{t(`oidc.${problem}`, { provider })}</p>
        <a class="btn" href={beginAddress('/')}>
          {t('oidc.again')}
        </a>
      </div>
      <p class="door-links">{!me.value && <Link href="/login">{t('oidc.have')}</Link>}</p>
    </Page>
  )
}

/** Nothing is left to do but for a code, where the account has a second factor. */
function Known({ returned: { to, provider }, username }: { returned: OidcReturnData; username: string }) {
  const [code, setCode] = useState('')
  const { error, busy, submit } = useForm({})
  const signIn = async () => {
    await client.oidc.login(code === '' ? {} : { code })
    await begin(to)
  }
  const run = submit(signIn)
  useEffect(() => void run(new Event('submit')), [])
  return (
    <Page title={t('signIn')} sub={`@${username} · ${provider}`} back="/login">
      <form class="card pad door" onSubmit={run}>
        {(error || code) && <Refused error={error} code={code} change={setCode} />}
        <button type="submit" class="btn" disabled={busy}>
          {t('signIn')}
        </button>
      </form>
    </Page>
  )
}

function New({ returned }: { returned: OidcReturnData }) {
  const [created, setCreated] = useState<CreatedUserData>()
  const { provider, name, suggestedUsername, verifies } = returned
  const create = async (wanted: NewAccount) => setCreated(await once(client.oidc.account, wanted))
  if (created) return <Created account={created} to={returned.to} />
  return (
    <Page title={t('signIn')} back="/login">
      <p class="lead">{t('oidc.welcome', { provider, name })}</p>
      <Section title={t('oidc.new')}>
        <NewAccountForm username={suggestedUsername} asksCode={!verifies} create={create} label={t('oidc.create')}>
          <p>{t('oidc.createText', { provider })}</p>
        </NewAccountForm>
      </Section>
      <Section title={t('oidc.have')}>
        <ConnectForm returned={returned} />
      </Section>
    </Page>
  )
}

/** The recovery key is shown this once. */
function Created({ account, to }: { account: CreatedUserData; to: string }) {
  const goOn = async () => {
    await client.oidc.login({})
    await begin(to === '/' ? '/welcome' : to)
  }
  return (
    <Page title={t('welcomeName', { name: account.username })}>
      <RecoveryCard {...account}>
        <button type="button" class="btn" onClick={() => void attempt(goOn)}>
          {t('recoveryDone')}
        </button>
      </RecoveryCard>
    </Page>
  )
}

/** For somebody who is signed in, and wants to be so in this way, too. */
function Connect({ returned, username }: { returned: OidcReturnData; username: string }) {
  return (
    <Page title={t('oidc.title')} sub={`${returned.provider}: ${returned.name}`} back="/account/identities">
      <ConnectForm returned={returned} username={username} />
    </Page>
  )
}

function ConnectForm({ returned: { provider, to }, username }: { returned: OidcReturnData; username?: string }) {
  const { values, set, error, busy, submit } = useForm({ username: username ?? '', password: '' })
  const [code, setCode] = useState('')
  const connect = async () => {
    await client.oidc.connect({ username: values.username.trim(), password: values.password + code })
    await begin(to)
  }
  return (
    <form class="card pad door" onSubmit={submit(connect)}>
      <p>{username === undefined ? t('oidc.connectText', { provider }) : t('oidc.forAccount', { name: `@${username}`, provider })}</p>
      {username === undefined && (
        <Field
          label={t('username')}
          value={values.username}
          change={set('username')}
          input={{ name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true }}
        />
      )}
      <Field
        label={t('password')}
        value={values.password}
        change={set('password')}
        input={{ name: 'password', type: 'password', autocomplete: 'current-password', required: true }}
      />
      {(error || code) && <Refused error={error} code={code} change={setCode} />}
      <button type="submit" class="btn" disabled={busy}>
        {t('oidc.connect')}
      </button>
    </form>
  )
}
