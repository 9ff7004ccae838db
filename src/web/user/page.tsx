// One's own account: the way to everything that has no place of its own, and the settings of this device.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { NewPasswordField, SignOutApps } from '../auth/account-fields.tsx'
import { client } from '../client.ts'
import { usePlaces } from '../frame.tsx'
import { isWide } from '../kit/beside.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { NotYet } from '../kit/not-yet.tsx'
import { once } from '../kit/once.ts'
import { OpenIcon } from '../kit/page-icon.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Badge, Row } from '../kit/row.tsx'
import { Answer } from '../kit/states.tsx'
import { chooseClock, clockOf, clocks, when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { chooseScheme, scheme, schemes } from '../scheme.ts'
import { mayWrite, me } from '../session.ts'
import { useSettings } from '../settings/query.ts'
import { refresh, useQuery } from '../store.ts'
import { chooseLanguage, language, languages, t, type Language, type TextKey } from '../texts.ts'
import { Accounts, NewUsername } from './accounts.tsx'
import { useSignOut } from './sign-out.tsx'

export function Account() {
  const [open, setOpen] = useState<'password' | 'username'>()
  const { signOut, question } = useSignOut()
  const { data: settings } = useSettings()
  if (!me.value) return null
  const { username } = me.value
  return (
    <Page title={t('more')} {...(isWide.value ? {} : { back: '/' })}>
      <ul class="card">
        <Row
          href={`/profile/${encodeURIComponent(username)}`}
          lead={<Face user={me.value} />}
          title={nameOf(me.value)}
          sub={t('yourProfile')}
          tail={<OpenIcon size={18} />}
        />
      </ul>
      <NotYet />
      <Aboard />
      <Section title={t('yourLists')}>
        <ul class="card">
          {(['favorites', 'barrels', 'mutes', 'blocks', 'alertwords', 'mutewords'] as const).map((list) => (
            <Line key={list} href={`/${list}`} text={t(list)} />
          ))}
        </ul>
      </Section>
      <Section title={t('thisDevice')}>
        <ul class="card">
          <Line href="/notices" text={t('notices')} />
        </ul>
        <div class="card pad after-tabs">
          <Choice
            label={t('appearance')}
            value={scheme.value}
            options={schemes.map((each) => [each, t(`scheme.${each}` as TextKey)] as const)}
            change={chooseScheme}
          />
          <Choice
            label={t('language')}
            value={language.value}
            options={Object.entries(languages) as [Language, string][]}
            change={(chosen) => void chooseLanguage(chosen)}
          />
          <Choice
            label={t('clock')}
            value={clockOf.value}
            options={clocks.map((each) => [each, t(`clock.${each}`)] as const)}
            change={chooseClock}
          />
        </div>
      </Section>
      <Section title={t('account')}>
        <div class="card pad buttons-down">
          {mayWrite.value && (
            <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setOpen('username')}>
              {t('changeUsername')}
            </button>
          )}
          <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setOpen('password')}>
            {t('changePassword')}
          </button>
          {!me.value.isSubAccount && (
            <Link class="btn quiet" href="/account/recoveryKey">
              {t('newRecoveryKey')}
            </Link>
          )}
          <Link class="btn quiet" href="/account/secondFactor">
            {t('secondFactor')}
          </Link>
          <Link class="btn quiet" href="/account/passkeys">
            {t('passkeys')}
          </Link>
          {settings?.identityProvider !== undefined && (
            <Link class="btn quiet" href="/account/identities">
              {t('identities')}
            </Link>
          )}
          <Link class="btn quiet" href="/account/data">
            {t('ownData')}
          </Link>
          <Link class="btn quiet" href="/account/tokens">
            {t('tokens')}
          </Link>
          <button type="button" class="btn quiet" onClick={() => signOut('here')}>
            {t('signOut')}
          </button>
        </div>
      </Section>
      <Accounts />
      <Devices signOutEverywhere={() => signOut('everywhere')} />
      <Section title={t('help')}>
        <ul class="card">
          <Line href="/help" text={t('help')} />
          <Line href="/faq" text={t('help.faq')} />
          <Line href="/codeOfConduct" text={t('help.codeOfConduct')} />
          <Line href="/map" text={t('map')} />
          <Line href="/time" text={t('time')} />
          <Line href="/about" text={t('aboutApp')} />
        </ul>
      </Section>
      {question}
      {open === 'username' && <NewUsername close={() => setOpen(undefined)} />}
      {open === 'password' && <NewPassword close={() => setOpen(undefined)} />}
    </Page>
  )
}

/** Where this account is signed in, each with its own way out. */
function Devices({ signOutEverywhere }: { signOutEverywhere: () => void }) {
  const devices = useQuery({ queryKey: ['devices'], queryFn: () => client.auth.sessions(), staleTime: 0 })
  const end = (work: Promise<unknown>) =>
    attempt(async () => {
      await work
      refresh('devices')
    })
  return (
    <Section title={t('devices')}>
      <Answer of={devices} rows={2}>
        {({ sessions, appsSignedIn }) => (
          <>
            <ul class="card">
              {sessions.map(({ sessionID, device, lastSeenAt, isCurrent }) => (
                <li key={sessionID} class="row">
                  <div class="row-text">
                    <p>{device}</p>
                    <small>{isCurrent ? t('thisDevice') : when(lastSeenAt)}</small>
                  </div>
                  {!isCurrent && (
                    <button type="button" class="btn quiet" onClick={() => void end(client.auth.removeSessions({ session_id: sessionID }))}>
                      {t('signOut')}
                    </button>
                  )}
                </li>
              ))}
              {appsSignedIn && (
                <li class="row">
                  <p class="row-text">{t('appsSignedIn')}</p>
                </li>
              )}
            </ul>
            <button type="button" class="btn quiet wide" onClick={signOutEverywhere}>
              {t('signOutEverywhere')}
            </button>
          </>
        )}
      </Answer>
    </Section>
  )
}

/** On a phone only: a wide screen has them at its side. */
function Aboard() {
  const { more } = usePlaces()
  return (
    <div class="narrow">
      <Section title={t('aboard')}>
        <ul class="card">
          {more
            .filter(({ href }) => href !== '/account')
            .map(({ href, label, Icon, count = 0 }) => (
              <Line key={href} href={href} text={t(label)} lead={<Icon size={22} />} tail={<Badge count={count} />} />
            ))}
        </ul>
      </Section>
    </div>
  )
}

function Line({ href, text, lead, tail }: { href: string; text: string; lead?: ComponentChildren; tail?: ComponentChildren }) {
  return (
    <li class="line-item">
      <Link href={href}>
        {lead}
        <span>{text}</span>
        {tail}
        <OpenIcon size={18} />
      </Link>
    </li>
  )
}

function NewPassword({ close }: { close: () => void }) {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [signOutApps, setSignOutApps] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = (event: Event) => {
    event.preventDefault()
    once(client.user.password, { currentPassword, newPassword, signOutApps }).then(() => {
      toast(t('passwordChanged'))
      refresh('devices')
      close()
    }, setError)
  }
  return (
    <Dialog title={t('changePassword')} close={close}>
      <form onSubmit={submit}>
        <Field
          label={t('currentPassword')}
          value={currentPassword}
          change={setCurrent}
          error={errorOf(error, 'currentPassword')}
          input={{ type: 'password', autocomplete: 'current-password', required: true }}
        />
        <NewPasswordField label={t('newPassword')} name="newPassword" value={newPassword} change={setNew} error={error} />
        <SignOutApps value={signOutApps} change={setSignOutApps} />
        <FormError error={error} fields={['currentPassword', 'newPassword']} />
        <button type="submit" class="btn">
          {t('save')}
        </button>
      </form>
    </Dialog>
  )
}
