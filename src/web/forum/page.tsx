// The lists of forums: by category, by what the viewer has to do with them, and found by words. The address holds what is
// looked for, so that the way back from a forum leads there.
import { useState } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import { SideList } from '../kit/beside.tsx'
import { ForumsIcon } from '../kit/icon.tsx'
import { FilterIcon, PlusIcon } from '../kit/page-icon.tsx'
import { Choice } from '../kit/choice.tsx'
import { Page } from '../kit/page.tsx'
import { Row } from '../kit/row.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { mayWrite } from '../session.ts'
import { t, type TextKey } from '../texts.ts'
import { ForumPages, PostPages } from './parts.tsx'
import { forumLists, sorts, useCategories, useCategory, useForumList, usePostSearch, type ForumList, type Sort } from './query.ts'
import { NewForum } from './new.tsx'
import { Filters, Found, isSearch, useFilter } from './search.tsx'
import { useKept } from '../place.ts'

const views = ['categories', ...forumLists, 'mentions', 'bookmarks'] as const
type View = (typeof views)[number]

export function Forums() {
  const [params, setParams] = useSearchParams()
  const [filter, setFilter] = useFilter()
  const [open, setOpen] = useState(filter.kind !== 'titles' || isSearch({ ...filter, words: '' }))
  const view = params.has('mentions') ? 'mentions' : (views.find((each) => params.get('list') === each) ?? 'categories')
  return (
    <Page
      title={t('forums')}
      actions={
        <button type="button" class="chip" aria-pressed={open} onClick={() => setOpen(!open)}>
          <FilterIcon size={16} /> {t('filters')}
        </button>
      }
    >
      <SearchField label={t('searchForums')} start={filter.words} change={(words) => setFilter({ words })} />
      {open && <Filters filter={filter} change={setFilter} />}
      {isSearch(filter) ? (
        <Found filter={filter} />
      ) : (
        <>
          <Tabs
            label={t('lists')}
            value={view}
            options={views.map((each) => [each, t(`forums.${each}` as TextKey)])}
            change={(list) => setParams(list === 'categories' ? {} : { list }, { replace: true })}
          />
          <div class="after-tabs">
            <List view={view} />
          </div>
        </>
      )}
    </Page>
  )
}

function List({ view }: { view: View }) {
  switch (view) {
    case 'categories':
      return <Categories />
    case 'mentions':
      return <Posts key={view} filter={{ mentionself: true }} none="noMentions" />
    case 'bookmarks':
      return <Posts key={view} filter={{ bookmarked: true }} none="noBookmarks" />
    default:
      return <Listed key={view} which={view} />
  }
}

function Posts({ filter, none }: { filter: { mentionself?: true; bookmarked?: true }; none: TextKey }) {
  return <PostPages of={usePostSearch(filter)} none={t(none)} />
}

function Listed({ which }: { which: ForumList }) {
  return <ForumPages of={useForumList(which)} unread={which === 'favorites'} />
}

function Categories() {
  return (
    <Answer of={useCategories()} rows={8}>
      {(categories) => (
        <ul class="card">
          {categories.map(({ categoryID, title, purpose, numThreads }) => (
            <Row
              key={categoryID}
              href={`/forums/${categoryID}`}
              lead={
                <span class="face plain">
                  <ForumsIcon size={20} />
                </span>
              }
              title={title}
              sub={purpose}
              tail={<small>{numThreads}</small>}
            />
          ))}
        </ul>
      )}
    </Answer>
  )
}

const sortTexts: Record<Sort, TextKey> = { unread: 'sortUnread', update: 'sortUpdate', create: 'sortCreate', title: 'sortTitle' }

export function Category({ id }: { id: string }) {
  const [sort, setSort] = useKept<Sort>('sort', 'unread')
  const [writing, setWriting] = useState(false)
  const [, go] = useLocation()
  const forums = useCategory(id, sort)
  const category = forums.data?.pages[0]
  return (
    <Page
      title={category?.title ?? t('forums')}
      sub={category?.purpose}
      back="/forums"
      actions={
        mayWrite.value &&
        category?.isRestricted === false && (
          <button type="button" class="round plain" aria-label={t('newForum')} aria-haspopup="dialog" onClick={() => setWriting(true)}>
            <PlusIcon />
          </button>
        )
      }
    >
      <div class="sort">
        <Choice label={t('sort')} value={sort} change={setSort} options={sorts.map((each) => [each, t(sortTexts[each])])} />
      </div>
      <ForumPages of={forums} unread={sort === 'unread'} />
      {writing && <NewForum categoryID={id} close={() => setWriting(false)} done={(forumID) => go(`/forum/${forumID}`)} />}
    </Page>
  )
}

/** The forums of a category beside one of them, those with the newest posts first: the one that is read stays where it is. */
export function CategoryBeside({ id }: { id: string }) {
  const forums = useCategory(id, 'update')
  return (
    <SideList title={forums.data?.pages[0]?.title ?? t('forums')} href={`/forums/${id}`}>
      <ForumPages of={forums} />
    </SideList>
  )
}
