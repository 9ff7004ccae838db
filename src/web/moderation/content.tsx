// One reported thing whole: what it says, what people say about it, what it was before, who wrote it, what to do.
import { useReducer, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ModeratorActData, ReportExcerptData, ReportModerationData } from '../../sdk/client.ts'
import { Decide } from '../team/parts.tsx'
import { Everybody, said } from '../team/reach.tsx'
import { c, type ConsoleText } from '../team/texts.ts'
import { client, sentenceOf } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { forAll } from '../team/for-all.tsx'
import { isLate } from '../kit/meanwhile.tsx'
import { Choice } from '../kit/choice.tsx'
import { Pictures } from '../kit/picture.tsx'
import { Answer } from '../kit/states.tsx'
import { duration } from '../kit/duration.ts'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { Words } from '../kit/words.tsx'
import { me } from '../session.ts'
import { queries, refresh } from '../store.ts'
import { wordsChanged } from '../team/diff.ts'
import { useCategories } from '../forum/query.ts'
import { PersonCard } from './person.tsx'
import { isUnchanged, useModerated, type Kind, type Moderated, type Settable } from './query.ts'

const settable: readonly Settable[] = ['normal', 'reviewed', 'quarantined', 'locked']
const keyOf: Record<Settable, string> = { normal: 'n', reviewed: 'r', quarantined: 'q', locked: 'l' }
const stateOf = { normal: 'normal', reviewed: 'modReviewed', quarantined: 'quarantined', locked: 'locked' } as const

const changed = () => refresh('console moderated', 'console queue', 'numbers', 'console person')

/**
 * Acts upon what is shown. When another moderator was faster nothing is done: what they did is shown first. True when it was done.
 */
async function act(work: () => Promise<string>): Promise<boolean> {
  try {
    toast(await work())
    return true
  } catch (error) {
    toast(isLate(error) ? c('meanwhile.look') : sentenceOf(error), { wrong: true })
    return false
  } finally {
    changed()
  }
}

/** What can be done with something reported, each also with a key. */
export const setState = (content: Moderated, state: Settable) =>
  act(async () => {
    await content.set?.(state)
    return c('stateSet', { state: c(`state.${stateOf[state]}`) })
  })

/** `basedOn`: what is shown of it. */
export const takeReports = (report_id: string, basedOn: string | undefined) =>
  act(async () => {
    await client.mod.reportsHandleall({ report_id, ...(basedOn && { basedOn }) })
    noteTaken(report_id)
    return c('taken')
  })

/** From now on it is the viewer's: the queue may be read again before what is shown of it is, and is then without it. */
function noteTaken(report_id: string): void {
  const handledBy = me.value
  if (!handledBy) return
  queries.setQueriesData<Moderated | null>({ queryKey: ['console moderated'] }, (content) =>
    content?.reports.some(({ id }) => id === report_id)
      ? { ...content, reports: content.reports.map((report) => (report.isClosed ? report : { ...report, handledBy })) }
      : content,
  )
}

export const closeReports = (report_id: string, basedOn: string | undefined) =>
  act(async () => {
    await client.mod.reportsCloseall({ report_id, ...(basedOn && { basedOn }) })
    return c('closed')
  })

/** Who closed all reports on a thing, and when; undefined while one is open. */
export function closingOf({ reports, acts }: Pick<Moderated, 'reports' | 'acts'>): ModeratorActData | 'unknown' | undefined {
  if (reports.length === 0 || reports.some(({ isClosed }) => !isClosed)) return undefined
  return acts.find(({ action }) => action === 'closeReports') ?? 'unknown'
}

interface ContentProps {
  kind: Kind
  id: string
  /** Known before the content is. */
  reports?: readonly ReportModerationData[]
  version?: string
  /** After the viewer has closed its reports. */
  closed?: () => void
}

export function Content({ kind, id, reports = [], version, closed }: ContentProps) {
  const content = useModerated(kind, id)
  return (
    <div class="stack">
      <Answer of={content}>
        {(known) => (
          <>
            <Thing kind={kind} content={known} />
            <Deeds
              kind={kind}
              id={id}
              content={known}
              reports={known?.reports ?? reports}
              version={known?.version ?? version}
              closed={closed}
            />
            <Said reports={known?.reports ?? reports} />
            {known?.excerpts?.map((excerpt) => (
              <Excerpt key={excerpt.reportID} excerpt={excerpt} about={id} />
            ))}
            {known && known.acts.length > 0 && <Acts acts={known.acts} />}
            {known && known.edits.length > 0 && <Edits content={known} />}
            {known?.slow && <SlowMode kind={kind} slow={known.slow} />}
            {known?.category && <Category {...known.category} />}
            <PersonCard id={known?.author.userID ?? reports[0]?.reportedUser.userID ?? ''} />
          </>
        )}
      </Answer>
    </div>
  )
}

function Thing({ kind, content }: { kind: Kind; content: Moderated | null }) {
  return (
    <section class="card pad">
      <h3>{kindName(kind, content?.chat?.type)}</h3>
      {content ? (
        <>
          <p class="quiet">
            {nameOf(content.author)} · @{content.author.username}
            {content.createdAt && ` · ${when(content.createdAt)}`}
          </p>
          {kind === 'fezPost' && content.chat && <p class="quiet">{c('place.chat', { title: content.chat.title })}</p>}
          <div class="quote words">
            <Words text={content.text} />
          </div>
          <Pictures names={content.images} />
          <p class="tags">
            <span class={['quarantined', 'autoQuarantined'].includes(content.state) ? 'tag warning' : 'tag'}>
              {c(`state.${content.state}`)}
            </span>
            {content.isDeleted && <span class="tag bad">{c('isDeleted')}</span>}
          </p>
          {content.href && !content.isDeleted && <Link href={content.href}>{c('inContext')}</Link>}
        </>
      ) : (
        <p class="quiet">{c('noContent')}</p>
      )}
    </section>
  )
}

/** What a member of a private chat has handed over: nothing else of it is to be seen. */
function Excerpt({ excerpt: { title, members, posts }, about }: { excerpt: ReportExcerptData; about: string }) {
  return (
    <section class="card pad">
      <h3>{c('excerpt')}</h3>
      <p class="quiet">
        {c('place.chat', { title })}. {c('excerpt.members', { names: members.map(nameOf).join(', ') })}
      </p>
      <ul class="said-by">
        {posts.map(({ postID, author, text, image, timestamp }) => (
          <li key={postID} class={String(postID) === about ? 'quote' : ''}>
            <b>{nameOf(author)}</b> <small>{when(timestamp)}</small>
            <div class="words">
              <Words text={text} />
            </div>
            {image && <Pictures names={[image]} />}
          </li>
        ))}
      </ul>
      <small class="quiet">{c('excerpt.text')}</small>
    </section>
  )
}

/** Where a forum stands. */
function Category({ id, move }: NonNullable<Moderated['category']>) {
  const categories = useCategories().data ?? []
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const change = (wanted: string) => {
    redraw(undefined)
    const title = categories.find(({ categoryID }) => categoryID === wanted)?.title ?? ''
    const write = async (to: string) => {
      try {
        await move(to)
      } finally {
        refresh('console moderated', 'forum', 'forums')
      }
    }
    return attempt(() =>
      forAll({
        title: c('moveForum.ask', { title }),
        Whom: Everybody,
        text: <p>{c('moveForum.text')}</p>,
        label: c('changeIt'),
        run: () => write(wanted),
        said: c('moveForum.said', { title }),
        undo: () => write(id),
      }),
    )
  }
  if (!categories.some(({ categoryID }) => categoryID === id)) return null
  return (
    <section class="card pad">
      <Choice
        label={c('moveForum')}
        value={id}
        options={categories.map(({ categoryID, title }) => [categoryID, title] as const)}
        change={(wanted) => void change(wanted)}
      />
    </section>
  )
}

const paces = [0, 10, 30, 60, 300, 900, 3600]

/** How often one person may post there. */
function SlowMode({ kind, slow: { seconds, set } }: { kind: Kind; slow: NonNullable<Moderated['slow']> }) {
  // It shows what is in force while it is asked about.
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const choices = paces.includes(seconds) ? paces : [...paces, seconds].sort((a, b) => a - b)
  const change = (wanted: number) => {
    redraw(undefined)
    const write = async (to: number, seen: number) => {
      try {
        await set(to, seen)
      } finally {
        refresh('console moderated', 'forum', 'fez', 'slow mode')
      }
    }
    const inWords = (each: number) => (each === 0 ? c('slowMode.off') : c('slowMode.each', { time: duration(each) }))
    return attempt(() =>
      forAll({
        title: c('askSetting', { label: c(kind === 'twarrt' ? 'slowMode.all' : 'slowMode') }),
        Whom: kind === 'twarrt' ? Everybody : said(c('reach.writers')),
        text: <p>{c('askSettingChange', { from: inWords(seconds), to: inWords(wanted) })}</p>,
        label: c('changeIt'),
        run: () => write(wanted, seconds),
        said: c('saved'),
        undo: () => write(seconds, wanted),
      }),
    )
  }
  return (
    <section class="card pad">
      <Choice
        label={c(kind === 'twarrt' ? 'slowMode.all' : 'slowMode')}
        value={String(seconds)}
        options={choices.map(
          (each) => [String(each), each === 0 ? c('slowMode.off') : c('slowMode.each', { time: duration(each) })] as const,
        )}
        change={(wanted) => void change(Number(wanted))}
      />
      <small class="quiet">{c('slowMode.hint')}</small>
    </section>
  )
}

interface DeedsProps {
  kind: Kind
  id: string
  content: Moderated | null
  reports: readonly ReportModerationData[]
  version: string | undefined
  closed: (() => void) | undefined
}

function Deeds({ kind, id, content, reports, version, closed }: DeedsProps) {
  const [asking, setAsking] = useState(false)
  const open = reports.find(({ isClosed }) => !isClosed)
  const holder = reports.find(({ handledBy, isClosed }) => handledBy && !isClosed)?.handledBy
  const isMine = holder?.userID === me.value?.userID
  const closing = content ? closingOf(content) : undefined
  const remove = async () => {
    setAsking(false)
    await attempt(async () => {
      if (content && !(await isUnchanged(kind, id, content))) toast(c('meanwhile.look'), { wrong: true })
      else await content?.remove?.()
    })
    changed()
  }
  const close = async () => {
    if (open && (await closeReports(open.id, version))) closed?.()
  }
  return (
    <section class="card pad" aria-label={c('state')}>
      {open && (
        <p class="quiet" role="status">
          {holder ? c('takenBy', { name: nameOf(holder) }) : c('takenByNobody')}
        </p>
      )}
      {closing && (
        <p class="note" role="status">
          {closingText(closing)}
        </p>
      )}
      <div class="deeds">
        {open && !isMine && (
          <button type="button" class="btn" onClick={() => void takeReports(open.id, version)}>
            {holder ? c('takeOver') : c('take')} <kbd>t</kbd>
          </button>
        )}
        {content?.set &&
          settable
            .filter((state) => stateOf[state] !== content.state)
            .map((state) => (
              <button
                key={state}
                type="button"
                class="btn quiet"
                title={c(`setHint.${state}`)}
                onClick={() => void setState(content, state)}
              >
                {c(`set.${state}`)} <kbd>{keyOf[state]}</kbd>
              </button>
            ))}
        {content?.remove && !content.isDeleted && (
          <button type="button" class="btn grave" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {c('deleteContent')} …
          </button>
        )}
        {open && (
          <button type="button" class={isMine ? 'btn' : 'btn quiet'} onClick={() => void close()}>
            {c('closeReports')} <kbd>c</kbd>
          </button>
        )}
      </div>
      {asking && (
        <Dialog title={`${c('deleteContent')}: ${c(`kind.${kind}`)}`} close={() => setAsking(false)}>
          <p>{c('deleteContentText')}</p>
          <Decide label={c('delete')} grave act={() => void remove()} cancel={() => setAsking(false)} />
        </Dialog>
      )}
    </section>
  )
}

/** Who closed it, for people. */
export function closingText(closing: ModeratorActData | 'unknown'): string {
  if (closing === 'unknown') return c('closedState')
  const isOwn = closing.moderator.userID === me.value?.userID
  return c(isOwn ? 'closedByYou' : 'closedBy', { name: nameOf(closing.moderator), time: when(closing.at) })
}

/** What a thing is called; of chats, by what each is. */
export function kindName(kind: Kind, chat?: string): string {
  if (!chat || !['fez', 'fezPost', 'privateEvent'].includes(kind)) return c(`kind.${kind}`)
  const which = ['open', 'closed', 'privateEvent', 'personalEvent'].includes(chat) ? chat : 'lfg'
  return c(`${kind === 'fezPost' ? 'postOf' : 'chatOf'}.${which}` as ConsoleText)
}

/** What moderators have done about it. */
function Acts({ acts }: { acts: readonly ModeratorActData[] }) {
  return (
    <section class="card pad">
      <h3>{c('acts')}</h3>
      <ul class="said-by small">
        {acts.map(({ moderator, action, state, at }, index) => (
          <li key={index}>
            {when(at)}: {nameOf(moderator)} {c(`act.${action}`)}
            {state && `: ${c(`state.${state}`)}`}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Said({ reports }: { reports: readonly ReportModerationData[] }) {
  if (reports.length === 0) return null
  return (
    <section class="card pad">
      <h3>{c('whatPeopleSay')}</h3>
      <ul class="said-by">
        {reports.map(({ id, author, submitterMessage, creationTime, isClosed }) => (
          <li key={id}>
            <p class="words">{submitterMessage || <span class="quiet">{c('noMessage')}</span>}</p>
            <small>
              {c('ownedBy', { name: nameOf(author), time: when(creationTime) })}
              {isClosed && ` · ${c('closedState')}`}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Edits({ content }: { content: Moderated }) {
  return (
    <section class="card pad">
      <h3>{c('edits')}</h3>
      <ul class="said-by">
        {content.edits.map(({ id, author, createdAt, text, images }, index) => {
          // What came after it: the next newer one, or what is there now.
          const after = index === 0 ? content.text : (content.edits[index - 1]?.text ?? '')
          return (
            <li key={id}>
              <small>{c('editedBy', { name: nameOf(author), time: when(createdAt) })}</small>
              <p class="words">
                {wordsChanged(text, after).map((piece, place) =>
                  piece.kind === 'same' ? (
                    piece.text
                  ) : piece.kind === 'new' ? (
                    <ins key={place}>{piece.text}</ins>
                  ) : (
                    <del key={place}>{piece.text}</del>
                  ),
                )}
              </p>
              <Pictures names={images} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** How an action of a moderator reads. */
export const actionText = (action: string): string => c(`act.${action}` as ConsoleText)
