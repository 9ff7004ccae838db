// Codes that the server makes, all codes and whose they are, and cards to print.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ListedCodeData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { nameOf } from '../kit/face.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Section } from '../kit/page.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { Pager } from '../team/parts.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { c } from '../team/texts.ts'
import { csvFile } from './csv.ts'

const pageSize = 50
/** In one request, of a file or of cards. */
const atOnce = 5000

const spaced = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`.toUpperCase()

/** Codes for cards, and the address that stands on them. */
export interface Printed {
  codes: readonly string[]
  serverURL: string
}

/** `made`: gets the new codes. */
export function MakeCodes({ made }: { made: (printed: Printed) => void }) {
  const form = useForm({ count: '100', prefix: '', kind: 'people' as 'people' | 'discord' })
  const { values, set, error, busy, submit } = form
  const make = async () => {
    const printed = await once(client.admin.regcodesMake, {
      count: Number(values.count),
      ...(values.prefix && { prefix: values.prefix }),
      ...(values.kind === 'discord' && { forDiscordUsers: true }),
    })
    toast(c('codes.made', { n: printed.codes.length }))
    refresh('console codes', 'console checks')
    made(printed)
  }
  return (
    <Section title={c('codes.make')}>
      <form class="card pad no-print" onSubmit={submit(make)}>
        <div class="fields">
          <Field
            label={c('codes.count')}
            value={values.count}
            change={set('count')}
            error={errorOf(error, 'count')}
            input={{ type: 'number', min: 1, max: 5000, required: true }}
          />
          <Field
            label={c('codes.prefix')}
            value={values.prefix}
            change={set('prefix')}
            hint={c('codes.prefixHint')}
            error={errorOf(error, 'prefix')}
            input={{ maxLength: 2, autoComplete: 'off' }}
          />
          <Choice
            label={c('codes.kind')}
            value={values.kind}
            change={set('kind')}
            options={[
              ['people', c('codes.ofPeople')],
              ['discord', c('codes.ofChat')],
            ]}
          />
        </div>
        <FormError error={error} fields={['count', 'prefix']} />
        <button type="submit" class="btn" disabled={busy}>
          {c('codes.make')}
        </button>
      </form>
    </Section>
  )
}

interface Filter {
  search: string
  state: 'free' | 'used' | ''
  kind: 'people' | 'discord' | ''
}

const queryOf = ({ search, state, kind }: Filter) => ({
  ...(search && { search }),
  ...(state && { state }),
  ...(kind && { kind }),
})

/** All codes that match, in as many requests as it takes. */
async function everyCode(filter: Filter): Promise<{ codes: ListedCodeData[]; serverURL: string }> {
  const codes: ListedCodeData[] = []
  for (;;) {
    const page = await client.admin.regcodesList({ ...queryOf(filter), start: codes.length, limit: atOnce })
    codes.push(...page.codes)
    if (page.codes.length === 0 || codes.length >= page.paginator.total) return { codes, serverURL: page.serverURL }
  }
}

const anyOfThem: Filter = { search: '', state: '', kind: '' }

export function CodeList() {
  const [filter, setFilter] = useState<Filter>(anyOfThem)
  const [start, setStart] = useState(0)
  const change = (more: Partial<Filter>) => {
    setStart(0)
    setFilter((before) => ({ ...before, ...more }))
  }
  const list = useQuery({
    queryKey: ['console codes', 'list', filter, start],
    queryFn: () => client.admin.regcodesList({ ...queryOf(filter), start, limit: pageSize }),
  })
  const save = () =>
    attempt(async () => {
      const { codes } = await everyCode(filter)
      csvFile('codes.csv', [
        [c('codes.code'), c('codes.kind'), c('codes.user'), c('codes.since')],
        ...codes.map(({ regCode, isForDiscordUser, discordUsername, user, createdAt }) => [
          regCode,
          c(isForDiscordUser ? 'codes.ofChat' : 'codes.ofPeople'),
          user?.username ?? discordUsername ?? '',
          createdAt,
        ]),
      ])
    })
  return (
    <Section title={c('codes.list')}>
      <div class="no-print">
        <SearchField label={c('codes.search')} change={(text) => change({ search: text })} start={filter.search} />
        <div class="pair">
          <Choice
            label={c('codes.state')}
            value={filter.state}
            change={(state) => change({ state })}
            options={[
              ['', c('codes.any')],
              ['free', c('codesFree')],
              ['used', c('codesUsed')],
            ]}
          />
          <Choice
            label={c('codes.kind')}
            value={filter.kind}
            change={(kind) => change({ kind })}
            options={[
              ['', c('codes.any')],
              ['people', c('codes.ofPeople')],
              ['discord', c('codes.ofChat')],
            ]}
          />
        </div>
        <Answer of={list}>
          {({ codes, paginator }) =>
            codes.length === 0 ? (
              <Empty title={c('codes.none')} />
            ) : (
              <>
                <ul class="card">
                  {codes.map((code) => (
                    <Code key={code.regCode} code={code} />
                  ))}
                </ul>
                <Pager start={start} size={pageSize} total={paginator.total} change={setStart} />
                <button type="button" class="btn quiet" onClick={() => void save()}>
                  {c('codes.file', { n: paginator.total })}
                </button>
              </>
            )
          }
        </Answer>
      </div>
    </Section>
  )
}

function Code({ code: { regCode, isForDiscordUser, discordUsername, user, createdAt } }: { code: ListedCodeData }) {
  return (
    <li class="group">
      <span class="grow">
        <code>{spaced(regCode)}</code>
        {isForDiscordUser && <span class="tag">{c('codes.ofChat')}</span>}
        <br />
        <small>{c('codes.added', { time: when(createdAt) })}</small>
      </span>
      {user ? (
        <Link href={`/admin/users/${user.userID}`}>{nameOf(user)}</Link>
      ) : (
        <small>{discordUsername ? c('codes.given', { name: discordUsername }) : c('codesFree')}</small>
      )}
    </li>
  )
}

/** Where phones find the server: as configured, or as this page was found where nothing but this machine is configured. */
const addressOf = (serverURL: string): string =>
  /^(localhost|127\.|\[::1\])/.test(new URL(serverURL).hostname) ? location.origin : serverURL

/** Cards for these codes, or for all that are free. */
export function Cards({ made }: { made: Printed | undefined }) {
  const [shown, setShown] = useState<Printed>()
  const showFree = () =>
    attempt(async () => {
      const { codes, serverURL } = await everyCode({ search: '', state: 'free', kind: 'people' })
      setShown({ codes: codes.map(({ regCode }) => regCode).toSorted(), serverURL })
    })
  return (
    <Section title={c('printCards')}>
      <div class="card pad no-print">
        <p class="quiet">{c('printCardsText')}</p>
        <div class="buttons">
          {made && (
            <button type="button" class="btn quiet" onClick={() => setShown(made)}>
              {c('cards.made', { n: made.codes.length })}
            </button>
          )}
          <button type="button" class="btn quiet" onClick={() => void showFree()}>
            {c('cards.free')}
          </button>
          {shown && shown.codes.length > 0 && (
            <button type="button" class="btn" onClick={() => print()}>
              {c('cards.print', { n: shown.codes.length })}
            </button>
          )}
        </div>
      </div>
      {shown && (
        <div class="cards">
          {shown.codes.map((code) => (
            <div key={code} class="code-card">
              <QrCode text={`${addressOf(shown.serverURL)}/createAccount?code=${code}`} />
              <div>
                <small>{c('cardText', { address: addressOf(shown.serverURL).replace(/^https?:\/\//, '') })}</small>
                <b>{spaced(code)}</b>
              </div>
            </div>
          ))}
        </div>
      )}
    </Section>
  )
}
