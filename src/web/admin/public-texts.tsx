// Texts for everybody that the host may replace, each with how it will look.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { PublicTextData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Markdown } from '../help/markdown.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { OpenIcon } from '../kit/page-icon.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { queries, refresh, useQuery } from '../store.ts'
import { ConsolePage, Decide } from './parts.tsx'
import { mayDo } from './rights.ts'
import { c, type ConsoleText } from './texts.ts'

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
  const { values, set, error, busy, submit, clear } = useForm({ draft: content, basedOn: changedAt ?? null })
  const { draft, basedOn } = values
  const [shown, setShown] = useState<'write' | 'look'>('write')
  const [asking, setAsking] = useState(false)
  const mayChange = mayDo('tho')
  const change = (words: string) => {
    set('draft')(words)
    // It stays what these words were written upon: the server refuses them when somebody else was faster.
    set('basedOn')(basedOn)
  }
  const saved = async () => {
    toast(c('saved'))
    refresh('help')
    await queries.invalidateQueries({ queryKey: textsKey })
    clear()
  }
  const save = async () => {
    await client.admin.setTexts({ text_name: name, content: draft, basedOn })
    await saved()
  }
  const reset = () =>
    attempt(async () => {
      await client.admin.removeTexts({ text_name: name })
      await saved()
    })
  return (
    <ConsolePage title={titleOf(text)} back="/admin/texts">
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
            change={change}
            rows={22}
            hint={originOf(text)}
            input={{ maxLength: 100_000, ...(!mayChange && { readOnly: true }) }}
          />
          <FormError error={error} fields={[]} />
          {mayChange && (
            <div class="buttons">
              {isOwn && (
                <button type="button" class="btn quiet" onClick={() => setAsking(true)}>
                  {c('resetText')} …
                </button>
              )}
              <button type="submit" class="btn" disabled={busy || draft === content || draft.trim() === ''}>
                {c('save')}
              </button>
            </div>
          )}
        </form>
        <article class="card pad text preview" aria-label={c('preview')}>
          <Markdown text={draft} />
        </article>
      </div>
      {asking && (
        <Dialog title={c('resetText')} close={() => setAsking(false)}>
          <p>{c('resetTextHint')}</p>
          <div class="card pad text preview">
            <Markdown text={delivered} />
          </div>
          <Decide
            label={c('resetText')}
            grave
            act={() => {
              setAsking(false)
              void reset()
            }}
            cancel={() => setAsking(false)}
          />
        </Dialog>
      )}
    </ConsolePage>
  )
}
