// Texts for everybody that the host may replace, each with how it will look.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { PublicTextData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Markdown } from '../help/markdown.tsx'
import { nameOf } from '../kit/face.tsx'
import { Field, FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { useForm } from '../kit/form.ts'
import { OpenIcon } from '../kit/page-icon.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { queries, refresh, useQuery } from '../store.ts'
import { ConsolePage, Others } from '../team/parts.tsx'
import { Everybody } from '../team/reach.tsx'
import { mayDo } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'

const textsKey = ['console texts']
const useTexts = () => useQuery({ queryKey: textsKey, queryFn: () => client.admin.texts() })

const titleOf = ({ name }: Pick<PublicTextData, 'name'>) => c(`text.${name.replace('.md', '')}` as ConsoleText)

/** Whose text it is. */
function originOf({ isOwn, changedAt, changedBy }: PublicTextData): string {
  if (!isOwn || !changedAt) return c('deliveredText')
  const time = `${fullDay(changedAt)}, ${clock(changedAt)}`
  return changedBy ? c('changedBy', { name: nameOf(changedBy), time }) : c('changedOn', { time })
}

export function PublicTexts() {
  const texts = useTexts()
  return (
    <ConsolePage title={c('texts')}>
      <p class="quiet after-tabs">{c('textsHint')}</p>
      <Answer of={texts}>
        {(all) => (
          <ul class="card">
            {all.map((text) => (
              <li key={text.name} class="line-item">
                <Link href={`/admin/texts/${text.name}`}>
                  <span>
                    {titleOf(text)}
                    <small>{originOf(text)}</small>
                  </span>
                  {text.isOwn && <span class="tag">{c('ownText')}</span>}
                  <OpenIcon size={18} />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </ConsolePage>
  )
}

export function PublicText({ name }: { name: string }) {
  const texts = useTexts()
  return (
    <Answer of={texts}>
      {(all) => {
        const text = all.find((each) => each.name === name)
        if (!text)
          return (
            <ConsolePage title={c('texts')} back="/admin/texts">
              <Empty title={c('noSuchText')} />
            </ConsolePage>
          )
        return <Editor key={name} text={text} />
      }}
    </Answer>
  )
}

function Editor({ text }: { text: PublicTextData }) {
  const { name, content, delivered, isOwn, changedAt } = text
  const form = useForm({ draft: content }, changedAt ?? null)
  const { values, set, error, busy, submit, clear, basedOn, isLate } = form
  const { draft } = values
  const [shown, setShown] = useState<'write' | 'look'>('write')
  const mayChange = mayDo('tho')
  const title = titleOf(text)
  /** What came of it is on the screen, also when somebody else was faster. */
  const watched = async (work: () => Promise<PublicTextData>) => {
    try {
      return await work()
    } finally {
      refresh('help')
      await queries.invalidateQueries({ queryKey: textsKey })
    }
  }
  const write = (words: string, seen: string | null | undefined) =>
    watched(() => client.admin.setTexts({ text_name: name, content: words, ...(seen !== undefined && { basedOn: seen }) }))
  const remove = (seen: string | undefined) => watched(() => client.admin.removeTexts({ text_name: name, ...(seen && { basedOn: seen }) }))
  const restore = (now: PublicTextData) => (isOwn ? write(content, now.changedAt ?? null) : remove(now.changedAt))
  const save = async () => {
    const done = await forAll({
      title: c('askText', { name: title }),
      Whom: Everybody,
      label: c('save'),
      run: () => write(draft, basedOn),
      said: c('saved'),
      undo: restore,
    })
    if (done) clear()
  }
  const reset = () =>
    attempt(async () => {
      const done = await forAll({
        title: c('resetText'),
        Whom: Everybody,
        text: (
          <>
            <p>{c('resetTextHint')}</p>
            <div class="card pad text preview">
              <Markdown text={delivered} />
            </div>
          </>
        ),
        label: c('resetText'),
        grave: true,
        run: () => remove(changedAt),
        said: c('saved'),
        undo: restore,
      })
      if (done) clear()
    })
  return (
    <ConsolePage title={title} back="/admin/texts">
      <div class="only-narrow">
        <Tabs
          label={titleOf(text)}
          value={shown}
          options={[
            ['write', c(mayChange ? 'writing' : 'markdown')],
            ['look', c('preview')],
          ]}
          change={setShown}
        />
      </div>
      <div class={`writing ${shown === 'write' ? 'of-words' : 'of-look'}`}>
        <form class="card pad" onSubmit={submit(save)}>
          <Field
            label={c('markdown')}
            value={draft}
            change={set('draft')}
            rows={22}
            hint={originOf(text)}
            input={{ maxLength: 100_000, ...(!mayChange && { readOnly: true }) }}
          />
          <Others by={text.changedBy} at={changedAt} form={form}>
            <div class="card pad text preview">
              <Markdown text={content} />
            </div>
          </Others>
          <FormError error={isLate ? undefined : error} fields={[]} />
          {mayChange && (
            <div class="buttons">
              {isOwn && (
                <button type="button" class="btn quiet" onClick={() => void reset()}>
                  {c('resetText')} …
                </button>
              )}
              <button type="submit" class="btn" disabled={busy || isLate || draft === content || draft.trim() === ''}>
                {c('save')}
              </button>
            </div>
          )}
        </form>
        <article class="card pad text preview" aria-label={c('preview')}>
          <Markdown text={draft} />
        </article>
      </div>
    </ConsolePage>
  )
}
