// All that a person has written where others see it: by time, with a search; hidden or deleted together.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { WrittenData, WrittenListData } from '../../sdk/client.ts'
import { ConsolePage } from '../team/parts.tsx'
import { c, type ConsoleText } from '../team/texts.ts'
import { client } from '../client.ts'
import { useInfiniteQuery } from '../infinite.ts'
import { nameOf } from '../kit/face.tsx'
import { GrowingEnd } from '../kit/growing.tsx'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { offerUndo, useSure } from '../kit/sure.tsx'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh } from '../store.ts'
import { usePerson } from './query.ts'
import { canHide, deleteAll, isHidden, readAll, setAll, showAgain } from './written.ts'

const pageSize = 50
const kindName = (type: WrittenData['type']) => c(`kind.${type}` as ConsoleText)
const keyOf = ({ type, id }: WrittenData) => `${type} ${id}`

/** A deed that is under way: it goes on when its page is left. */
const underWay = signal<{ done: number; of: number } | undefined>(undefined)
const tell = (done: number, of: number) => (underWay.value = { done, of })

async function follow<T>(deed: Promise<T>): Promise<T> {
  try {
    return await deed
  } finally {
    underWay.value = undefined
    refresh('console written', 'console moderated', 'console queue', 'console person')
  }
}

/** Hides what can be hidden, and offers to show it again. */
export async function hideAll(items: readonly WrittenData[]): Promise<void> {
  const { done, refused } = await follow(setAll(items.filter(canHide), 'quarantined', tell))
  sayRefused(refused)
  offerUndo(c('written.hidden', { n: done.length }), done.length > 0 ? () => follow(showAgain(done, tell)) : undefined)
}

/** The same for all that a person has written. */
export const hideAllOf = async (id: string): Promise<void> => hideAll(await readAll(id, ''))

function sayRefused(refused: readonly string[]): void {
  const [first] = refused
  if (first !== undefined) toast(`${c('written.refused', { n: refused.length })} ${first}`)
}

export function Written({ id }: { id: string }) {
  const person = usePerson(id)
  const [search, setSearch] = useSearchWords()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { ask, question } = useSure()
  const written = useInfiniteQuery<WrittenListData, string>({
    queryKey: ['console written', id, search],
    queryFn: ({ pageParam }) =>
      client.mod.userWritten({ user_id: id, limit: pageSize, ...(pageParam && { before: pageParam }), ...(search && { search }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const name = person.data ? nameOf(person.data.header) : ''
  const items = written.data?.pages.flatMap((page) => page.items) ?? []
  const picked = items.filter((item) => chosen.has(keyOf(item)))
  /** What was chosen, or else everything, also what is not on the screen yet. */
  const wanted = async () => (picked.length > 0 ? picked : await readAll(id, search))
  const act = (deed: (of: readonly WrittenData[]) => Promise<unknown>) =>
    attempt(async () => {
      await deed(await wanted())
      setChosen(new Set())
    })
  const show = (of: readonly WrittenData[]) => follow(setAll(of.filter(isHidden), 'normal', tell))
  const remove = async (of: readonly WrittenData[]) => {
    const { done, refused } = await follow(deleteAll(of, tell))
    sayRefused(refused)
    toast(c('written.deleted', { n: done.length }))
  }
  const askToDelete = () =>
    void attempt(async () => {
      const of = await wanted()
      ask({
        title: c('written.askDelete', { n: of.length, name }),
        text: c('deleteContentText'),
        done: c('delete'),
        run: async () => {
          await remove(of)
          setChosen(new Set())
        },
      })
    })
  const toggle = (item: WrittenData) => {
    const next = new Set(chosen)
    if (!next.delete(keyOf(item))) next.add(keyOf(item))
    setChosen(next)
  }
  const label = (one: ConsoleText, all: ConsoleText) => (picked.length > 0 ? c(one, { n: picked.length }) : c(all))
  return (
    <ConsolePage title={c('written.title')} sub={name} back="/reports">
      <SearchField label={c('written.search')} change={setSearch} start={search} />
      <div class="deeds after-tabs" role="group" aria-label={c('written.deeds')}>
        <button type="button" class="btn" disabled={items.length === 0} onClick={() => void act(hideAll)}>
          {label('written.hide', 'written.hideAll')}
        </button>
        <button type="button" class="btn grave" aria-haspopup="dialog" disabled={items.length === 0} onClick={askToDelete}>
          {label('written.delete', 'written.deleteAll')}
        </button>
        {(picked.length > 0 ? picked : items).some(isHidden) && (
          <button type="button" class="btn quiet" onClick={() => void act(show)}>
            {label('written.show', 'written.showAll')}
          </button>
        )}
      </div>
      <UnderWay />
      <Answer of={written} rows={8}>
        {() =>
          items.length === 0 ? (
            <Empty title={c(search ? 'nothing' : 'written.none')} />
          ) : (
            <ul class="card after-tabs">
              {items.map((item) => (
                <Item key={keyOf(item)} item={item} chosen={chosen.has(keyOf(item))} toggle={() => toggle(item)} />
              ))}
            </ul>
          )
        }
      </Answer>
      <GrowingEnd of={written} label={c('more')} />
      {question}
    </ConsolePage>
  )
}

/** How far it is. */
export function UnderWay() {
  const deed = underWay.value
  if (!deed) return null
  return (
    <p role="status" class="after-tabs">
      <progress value={deed.done} max={deed.of} /> {c('written.progress', { done: deed.done, of: deed.of })}
    </p>
  )
}

function Item({ item, chosen, toggle }: { item: WrittenData; chosen: boolean; toggle: () => void }) {
  const { type, id, text, images, place, moderationStatus, createdAt, author } = item
  const words = text || kindName(type)
  return (
    <li class="row">
      <label class="pick">
        <input type="checkbox" checked={chosen} aria-label={c('written.choose', { text: words })} onChange={toggle} />
      </label>
      {images[0] && (
        <img class="thumb" src={client.image.thumb.url({ image_filename: images[0] })} alt="" width={48} height={48} loading="lazy" />
      )}
      <Link href={`/moderate/${type}/${encodeURIComponent(id)}`} class="row-text">
        <p>{words}</p>
        <small>
          {[kindName(type), place, `@${author.username}`, when(createdAt)].filter(Boolean).join(' · ')}
          {moderationStatus !== 'normal' && <b class="warn"> · {c(`state.${moderationStatus}`)}</b>}
        </small>
      </Link>
    </li>
  )
}
