// Parts of the pages about chats.
import type { ComponentChildren } from 'preact'
import type { FezData } from '../../sdk/client.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { MutedIcon, StarIcon } from '../kit/icon.tsx'
import { Badge, Row } from '../kit/row.tsx'
import { clock, until, when } from '../kit/time.ts'
import { mine } from '../outbox.ts'
import { me } from '../session.ts'
import { t, type TextKey } from '../texts.ts'

export const isSeamail = ({ fezType }: Pick<FezData, 'fezType'>) => fezType === 'closed' || fezType === 'open'

const isEvent = ({ fezType }: Pick<FezData, 'fezType'>) => fezType === 'privateEvent' || fezType === 'personalEvent'

/** Where a chat stands in the app. */
export const pathOf = (chat: Pick<FezData, 'fezID' | 'fezType'>) =>
  `/${isSeamail(chat) ? 'seamail' : isEvent(chat) ? 'privateevent' : 'lfg'}/${chat.fezID}`

/** A post that somebody has looked for, and its place in the chat. */
export interface LookedFor {
  postID: number
  place: number
}

/** The end of an address that leads to a post of a chat. */
export const atPost = ({ postID, place }: LookedFor): string => `?post=${postID}&at=${place}`

/** Where a line of a list leads: in a search to the post that has its words, unless the chat is on the screen already. */
function hrefOf(chat: FezData): string {
  const [path, found] = [pathOf(chat), chat.members?.foundPost]
  return found && path !== location.pathname ? path + atPost(found) : path
}

/** The viewer's favorites before all others, each in the order of the list. */
export const favoritesFirst = (chats: readonly FezData[]): FezData[] =>
  [true, false].flatMap((wanted) => chats.filter(({ members }) => (members?.isFavorite ?? false) === wanted))

export const unreadOf = ({ members }: FezData) => (members ? members.postCount - members.readCount : 0)

const kinds = ['activity', 'dining', 'gaming', 'meetup', 'music', 'other', 'shore'] as const
export type GroupKind = (typeof kinds)[number]

/** A group that everybody can join. */
export const isGroup = ({ fezType }: Pick<FezData, 'fezType'>) => kinds.includes(fezType as GroupKind)

export const groupKinds = (): [GroupKind, string][] => kinds.map((kind) => [kind, t(`kind.${kind}` as TextKey)])
export const kindOf = (chat: FezData) => (isGroup(chat) ? t(`kind.${chat.fezType}` as TextKey) : isEvent(chat) ? t('kind.private') : '')

/** Everybody but the viewer, by name. */
export function companyOf({ members }: FezData): string {
  const others = (members?.participants ?? []).filter(({ userID }) => userID !== me.value?.userID)
  if (others.length === 0) return t('onlyYou')
  const isMember = others.length < (members?.participants.length ?? 0)
  const names = others.slice(0, 3).map(nameOf)
  const more = others.length - names.length
  return [...(isMember ? [t('you')] : []), ...names, ...(more > 0 ? [t('others', { n: more })] : [])].join(', ')
}

/** What stands last in a chat, and before that what its reader has begun to write there and what waits for the network. */
function LastWords({ chat: { fezID, members }, draft }: { chat: FezData; draft?: string | undefined }) {
  // In a search, what has its words.
  const found = members?.foundPost
  const last = found ?? members?.lastPost
  const waiting = !found && mine.value.findLast(({ place, id }) => place === 'fez' && id === fezID)
  const own = waiting || (!found && draft)
  const mark = own ? t(waiting ? 'waits' : 'draft') : last && (last.author.userID === me.value?.userID ? t('you') : nameOf(last.author))
  const words = waiting ? waiting.text : own || last?.text || (last?.hasImage && t('pictureTitle'))
  if (!words) return null
  return (
    <span class={found ? 'last whole' : 'last'}>
      <b class={own ? 'warn' : ''}>{mark}:</b> {words}
    </span>
  )
}

interface ListedChat {
  chat: FezData
  /** What its reader has begun to write there. */
  draft?: string | undefined
}

/** `more`: what else stands at its end. */
export function SeamailRow({ chat, draft, more }: ListedChat & { more?: ComponentChildren }) {
  const unread = unreadOf(chat)
  const said = (chat.members?.foundPost ?? chat.members?.lastPost)?.timestamp ?? chat.lastModificationTime
  const other = chat.members?.participants.find(({ userID }) => userID !== me.value?.userID) ?? chat.owner
  return (
    <Row
      href={hrefOf(chat)}
      lead={<Face user={other} />}
      title={<Title chat={chat} />}
      sub={
        <>
          <span class="last">{companyOf(chat)}</span>
          <LastWords chat={chat} draft={draft} />
        </>
      }
      fresh={unread > 0}
      tail={
        <>
          <span class="tail">
            <small>
              <time dateTime={said}>{when(said)}</time>
            </small>
            {chat.members?.isMuted ? <MutedIcon size={16} aria-label={t('muted')} /> : <Badge count={unread} />}
          </span>
          {more}
        </>
      }
    />
  )
}

interface GroupRowProps extends ListedChat {
  overlaps?: readonly { title: string }[]
  /** What else is to be said of it. */
  note?: string | undefined
}

export function GroupRow({ chat, draft, overlaps = [], note }: GroupRowProps) {
  const unread = unreadOf(chat)
  const facts = [chat.cancelled ? t('cancelled') : '', kindOf(chat), seatsOf(chat), chat.location].filter(Boolean).join(' · ')
  return (
    <Row
      href={hrefOf(chat)}
      lead={<Starts chat={chat} />}
      title={<Title chat={chat} />}
      sub={
        <>
          {facts}
          {overlaps.length > 0 && <span class="warn"> · {t('overlaps', { title: overlaps[0]?.title ?? '' })}</span>}
          {note && <span class="last">{note}</span>}
          <LastWords chat={chat} draft={draft} />
        </>
      }
      fresh={unread > 0}
      tail={<Badge count={unread} />}
    />
  )
}

function Title({ chat: { title, cancelled, members } }: { chat: FezData }) {
  return (
    <>
      {members?.isFavorite && <StarIcon class="favorite" size={14} aria-label={t('favorite')} />}
      {cancelled ? <s>{title}</s> : title}
    </>
  )
}

/** The column of times. */
function Starts({ chat: { startTime, endTime } }: { chat: FezData }) {
  return (
    <div class="when">
      {startTime ? (
        <>
          <time dateTime={startTime}>{clock(startTime)}</time>
          <small>{until(startTime, endTime)}</small>
        </>
      ) : (
        <small>{t('noTime')}</small>
      )}
    </div>
  )
}

export function seatsOf({ participantCount, maxParticipants }: FezData): string {
  if (maxParticipants === 0) return t('going', { n: participantCount })
  // Those on the waiting list are counted with the others.
  const waiting = Math.max(0, participantCount - maxParticipants)
  const seats = t('seats', { count: participantCount - waiting, max: maxParticipants })
  return waiting > 0 ? `${seats}, ${t('waitingCount', { n: waiting })}` : seats
}
