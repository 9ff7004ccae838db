// The form of a new poll.
import { useState } from 'preact/hooks'
import { Choice } from '../kit/choice.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Field } from '../kit/field.tsx'
import { send, type PostPlace } from '../outbox.ts'
import { t } from '../texts.ts'
import { pollLetters } from './query.ts'

const most = 10
const hourMs = 60 * 60_000
/** How long a poll is open; 0 without an end. */
const lengths = { '0': 0, hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const
type Length = keyof typeof lengths

export function PollForm({ place, id, as, after, close }: PostPlace & { close: () => void }) {
  const [question, setQuestion] = useState('')
  const [choices, setChoices] = useState<readonly string[]>(['', ''])
  const [several, setSeveral] = useState(false)
  const [anonymous, setAnonymous] = useState(false)
  const [length, setLength] = useState<Length>('0')
  const written = choices.map((choice) => choice.trim()).filter((choice) => choice !== '')
  const areAlike = new Set(written.map((choice) => choice.toLowerCase())).size < written.length
  const isReady = question.trim() !== '' && written.length >= 2 && !areAlike
  const change = (index: number, text: string) => {
    const next = choices.map((choice, each) => (each === index ? text : choice))
    // There is always one more to fill in.
    setChoices(next.every((choice) => choice.trim() !== '') && next.length < most ? [...next, ''] : next)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    // It is within the form of the post.
    event.stopPropagation()
    if (!isReady) return
    const endsAt = lengths[length] > 0 ? new Date(Date.now() + lengths[length]).toISOString() : undefined
    const poll = { question: question.trim(), choices: written, several, anonymous, ...(endsAt && { endsAt }) }
    send(place, id, [poll.question, ...written.map((choice) => `▫ ${choice}`)].join('\n'), [], { after, as, kind: pollLetters, more: poll })
    close()
  }
  return (
    <Dialog title={t('poll.add')} close={close}>
      <form onSubmit={submit}>
        <Field label={t('poll.question')} value={question} change={setQuestion} rows={2} input={{ maxLength: 500 }} />
        {choices.map((choice, index) => (
          <Field
            key={index}
            label={t('poll.choice', { n: index + 1 })}
            value={choice}
            change={(text) => change(index, text)}
            input={{ maxLength: 100 }}
            error={areAlike && index === choices.length - 1 ? t('poll.alike') : undefined}
          />
        ))}
        <label class="tick">
          <input type="checkbox" checked={several} onChange={({ currentTarget }) => setSeveral(currentTarget.checked)} />
          {t('poll.severalLabel')}
        </label>
        <label class="tick">
          <input type="checkbox" checked={anonymous} onChange={({ currentTarget }) => setAnonymous(currentTarget.checked)} />
          {t('poll.anonymousLabel')}
        </label>
        <Choice<Length>
          label={t('poll.length')}
          value={length}
          options={[
            ['0', t('poll.noEnd')],
            ['hour', t('poll.hour')],
            ['day', t('poll.day')],
            ['week', t('poll.week')],
          ]}
          change={setLength}
        />
        <div class="buttons">
          <button type="button" class="btn quiet" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="btn" disabled={!isReady}>
            {t('poll.ask')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
