// Looking for forums and for posts in them, by words and by everything else that the server can tell them apart by.
import { useSearchParams } from 'wouter-preact'
import { Choice } from '../kit/choice.tsx'
import { SearchField } from '../kit/search.tsx'
import { t, type TextKey } from '../texts.ts'
import { ForumPages, PostPages } from './parts.tsx'
import { useCategories, useForumSearch, usePostSearch, type ForumSearch, type PostSearch } from './query.ts'

const kinds = ['titles', 'words', 'posts'] as const
const ofForums = ['unread', 'favorite', 'creatorself', 'posted', 'mute'] as const
const ofPosts = ['byself', 'bookmarked', 'ownreacts', 'mentionself'] as const
type Flag = (typeof ofForums)[number] | (typeof ofPosts)[number]

/** Everything that can be looked for; empty texts are nothing. */
export interface Filter {
  /** Titles of forums, forums by words of their posts, or posts. */
  kind: (typeof kinds)[number]
  words: string
  category: string
  /** Username of whoever has started the forum. */
  by: string
  hashtag: string
  /** Username of whom the post mentions. */
  mentions: string
  flags: readonly Flag[]
}

const textFields = ['words', 'category', 'by', 'hashtag', 'mentions'] as const

/** The filter in the address of the page. */
export function useFilter(): [Filter, (change: Partial<Filter>) => void] {
  const [params, setParams] = useSearchParams()
  const change = (changes: Partial<Filter>) => {
    // As it is now: fields tell their words after a pause.
    const before = filterIn(new URLSearchParams(location.search))
    const next = { ...before, ...changes }
    if (JSON.stringify(next) !== JSON.stringify(before)) setParams(inAddress(next), { replace: true })
  }
  return [filterIn(params), change]
}

function filterIn(params: URLSearchParams): Filter {
  return {
    kind: kinds.find((each) => each === params.get('in')) ?? 'titles',
    words: params.get('words') ?? '',
    category: params.get('category') ?? '',
    by: params.get('by') ?? '',
    hashtag: params.get('hashtag') ?? '',
    mentions: params.get('mentionOf') ?? '',
    flags: [...ofForums, ...ofPosts].filter((flag) => params.has(flag)),
  }
}

function inAddress({ kind, mentions, flags, ...texts }: Filter): Record<string, string> {
  return {
    ...(kind !== 'titles' && { in: kind }),
    ...Object.fromEntries(Object.entries({ ...texts, mentionOf: mentions }).filter(([, text]) => text !== '')),
    ...Object.fromEntries(flags.map((flag) => [flag, ''])),
  }
}

/** True when there is anything to look for. */
export function isSearch(filter: Filter): boolean {
  return flagsOf(filter).length > 0 || textFields.some((field) => filter[field] !== '' && isOf(filter, field))
}

/** Some filters are only for forums, others only for posts. */
const isOf = ({ kind }: Filter, field: (typeof textFields)[number]) =>
  field === 'by' ? kind !== 'posts' : field === 'hashtag' || field === 'mentions' ? kind === 'posts' : true

const flagsOf = ({ kind, flags }: Filter) => flags.filter((flag) => (kind === 'posts' ? ofPosts : ofForums).includes(flag as never))

const flagTexts: Record<Flag, TextKey> = {
  unread: 'filter.unread',
  favorite: 'filter.favorite',
  creatorself: 'filter.own',
  posted: 'filter.posted',
  mute: 'filter.muted',
  byself: 'filter.byMe',
  bookmarked: 'filter.bookmarked',
  ownreacts: 'filter.reacted',
  mentionself: 'filter.mentionsMe',
}

export function Filters({ filter, change }: { filter: Filter; change: (change: Partial<Filter>) => void }) {
  const { data: categories = [] } = useCategories()
  const { kind, flags } = filter
  return (
    <section class="card pad filters" aria-label={t('filters')}>
      <div class="pair">
        <Choice
          label={t('searchIn')}
          value={kind}
          change={(next) => change({ kind: next })}
          options={kinds.map((each) => [each, t(`searchIn.${each}` as TextKey)])}
        />
        <Choice
          label={t('category')}
          value={filter.category}
          change={(category) => change({ category })}
          options={[['', t('everywhere')], ...categories.map(({ categoryID, title }) => [categoryID, title] as const)]}
        />
      </div>
      {kind === 'posts' ? (
        <div class="pair" key="posts">
          <SearchField label={t('filter.hashtag')} start={filter.hashtag} change={(hashtag) => change({ hashtag })} />
          <SearchField label={t('filter.mentions')} start={filter.mentions} change={(mentions) => change({ mentions })} />
        </div>
      ) : (
        <SearchField key="forums" label={t('filter.by')} start={filter.by} change={(by) => change({ by })} />
      )}
      <div class="chips" role="group" aria-label={t('filters')}>
        {(kind === 'posts' ? ofPosts : ofForums).map((flag) => (
          <button
            key={flag}
            type="button"
            class="chip"
            aria-pressed={flags.includes(flag)}
            onClick={() => change({ flags: flags.includes(flag) ? flags.filter((each) => each !== flag) : [...flags, flag] })}
          >
            {t(flagTexts[flag])}
          </button>
        ))}
      </div>
    </section>
  )
}

export function Found({ filter }: { filter: Filter }) {
  return <div class="after-tabs">{filter.kind === 'posts' ? <FoundPosts filter={filter} /> : <FoundForums filter={filter} />}</div>
}

const name = (typed: string) => typed.replace(/^@/, '')

function FoundForums({ filter }: { filter: Filter }) {
  const { kind, words, category, by } = filter
  const search: ForumSearch = {
    ...(words && { [kind === 'words' ? 'searchposts' : 'search']: words }),
    ...(category && { category: [category] }),
    ...(by && { creator: [name(by)] }),
    ...on(filter),
  }
  return <ForumPages of={useForumSearch(search)} none={t('nothingFound')} />
}

function FoundPosts({ filter }: { filter: Filter }) {
  const { words, category, hashtag, mentions } = filter
  const search: PostSearch = {
    ...(words && { search: words }),
    ...(category && { category }),
    ...(hashtag && { hashtag: hashtag.replace(/^#/, '') }),
    ...(mentions && { mentionname: name(mentions) }),
    ...on(filter),
  }
  return <PostPages of={usePostSearch(search)} none={t('nothingFound')} words={words} />
}

const on = (filter: Filter): Partial<Record<Flag, true>> => Object.fromEntries(flagsOf(filter).map((flag) => [flag, true]))
