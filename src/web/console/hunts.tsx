// Puzzle hunts are made and changed: for the team, and for whoever has the role.
import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { HuntPuzzleData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Section } from '../kit/page.tsx'
import { fromShipTime, toShipTime } from '../kit/ship-time.ts'
import { Answer, Empty } from '../kit/states.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage } from '../team/parts.tsx'
import { c } from '../team/texts.ts'

export function HuntList() {
  const hunts = useQuery({ queryKey: ['hunts'], queryFn: () => client.hunts.list() })
  return (
    <ConsolePage
      title={c('hunts')}
      actions={
        <Link class="chip" href="/admin/hunts/new">
          {c('hunts.new')}
        </Link>
      }
    >
      <p class="quiet after-tabs">{c('hunts.text')}</p>
      <Answer of={hunts}>
        {({ hunts: all }) =>
          all.length === 0 ? (
            <Empty title={c('hunts.none')} />
          ) : (
            <ul class="card">
              {all.map(({ huntID, title }) => (
                <li key={huntID} class="row">
                  <Link class="row-text" href={`/admin/hunts/${huntID}`}>
                    <p>{title}</p>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </ConsolePage>
  )
}

interface PuzzleDraft {
  title: string
  body: string
  answer: string
  /** By the clocks aboard; empty for one that is open at once. */
  unlock: string
  /** A wrong answer, an equals sign, and what is replied. */
  hints: string
}

const emptyPuzzle: PuzzleDraft = { title: '', body: '', answer: '', unlock: '', hints: '' }

/** Lines without an equals sign are left out. */
const hintsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()] as const)
      .filter(([wrong, reply]) => wrong !== '' && reply !== ''),
  )

const linesOf = (hints: Readonly<Record<string, string>> = {}): string =>
  Object.entries(hints)
    .map(([wrong, reply]) => `${wrong} = ${reply}`)
    .join('\n')

const maxPuzzles = 200

export function NewHunt() {
  const [, go] = useLocation()
  const { values, set, error, busy, submit } = useForm({ title: '', description: '' })
  const [puzzles, setPuzzles] = useState<readonly PuzzleDraft[]>([emptyPuzzle])
  const change = (index: number, part: Partial<PuzzleDraft>) =>
    setPuzzles(puzzles.map((puzzle, place) => (place === index ? { ...puzzle, ...part } : puzzle)))
  const create = async () => {
    await once(client.hunts.create, {
      ...values,
      puzzles: puzzles.map(({ title, body, answer, unlock, hints }) => ({
        title,
        body,
        answer,
        hints: hintsOf(hints),
        ...(unlock && { unlockTime: fromShipTime(unlock) }),
      })),
    })
    toast(c('saved'))
    refresh('hunts')
    go('/admin/hunts', { replace: true })
  }
  return (
    <ConsolePage title={c('hunts.new')} back="/admin/hunts">
      <form class="after-tabs" onSubmit={submit(create)}>
        <div class="card pad">
          <HuntFields
            title={values.title}
            description={values.description}
            setTitle={set('title')}
            setDescription={set('description')}
            error={error}
          />
        </div>
        {puzzles.map((puzzle, index) => (
          <fieldset key={index} class="card pad plain-set">
            <legend class="headline">{c('hunts.puzzle', { number: index + 1 })}</legend>
            <PuzzleFields puzzle={puzzle} change={(part) => change(index, part)} error={undefined} />
            {puzzles.length > 1 && (
              <button type="button" class="btn quiet" onClick={() => setPuzzles(puzzles.filter((_, place) => place !== index))}>
                {c('hunts.drop')}
              </button>
            )}
          </fieldset>
        ))}
        <FormError error={error} fields={['title', 'description']} />
        <p class="quiet">{c('hunts.whole')}</p>
        <div class="buttons">
          {puzzles.length < maxPuzzles && (
            <button type="button" class="btn quiet" onClick={() => setPuzzles([...puzzles, emptyPuzzle])}>
              {c('hunts.add')}
            </button>
          )}
          <button type="submit" class="btn" disabled={busy}>
            {c('hunts.create')}
          </button>
        </div>
      </form>
    </ConsolePage>
  )
}

interface HuntFieldsProps {
  title: string
  description: string
  setTitle: (title: string) => void
  setDescription: (description: string) => void
  error: unknown
}

function HuntFields({ title, description, setTitle, setDescription, error }: HuntFieldsProps) {
  return (
    <>
      <Field
        label={c('hunts.title')}
        value={title}
        change={setTitle}
        error={errorOf(error, 'title')}
        input={{ required: true, maxLength: 200 }}
      />
      <Field
        label={c('hunts.description')}
        value={description}
        change={setDescription}
        error={errorOf(error, 'description')}
        rows={4}
        input={{ maxLength: 50_000 }}
      />
    </>
  )
}

interface PuzzleFieldsProps {
  puzzle: PuzzleDraft
  change: (part: Partial<PuzzleDraft>) => void
  error: unknown
}

function PuzzleFields({ puzzle: { title, body, answer, unlock, hints }, change, error }: PuzzleFieldsProps) {
  return (
    <>
      <Field
        label={c('hunts.puzzleTitle')}
        value={title}
        change={(text) => change({ title: text })}
        error={errorOf(error, 'title')}
        input={{ required: true, maxLength: 200 }}
      />
      <Field
        label={c('hunts.body')}
        value={body}
        change={(text) => change({ body: text })}
        error={errorOf(error, 'body')}
        rows={5}
        input={{ maxLength: 50_000 }}
      />
      <Field
        label={c('hunts.answer')}
        value={answer}
        change={(text) => change({ answer: text })}
        hint={c('hunts.answerHint')}
        error={errorOf(error, 'answer')}
        input={{ required: true, maxLength: 200, autoComplete: 'off' }}
      />
      <Field
        label={c('hunts.unlock')}
        value={unlock}
        change={(text) => change({ unlock: text })}
        hint={c('hunts.unlockHint')}
        error={errorOf(error, 'unlockTime')}
        input={{ type: 'datetime-local' }}
      />
      <Field
        label={c('hunts.hints')}
        value={hints}
        change={(text) => change({ hints: text })}
        hint={c('hunts.hintsHint')}
        error={errorOf(error, 'hints')}
        rows={3}
      />
    </>
  )
}

export function EditHunt({ id }: { id: string }) {
  const hunt = useQuery({ queryKey: ['hunts', 'team', id], queryFn: () => client.hunts.admin({ hunt_id: id }), staleTime: 0 })
  return (
    <ConsolePage title={hunt.data?.title ?? c('hunts')} back="/admin/hunts">
      <Answer of={hunt}>
        {({ title, description, puzzles }) => (
          <div class="after-tabs">
            <HuntForm id={id} title={title} description={description} />
            <Section title={c('hunts.puzzles')}>
              {puzzles.map((puzzle) => (
                <PuzzleForm key={puzzle.puzzleID} puzzle={puzzle} />
              ))}
            </Section>
            <RemoveHunt id={id} title={title} />
          </div>
        )}
      </Answer>
    </ConsolePage>
  )
}

function HuntForm({ id, ...known }: { id: string; title: string; description: string }) {
  const { values, set, error, busy, submit, clear } = useForm(known)
  const save = async () => {
    await client.hunts.setGet({ hunt_id: id, ...values })
    toast(c('saved'))
    refresh('hunts')
    clear()
  }
  return (
    <form class="card pad" onSubmit={submit(save)}>
      <HuntFields {...values} setTitle={set('title')} setDescription={set('description')} error={error} />
      <FormError error={error} fields={['title', 'description']} />
      <button type="submit" class="btn" disabled={busy}>
        {c('save')}
      </button>
    </form>
  )
}

function PuzzleForm({ puzzle }: { puzzle: HuntPuzzleData }) {
  const { puzzleID: puzzle_id, title, body, answer = '', unlockTime, hints } = puzzle
  const known: PuzzleDraft = { title, body, answer, unlock: unlockTime ? toShipTime(unlockTime) : '', hints: linesOf(hints) }
  const { values, set, error, busy, submit, clear } = useForm(known)
  const save = async () => {
    await client.hunts.setPuzzles({
      puzzle_id,
      title: values.title,
      body: values.body,
      answer: values.answer,
      hints: hintsOf(values.hints),
      unlockTime: values.unlock ? fromShipTime(values.unlock) : null,
    })
    toast(c('saved'))
    refresh('hunts', 'puzzle')
    clear()
  }
  const change = (part: Partial<PuzzleDraft>) => {
    for (const [name, value] of Object.entries(part)) set(name as keyof PuzzleDraft)(value)
  }
  return (
    <form class="card pad" onSubmit={submit(save)}>
      <PuzzleFields puzzle={values} change={change} error={error} />
      <FormError error={error} fields={['title', 'body', 'answer', 'unlockTime', 'hints']} />
      <button type="submit" class="btn quiet" disabled={busy}>
        {c('hunts.savePuzzle')}
      </button>
    </form>
  )
}

function RemoveHunt({ id, title }: { id: string; title: string }) {
  const [asking, setAsking] = useState(false)
  const [, go] = useLocation()
  const remove = () =>
    attempt(async () => {
      await client.hunts.remove({ hunt_id: id })
      go('/admin/hunts', { replace: true })
      // Once the page of what is gone asks no more.
      setTimeout(() => refresh('hunts'))
    })
  return (
    <p class="buttons">
      <button type="button" class="btn grave" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        {c('hunts.remove')} …
      </button>
      {asking && (
        <Dialog title={c('hunts.askRemove', { title })} close={() => setAsking(false)}>
          <p>{c('hunts.askRemoveText')}</p>
          <div class="buttons">
            <button type="button" class="btn quiet" onClick={() => setAsking(false)}>
              {c('cancel')}
            </button>
            <button type="button" class="btn grave" onClick={() => void remove()}>
              {c('hunts.remove')}
            </button>
          </div>
        </Dialog>
      )}
    </p>
  )
}
