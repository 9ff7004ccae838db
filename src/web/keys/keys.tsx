// The keyboard of a desk: through lists, to places, to search, to write. `?` shows the keys. Fields, dialogs and the console, which has
// keys of its own, keep theirs.
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { Dialog } from '../kit/dialog.tsx'
import { addTexts, t, type TextKey } from '../texts.ts'
import en from '../texts/keys.en.json'

declare module '../texts.ts' {
  interface Books {
    keys: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/keys.de.json') } })

/** After g. */
const places: Readonly<Record<string, readonly [path: string, name: TextKey]>> = {
  t: ['/', 'today'],
  f: ['/forums', 'forums'],
  s: ['/seamail', 'seamail'],
  l: ['/fez', 'groups'],
  e: ['/events', 'schedule'],
  d: ['/dayplanner', 'keys.planner'],
  m: ['/tweets', 'microblog'],
  p: ['/directory', 'people'],
  b: ['/boardgames', 'games'],
  k: ['/karaoke', 'karaoke'],
  a: ['/account', 'more'],
}

/** So long g waits for its letter. */
const waitMs = 1500

const deeds: readonly (readonly [keys: string, text: TextKey])[] = [
  ['j', 'keys.next'],
  ['k', 'keys.previous'],
  ['r', 'keys.reply'],
  ['e', 'keys.edit'],
  ['/', 'keys.search'],
  ['?', 'keys.these'],
]

const isVisible = (element: HTMLElement) => element.getClientRects().length > 0
const itemsOf = () => Array.from(document.querySelectorAll<HTMLElement>('main article, main li.row')).filter(isVisible)
const itemNow = () => document.activeElement?.closest<HTMLElement>('main article, main li.row') ?? undefined

/** The item after or before the one that has the focus; at first the one at the top of the window. */
function move(step: 1 | -1): void {
  const items = itemsOf()
  const now = itemNow()
  const first = items.findIndex((item) => item.getBoundingClientRect().bottom > 80)
  const next = items[now ? items.indexOf(now) + step : Math.max(0, first)]
  if (!next) return
  const target = next.querySelector<HTMLElement>('a[href], button') ?? next
  if (target === next) next.tabIndex = -1
  target.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

const composer = () => document.querySelector<HTMLElement>('.write textarea')

function reply(): void {
  const item = itemNow()
  const link = item?.querySelector<HTMLElement>('a.react')
  if (link) link.click()
  // The menu of a post hears of it.
  else if (item?.localName === 'article') item.dispatchEvent(new Event('reply'))
  else composer()?.focus()
}

export function Keys() {
  const [, go] = useLocation()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    let gone = 0
    const search = () => {
      const field = document.querySelector<HTMLInputElement>('main input[type=search]')
      if (field) field.focus()
      else go('/search')
    }
    const run: Readonly<Record<string, () => void>> = {
      j: () => move(1),
      k: () => move(-1),
      r: reply,
      e: () => itemNow()?.dispatchEvent(new Event('edit')),
      g: () => (gone = Date.now()),
      '/': search,
      '?': () => setOpen(true),
    }
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, isComposing } = event
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || isComposing) return
      if ((target as HTMLElement).closest('input, textarea, select, [contenteditable]') || document.querySelector('dialog[open]')) return
      const place = Date.now() - gone < waitMs ? places[key] : undefined
      gone = 0
      const deed = place ? () => go(place[0]) : run[key]
      if (!deed) return
      event.preventDefault()
      deed()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return open ? <Help close={() => setOpen(false)} /> : null
}

function Help({ close }: { close: () => void }) {
  return (
    <Dialog title={t('keys.title')} close={close}>
      <dl class="keys">
        {deeds.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
        {Object.entries(places).map(([key, [, name]]) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{t(name)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
