// Puzzle hunts: the list, one hunt with the puzzles that have unlocked, and one puzzle with the answers tried.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { HuntPuzzleCallInResultData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { isOfTeam } from '../events/crew.ts'
import { Markdown } from '../help/markdown.tsx'
import { belowMore } from '../kit/beside.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { CheckIcon, LockedIcon, OpenIcon } from '../kit/page-icon.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Row } from '../kit/row.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { fullDay, clock, when } from '../kit/time.ts'
import { mayWrite, me } from '../session.ts'
import { queries, refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'

export function Hunts() {
  const hunts = useQuery({ queryKey: ['hunts'], queryFn: () => client.hunts.list() })
  return (
    <Page
      title={t('hunts')}
      {...belowMore()}
      actions={
        (isOfTeam() || me.value?.roles.includes('huntmanager')) && (
          <Link href="/admin/hunts" class="chip">
            {t('edit')}
          </Link>
        )
      }
    >
      <Answer of={hunts}>
        {({ hunts: all }) =>
          all.length === 0 ? (
            <Empty title={t('noHunts')}>{t('noHuntsText')}</Empty>
          ) : (
            <ul class="card">
              {all.map(({ huntID, title, description }) => (
                <Row key={huntID} href={`/hunt/${huntID}`} title={title} sub={plain(description)} tail={<OpenIcon size={18} />} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Page>
  )
}

/** Markdown on one line. */
const plain = (markdown: string) => markdown.replace(/[*_`#]/g, '')

export function Hunt({ id }: { id: string }) {
  const hunt = useQuery({ queryKey: ['hunts', id], queryFn: () => client.hunts.get({ hunt_id: id }) })
  return (
    <Page title={hunt.data?.title ?? t('hunt')} back="/hunts">
      <Answer of={hunt}>
        {({ description, puzzles, nextUnlockTime }) => (
          <>
            {description && (
              <div class="card pad text">
                <Markdown text={description} />
              </div>
            )}
            <Section title={t('puzzles')}>
              {puzzles.length > 0 && (
                <ul class="card">
                  {puzzles.map(({ puzzleID, title, answer }) => (
                    <Row
                      key={puzzleID}
                      href={`/puzzle/${puzzleID}`}
                      title={title}
                      sub={answer && t('solvedWith', { answer })}
                      tail={answer ? <CheckIcon size={20} aria-label={t('solved')} /> : <OpenIcon size={18} />}
                    />
                  ))}
                </ul>
              )}
              {nextUnlockTime && (
                <p class="card pad quiet fact">
                  <LockedIcon size={18} /> {t('nextPuzzle', { time: `${fullDay(nextUnlockTime)}, ${clock(nextUnlockTime)}` })}
                </p>
              )}
            </Section>
          </>
        )}
      </Answer>
    </Page>
  )
}

export function Puzzle({ id }: { id: string }) {
  const key = ['puzzle', id]
  const puzzle = useQuery({ queryKey: key, queryFn: () => client.hunts.puzzles({ puzzle_id: id }) })
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const data = puzzle.data
  const isSolved = data?.callIns.some(({ correct }) => correct !== undefined) ?? false
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await client.hunts.puzzlesCallin({ puzzle_id: id, body: text.trim() })
      setText('')
      await queries.invalidateQueries({ queryKey: key })
      refresh('hunts')
    } catch (refused) {
      setError(refused)
    }
    setBusy(false)
  }
  return (
    <Page title={data?.title ?? t('puzzle')} sub={data?.huntTitle} back={data ? `/hunt/${data.huntID}` : '/hunts'}>
      <Answer of={puzzle}>
        {({ body, callIns }) => (
          <>
            <div class="card pad text">
              <Markdown text={body} />
            </div>
            {mayWrite.value && !isSolved && (
              <form class="card pad" onSubmit={(event) => void submit(event)}>
                <Field
                  label={t('yourAnswer')}
                  hint={t('answerHint')}
                  value={text}
                  change={setText}
                  error={errorOf(error, 'body')}
                  input={{ required: true, maxLength: 200, autocomplete: 'off' }}
                />
                <FormError error={error} fields={['body']} />
                <button type="submit" class="btn" disabled={busy || text.trim() === ''}>
                  {t('callIn')}
                </button>
              </form>
            )}
            {callIns.length > 0 && (
              <Section title={t('yourAnswers')}>
                <ul class="card">
                  {[...callIns].reverse().map((callIn) => (
                    <CallIn key={callIn.creationTime} callIn={callIn} />
                  ))}
                </ul>
              </Section>
            )}
          </>
        )}
      </Answer>
    </Page>
  )
}

function CallIn({ callIn: { creationTime, rawSubmission, correct, hint } }: { callIn: HuntPuzzleCallInResultData }) {
  return (
    <li class="row">
      <div class="row-text">
        <p>{correct ?? rawSubmission}</p>
        <small>{correct !== undefined ? t('right') : (hint ?? t('notRight'))}</small>
      </div>
      {correct !== undefined && <CheckIcon size={20} />}
      <small>
        <time dateTime={creationTime}>{when(creationTime)}</time>
      </small>
    </li>
  )
}
