// For how long what is old stays, and what would go.
import { useEffect, useState } from 'preact/hooks'
import type { RetentionData, RetentionKindData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { Answer } from '../kit/states.tsx'
import { refresh, useQuery } from '../store.ts'
import { forAll } from '../team/for-all.tsx'
import { ConsolePage } from '../team/parts.tsx'
import { said } from '../team/reach.tsx'
import { c } from '../team/texts.ts'

type Kind = RetentionKindData['kind']
type Days = Record<Kind, number>

const key = 'console retention'
/** Typing a number is not a question for each of its digits. */
const askAfterMs = 400

export function Retention() {
  const retention = useQuery({ queryKey: [key], queryFn: () => client.admin.retention() })
  return (
    <ConsolePage title={c('retention')}>
      <p class="quiet after-tabs">{c('retention.text')}</p>
      <Answer of={retention}>{(known) => <Kinds known={known} />}</Answer>
    </ConsolePage>
  )
}

const daysOf = ({ kinds }: RetentionData) => Object.fromEntries(kinds.map(({ kind, days }) => [kind, days])) as Days
const sumOf = ({ kinds }: RetentionData) => kinds.reduce((sum, { old }) => sum + old, 0)

function Kinds({ known }: { known: RetentionData }) {
  const inForce = daysOf(known)
  const start = Object.fromEntries(known.kinds.map(({ kind, days }) => [kind, days === 0 ? '' : String(days)])) as Record<Kind, string>
  const { values, set, error, busy, submit, clear } = useForm(start)
  const wanted = Object.fromEntries(known.kinds.map(({ kind }) => [kind, Number(values[kind])])) as Days
  const asked = useSettled(wanted)
  const isInForce = known.kinds.every(({ kind, days }) => asked[kind] === days)
  const { data: tried, error: refusal } = useQuery({
    queryKey: [key, JSON.stringify(asked)],
    queryFn: () => client.admin.retention(asked),
    enabled: !isInForce,
  })
  const shown = isInForce ? known : tried
  const save = async () => {
    const change = async (days: Days, basedOn: Days) => {
      try {
        await client.admin.setRetention({ ...days, basedOn })
      } finally {
        refresh(key)
      }
    }
    // Counted again: the question must say how many go now.
    const n = sumOf(await client.admin.retention(wanted))
    const isDone = await forAll({
      title: c('retention.ask'),
      Whom: said(n === 0 ? c('retention.noneGoes') : c('retention.goes', { n })),
      label: c('save'),
      grave: n > 0,
      run: () => change(wanted, inForce),
      said: c('saved'),
      // What has gone by then does not come back.
      ...(n === 0 && { undo: () => change(inForce, wanted) }),
    })
    if (isDone) clear()
  }
  return (
    <form class="card pad" onSubmit={submit(save)}>
      {known.kinds.map(({ kind, leastDays }) => (
        <Field
          key={kind}
          label={c(`retention.${kind}`)}
          value={values[kind]}
          change={set(kind)}
          hint={hintOf(kind, wanted[kind], shown)}
          error={errorOf(error, kind) ?? errorOf(refusal, kind)}
          input={{ type: 'number', min: leastDays, max: 3650, inputMode: 'numeric', placeholder: c('retention.ever') }}
        />
      ))}
      <FormError error={error} fields={known.kinds.map(({ kind }) => kind)} />
      <button type="submit" class="btn" disabled={busy}>
        {c('save')}
      </button>
    </form>
  )
}

/** What a kind is, and where there is a number of days, how many of it are older. */
function hintOf(kind: Kind, days: number, shown: RetentionData | undefined): string {
  const about = c(`retention.${kind}Text`)
  if (days === 0) return about
  const old = shown?.kinds.find((each) => each.kind === kind)?.old
  if (old === undefined) return `${about} ${c('retention.counting')}`
  return `${about} ${old === 0 ? c('retention.none') : c('retention.old', { n: old })}`
}

/** What somebody has typed, once they have stopped. */
function useSettled(days: Days): Days {
  const [settled, settle] = useState(days)
  const text = JSON.stringify(days)
  useEffect(() => {
    const timer = setTimeout(() => settle(JSON.parse(text) as Days), askAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
