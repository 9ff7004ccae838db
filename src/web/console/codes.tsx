// Registration codes: how many there are, new ones, cards to print, and the desk where people are helped.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { CodesDifferenceData, RegistrationCodeUserData, UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { PeoplePicker } from '../users/picker.tsx'
import { locale } from '../texts.ts'
import { ConsolePage, Decide, FileField } from '../team/parts.tsx'
import { mayDo } from '../team/rights.ts'
import { c } from '../team/texts.ts'
import { Cards, CodeList, MakeCodes, type Printed } from './code-list.tsx'

export function Codes() {
  const [made, setMade] = useState<Printed>()
  const stats = useQuery({ queryKey: ['console codes'], queryFn: () => client.admin.regcodesStats() })
  return (
    <ConsolePage title={c('codes')}>
      <Answer of={stats} rows={1}>
        {({ allocatedCodes, usedCodes, unusedCodes, allocatedDiscordCodes, usedDiscordCodes }) => (
          <dl class="tiles after-tabs no-print">
            {(
              [
                [c('codesAll'), allocatedCodes + allocatedDiscordCodes, allocatedDiscordCodes],
                [c('codesUsed'), usedCodes + usedDiscordCodes, usedDiscordCodes],
                [c('codesFree'), unusedCodes + allocatedDiscordCodes - usedDiscordCodes, allocatedDiscordCodes - usedDiscordCodes],
              ] as const
            ).map(([label, value, ofChat]) => (
              <div key={label} class="card pad tile">
                <dt>{label}</dt>
                <dd>{new Intl.NumberFormat(locale()).format(value)}</dd>
                {allocatedDiscordCodes > 0 && <dd class="quiet">{c('codes.someOfChat', { n: ofChat })}</dd>}
              </div>
            ))}
          </dl>
        )}
      </Answer>
      {mayDo('admin') && <MakeCodes made={setMade} />}
      {mayDo('admin') && <Cards made={made} />}
      {mayDo('admin') && <CodeList />}
      {mayDo('admin') && <Upload />}
      {mayDo('admin') && <Remove free={stats.data?.unusedCodes ?? 0} />}
      <Whose />
    </ConsolePage>
  )
}

function Upload() {
  const [text, setText] = useState('')
  const [difference, setDifference] = useState<CodesDifferenceData>()
  const [error, setError] = useState<unknown>()
  const look = async (codes: string) => {
    setError(undefined)
    setText(codes)
    try {
      setDifference(await client.admin.regcodesVerify({ codes }))
    } catch (refused) {
      setDifference(undefined)
      setError(refused)
    }
  }
  const add = () =>
    attempt(async () => {
      const { newCodes } = await client.admin.regcodesUpload({ codes: text })
      toast(c('codesAdded', { n: newCodes }))
      setDifference(undefined)
      refresh('console codes', 'console checks')
    })
  return (
    <Section title={c('uploadCodes')}>
      <div class="card pad no-print">
        <FileField label={c('uploadCodes')} hint={c('uploadCodesHint')} accept=".txt,.csv,text/plain" choose={look} />
        <FormError error={error} fields={[]} />
        {difference && (
          <div role="status">
            <p>{c('codesDiff', { new: difference.newCodes, known: difference.knownCodes })}</p>
            {difference.wrongCount > 0 && (
              <p class="wrong">{c('codesWrong', { n: difference.wrongCount, lines: difference.wrongLines.join(', ') })}</p>
            )}
            {difference.wrongCount === 0 && difference.newCodes > 0 && (
              <button type="button" class="btn" onClick={() => void add()}>
                {c('addCodes')}
              </button>
            )}
          </div>
        )}
      </div>
    </Section>
  )
}

/** Codes that nobody has used: those of a list, or all. */
function Remove({ free }: { free: number }) {
  const [typed, setTyped] = useState('')
  const [asking, setAsking] = useState<'these' | 'all'>()
  const [error, setError] = useState<unknown>()
  const remove = async () => {
    setError(undefined)
    const codes = typed
      .trim()
      .split(/[\s,;]+/)
      .join('\n')
    try {
      const { deleted, used, unknown } = await client.admin.regcodesDelete(asking === 'all' ? { allUnused: true } : { codes })
      toast(c('codesDeleted', { n: deleted, used, unknown }))
      setTyped('')
      refresh('console codes', 'console checks')
    } catch (refused) {
      setError(refused)
    }
    setAsking(undefined)
  }
  return (
    <Section title={c('deleteCodes')}>
      <form
        class="card pad no-print"
        onSubmit={(event) => {
          event.preventDefault()
          setAsking('these')
        }}
      >
        <p class="quiet">{c('deleteCodesText')}</p>
        <Field label={c('codesToDelete')} value={typed} change={setTyped} rows={2} input={{ maxLength: 20_000, autoComplete: 'off' }} />
        <FormError error={error} fields={[]} />
        <div class="buttons">
          <button type="submit" class="btn quiet" disabled={typed.trim() === ''}>
            {c('deleteTheseCodes')} …
          </button>
          <button type="button" class="btn quiet" disabled={free === 0} aria-haspopup="dialog" onClick={() => setAsking('all')}>
            {c('deleteFreeCodes', { n: free })} …
          </button>
        </div>
        {asking && (
          <Dialog title={c('deleteCodes')} close={() => setAsking(undefined)}>
            <p>{asking === 'all' ? c('deleteFreeCodesAsk', { n: free }) : c('deleteTheseCodesAsk')}</p>
            <Decide label={c('delete')} grave act={() => void remove()} cancel={() => setAsking(undefined)} />
          </Dialog>
        )}
      </form>
    </Section>
  )
}

/** From a code to its person. */
function Whose() {
  const [typed, setTyped] = useState('')
  const [users, setUsers] = useState<readonly UserHeader[]>()
  const [error, setError] = useState<unknown>()
  const find = async (event: Event) => {
    event.preventDefault()
    setError(undefined)
    setUsers(undefined)
    try {
      setUsers(await client.admin.regcodesFind({ search_string: typed }))
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <form class="card pad after-tabs no-print" onSubmit={(event) => void find(event)}>
      <Field label={c('whoseCode')} value={typed} change={setTyped} input={{ maxLength: 20, autoComplete: 'off' }} />
      <button type="submit" class="btn quiet">
        {c('find')}
      </button>
      <FormError error={error} fields={[]} />
      <div role="status">
        {users?.length === 0 && <p class="quiet">{c('codeIsFree')}</p>}
        {users?.map((user) => (
          <Person key={user.userID} user={user} />
        ))}
      </div>
    </form>
  )
}

function Person({ user }: { user: UserHeader }) {
  return (
    <Link href={`/admin/users/${user.userID}`} class="group">
      <Face user={user} />
      <span class="grow">
        <b>{nameOf(user)}</b>
        <small>@{user.username}</small>
      </span>
    </Link>
  )
}

/** For those who stand at the desk on embarkation day. */
export function Desk() {
  return (
    <ConsolePage title={c('desk')}>
      <p class="quiet after-tabs">{c('deskText')}</p>
      {mayDo('serviceteam') ? (
        <>
          <Whose />
          <TheirCode />
        </>
      ) : (
        <>
          <ForgottenName />
          <UnlockCode />
        </>
      )}
    </ConsolePage>
  )
}

/** For account managers: they learn the name, and nothing else about the person. */
function ForgottenName() {
  const [registrationCode, setCode] = useState('')
  const [username, setUsername] = useState<string>()
  const [error, setError] = useState<unknown>()
  const find = async (event: Event) => {
    event.preventDefault()
    setError(undefined)
    setUsername(undefined)
    try {
      setUsername((await client.auth.username({ registrationCode })).username)
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <form class="card pad after-tabs" onSubmit={(event) => void find(event)}>
      <h2>{c('forgottenName')}</h2>
      <Field
        label={c('whoseCode')}
        value={registrationCode}
        change={setCode}
        error={errorOf(error, 'registrationCode')}
        input={{ maxLength: 20, autoComplete: 'off' }}
      />
      <button type="submit" class="btn quiet">
        {c('find')}
      </button>
      <FormError error={error} fields={['registrationCode']} />
      {username && (
        <p class="recovery" role="status">
          @{username}
        </p>
      )}
    </form>
  )
}

/** For account managers: the code works once more, and stays unseen. */
function UnlockCode() {
  const [chosen, setChosen] = useState<UserHeader>()
  const unlock = () =>
    attempt(async () => {
      await client.admin.regcodesUnlock({ userID: chosen?.userID ?? '' })
      toast(c('codeUnlocked'))
      setChosen(undefined)
    })
  return (
    <div class="card pad after-tabs">
      <h2>{c('lostRecovery')}</h2>
      <p class="quiet">{c('lostRecoveryText')}</p>
      <PeoplePicker label={c('findPeople')} chosen={[]} choose={setChosen} />
      {chosen && (
        <div role="status">
          <div class="author">
            <Face user={chosen} />
            <span>
              <b>{nameOf(chosen)}</b>
              <small>@{chosen.username}</small>
            </span>
          </div>
          <button type="button" class="btn" onClick={() => void unlock()}>
            {c('unlockCode')}
          </button>
        </div>
      )}
    </div>
  )
}

function TheirCode() {
  const [found, setFound] = useState<RegistrationCodeUserData>()
  const [chosen, setChosen] = useState<UserHeader>()
  const choose = (user: UserHeader) =>
    attempt(async () => {
      setFound(undefined)
      setFound(await client.admin.regcodesFindbyuser({ user_id: user.userID }))
      setChosen(user)
    })
  const unlock = () =>
    attempt(async () => {
      await client.admin.regcodesUnlock({ userID: chosen?.userID ?? '' })
      toast(c('codeUnlocked'))
    })
  return (
    <div class="card pad after-tabs">
      <h2>{c('theirCode')}</h2>
      <PeoplePicker label={c('findPeople')} chosen={[]} choose={(user) => void choose(user)} />
      {found && (
        <div role="status">
          {found.users.map((user) => (
            <Person key={user.userID} user={user} />
          ))}
          <p class="recovery">{found.regCode || c('noCode')}</p>
          {found.regCode && (
            <button type="button" class="btn quiet" onClick={() => void unlock()}>
              {c('unlockCode')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
