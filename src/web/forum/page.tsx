// The lists of forums: by category, by what the viewer has to do with them, and found by words.
import { useState } from 'preact/hooks'
import { useLocation, useSearch } from 'wouter-preact'
import { ForumsIcon } from '../kit/icon.tsx'
import { PlusIcon } from '../kit/page-icon.tsx'
import { Choice } from '../kit/field.tsx'
import { Page } from '../kit/page.tsx'
import { Row } from '../kit/row.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { nameOf } from '../kit/face.tsx'
import { mayWrite } from '../session.ts'
import { t, type TextKey } from '../texts.ts'
import { ForumRows } from './parts.tsx'
import {
  forumLists,
  useCategories,
  useCategory,
  useForumList,
  useForumMentions,
  useForumSearch,
  type ForumList,
  type Sort,
} from './query.ts'
import { NewForum } from './new.tsx'

type View = 'categories' | ForumList | 'mentions'

export function Forums() {
  const [view, setView] = useState<View>(useSearch().includes('mentions') ? 'mentions' : 'categories')
  const [search, setSearch] = useState('')
  return (
    <Page title={t('forums')}>
      <SearchField label={t('searchForums')} change={setSearch} />
      {search ? (
        <Found words={search} />
      ) : (
        <>
          <Tabs
            label={t('lists')}
            value={view}
            options={(['categories', ...forumLists, 'mentions'] as const).map((each) => [each, t(`forums.${each}` as TextKey)])}
            change={setView}
          />
          {view === 'categories' ? <Categories /> : view === 'mentions' ? <Mentions /> : <List which={view} />}
        </>
      )}
    </Page>
  )
}

function Categories() {
  return (
    <Answer of={useCategories()} rows={8}>
      {(categories) => (
        <ul class="card after-tabs">
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

function List({ which }: { which: ForumList }) {
  return (
    <div class="after-tabs">
      <Answer of={useForumList(which)}>{({ forumThreads }) => <ForumRows forums={forumThreads} />}</Answer>
    </div>
  )
}

function Found({ words }: { words: string }) {
  return <Answer of={useForumSearch(words)}>{({ forumThreads }) => <ForumRows forums={forumThreads} />}</Answer>
}

function Mentions() {
  return (
    <div class="after-tabs">
      <Answer of={useForumMentions(true)}>
        {(posts) =>
          posts.length === 0 ? (
            <Empty title={t('noMentions')} />
          ) : (
            <ul class="card">
              {posts.map(({ postID, author, text }) => (
                <Row key={postID} href={`/forum/containingpost/${postID}`} title={nameOf(author)} sub={text} />
              ))}
            </ul>
          )
        }
      </Answer>
    </div>
  )
}

export function Category({ id }: { id: string }) {
  const [sort, setSort] = useState<Sort>('update')
  const [writing, setWriting] = useState(false)
  const [, go] = useLocation()
  const category = useCategory(id, sort)
  return (
    <Page
      title={category.data?.title ?? t('forums')}
      sub={category.data?.purpose}
      back="/forums"
      actions={
        mayWrite.value &&
        category.data?.isRestricted === false && (
          <button type="button" class="round plain" aria-label={t('newForum')} onClick={() => setWriting(true)}>
            <PlusIcon />
          </button>
        )
      }
    >
      <div class="sort">
        <Choice
          label={t('sort')}
          value={sort}
          change={setSort}
          options={[
            ['update', t('sortUpdate')],
            ['create', t('sortCreate')],
            ['title', t('sortTitle')],
          ]}
        />
      </div>
      <Answer of={category}>{({ forumThreads }) => <ForumRows forums={forumThreads} />}</Answer>
      {writing && <NewForum categoryID={id} close={() => setWriting(false)} done={(forumID) => go(`/forum/${forumID}`)} />}
    </Page>
  )
}
