// One field for everything: people, chats, the schedule, forums, the microblog, performers, games, songs.
import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { isRefusal, online } from '../client.ts'
import { delMany, getMany, setMany } from '../device.ts'
import { useOffFeatures } from '../switches/gate.tsx'
import { Page, Section } from '../kit/page.tsx'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Empty, Loading } from '../kit/states.tsx'
import { me } from '../session.ts'
import { addTexts, t } from '../texts.ts'
import en from '../texts/search.en.json'
import { having, keptThings, type Kept } from './kept.ts'
import { kinds, shownOfKind } from './kinds.tsx'

declare module '../texts.ts' {
  interface Books {
    search: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/search.de.json') } })

type KindName = keyof typeof kinds
const names = Object.keys(kinds) as KindName[]

const shortest = 2
/** Nothing moves while answers come within this time. */
const togetherMs = 800
const maxRecent = 8

/** Items by kind; a kind that the server has refused has none. */
interface Found {
  words: string
  items: Partial<Record<KindName, readonly unknown[]>>
  /** True once all kinds are there. */
  isWhole: boolean
  /** Something could only be looked for on this device. */
  isKept: boolean
}

/** What was found last: whoever comes back sees it at once. */
let last: Found | undefined

export function Search() {
  const [words, setWords] = useSearchWords()
  const [recent, note] = useRecent()
  return (
    <Page title={t('search')} back="/">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          note(words)
        }}
      >
        <SearchField label={t('search.field')} start={words} change={setWords} focus />
      </form>
      {words.length < shortest ? (
        <Recent recent={recent} search={setWords} clear={() => note()} />
      ) : (
        // What was followed from here was worth it.
        <div onClickCapture={() => note(words)}>
          <Results words={words} />
        </div>
      )}
    </Page>
  )
}

function Results({ words }: { words: string }) {
  const found = useFound(words)
  if (!found) return <Loading rows={6} />
  const parts = names.filter((name) => (found.items[name]?.length ?? 0) > 0)
  return (
    <>
      {found.isKept && (
        <p class="card pad notice after-tabs" role="status">
          {t('search.kept')}
        </p>
      )}
      {parts.map((name) => {
        const { title, row, all } = kinds[name]
        const items = found.items[name] ?? []
        return (
          <Section key={name} title={t(title)}>
            <ul class="card">{items.slice(0, shownOfKind).map((item) => row(item))}</ul>
            {items.length > shownOfKind && (
              <p class="links">
                <Link class="btn quiet" href={all(words)}>
                  {t('search.all', { kind: t(title) })}
                </Link>
              </p>
            )}
          </Section>
        )
      })}
      {!found.isWhole && <Loading rows={1} />}
      {found.isWhole && parts.length === 0 && <Empty title={t('nothingFound')}>{t('search.nothing')}</Empty>}
    </>
  )
}

/** Asks for all kinds at once; undefined until enough of it is there. */
function useFound(words: string): Found | undefined {
  const [found, show] = useState(last?.words === words ? last : undefined)
  const off = useOffFeatures()
  const wanted = names.filter((name) => !off(kinds[name].feature))
  useEffect(() => {
    const stop = new AbortController()
    const next: Found = { words, items: {}, isWhole: false, isKept: false }
    const tell = () => {
      if (stop.signal.aborted) return
      last = { ...next, items: { ...next.items } }
      show(last)
    }
    let all: Kept | undefined
    const kept = () => {
      next.isKept = true
      return (all ??= keptThings())
    }
    const look = async (name: KindName) => {
      const { ask, kept: keptOf } = kinds[name]
      try {
        if (!online.value) throw new Error('offline')
        next.items[name] = await ask(words, { signal: stop.signal })
      } catch (error) {
        if (stop.signal.aborted || isRefusal(error)) return
        next.items[name] = keptOf(kept(), having(words))
      }
      if (isLate) tell()
    }
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (Object.keys(next.items).length > 0) tell()
    }, togetherMs)
    void Promise.all(wanted.map(look)).then(() => {
      next.isWhole = true
      tell()
    })
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [words, wanted.join()])
  // What was found for other words does not stand below these.
  return found?.words === words ? found : undefined
}

/** What was looked for on this device, the latest first; a function that adds to it, or clears it. */
function useRecent(): [readonly string[], (words?: string) => void] {
  const name = `searches ${me.value?.userID}`
  const [recent, show] = useState<readonly string[]>([])
  useEffect(() => {
    getMany<string[] | undefined>([name]).then(
      ([kept]) => kept && show(kept),
      () => undefined,
    )
  }, [])
  const note = (words?: string) => {
    const next = words === undefined ? [] : [words, ...recent.filter((each) => each !== words)].slice(0, maxRecent)
    if (words !== undefined && words.length < shortest) return
    show(next)
    void (next.length > 0 ? setMany([[name, next]]) : delMany([name])).catch(() => undefined)
  }
  return [recent, note]
}

function Recent({ recent, search, clear }: { recent: readonly string[]; search: (words: string) => void; clear: () => void }) {
  if (recent.length === 0) return <Empty title={t('search.begin')}>{t('search.hint')}</Empty>
  return (
    <Section title={t('search.recent')}>
      <ul class="card">
        {recent.map((words) => (
          <li key={words} class="row">
            <button type="button" class="row-text" onClick={() => search(words)}>
              <p>{words}</p>
            </button>
          </li>
        ))}
      </ul>
      <p class="links">
        <button type="button" class="btn quiet" onClick={clear}>
          {t('search.clear')}
        </button>
      </p>
    </Section>
  )
}
