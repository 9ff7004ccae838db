// What somebody signs in with beside their password, and how the team takes it away: a lost device, a provider that they have left.
import type { AdminUserDetailData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { nameOf } from '../kit/face.tsx'
import { when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { forAll } from '../team/for-all.tsx'
import { said } from '../team/reach.tsx'
import { mayDo } from '../team/rights.ts'
import { c } from '../team/texts.ts'

/** One way to sign in. */
interface Way {
  key: string
  name: string
  about: string
  /** The question before it is removed, and what that means. */
  title: string
  text: string
  done: string
  remove: () => Promise<unknown>
}

/** A key of a query that is asked again when something about a person has changed. */
const ofPerson = (what: string, id: string) => ['console users', what, id]

export function Ways({ user: { header, hasSecondFactor } }: { user: AdminUserDetailData }) {
  const user_id = header.userID
  const name = nameOf(header)
  const keys = useQuery({ queryKey: ofPerson('passkeys', user_id), queryFn: () => client.admin.usersPasskeys({ user_id }) })
  const known = useQuery({ queryKey: ofPerson('identities', user_id), queryFn: () => client.admin.usersIdentities({ user_id }) })
  const used = (createdAt: string, lastUsedAt: string | undefined) =>
    lastUsedAt === undefined
      ? c('ways.unused', { time: when(createdAt) })
      : c('ways.used', { time: when(createdAt), used: when(lastUsedAt) })
  const ways: Way[] = [
    ...(keys.data?.passkeys ?? []).map(({ passkeyID, name: key, createdAt, lastUsedAt }) => ({
      key: passkeyID,
      name: c('ways.passkey', { key }),
      about: used(createdAt, lastUsedAt),
      title: c('ways.askPasskey', { key, name }),
      text: c('ways.passkeyText'),
      done: c('ways.passkeyRemoved'),
      remove: () => client.admin.removePasskeys({ passkey_id: passkeyID }),
    })),
    ...(known.data?.identities ?? []).map(({ identityID, name: subject, issuer, createdAt, lastUsedAt }) => ({
      key: identityID,
      name: c('ways.identity', { subject, host: new URL(issuer).host }),
      about: used(createdAt, lastUsedAt),
      title: c('ways.askIdentity', { subject, name }),
      text: c('ways.identityText'),
      done: c('ways.identityRemoved'),
      remove: () => client.admin.removeIdentities({ identity_id: identityID }),
    })),
    ...(hasSecondFactor
      ? [
          {
            key: 'factor',
            name: c('hasFactor'),
            about: '',
            title: c('askRemoveFactor', { name }),
            text: c('removeFactorText'),
            done: c('factorRemoved'),
            remove: () => client.admin.usersSecondfactorRemove({ user_id }),
          },
        ]
      : []),
  ]
  return (
    <section class="card pad">
      <h3>{c('ways')}</h3>
      <ul class="said-by">
        <li>{c('ways.password')}</li>
        {ways.map((way) => (
          <li key={way.key} class="with-deed">
            <span>
              {way.name} <small>{way.about}</small>
            </span>
            {mayDo('tho') && (
              <button type="button" class="btn quiet" aria-label={way.title} onClick={() => void remove(way)}>
                {c('remove')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const remove = ({ title, text, done, remove: run }: Way) =>
  attempt(() =>
    forAll({
      title,
      Whom: said(text),
      label: c('remove'),
      grave: true,
      run: async () => {
        await run()
        refresh('console users', 'console person')
      },
      said: done,
    }),
  )
