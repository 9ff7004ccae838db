// What can be found: how the server is asked for it, where it is kept, how it is shown, and where all of it is.
import type { ComponentChildren } from 'preact'
import type {
  BoardgameData,
  CallOptions,
  EventData,
  FezData,
  ForumListData,
  KaraokeSongData,
  MicroblogPostData,
  PerformerHeaderData,
  PostData,
  UserHeader,
} from '../../sdk/client.ts'
import { client } from '../client.ts'
import { EventRow } from '../events/parts.tsx'
import { dayName } from '../events/query.ts'
import { GroupRow, isSeamail, SeamailRow } from '../fez/parts.tsx'
import { ForumRow, PostRow } from '../forum/parts.tsx'
import { PersonRow } from '../kit/person-row.tsx'
import { Row } from '../kit/row.tsx'
import { PerformerRow } from '../lineup/parts.tsx'
import { queries } from '../store.ts'
import type { TextKey } from '../texts.ts'
import { having, type Kept, type KeptChat } from './kept.ts'

/** Of each kind so many are shown; one more says that there are others. */
export const shownOfKind = 5
const limit = shownOfKind + 1

interface Kind<T> {
  title: TextKey
  /** The server's name of the switch. */
  feature: string
  ask: (words: string, options: CallOptions) => Promise<readonly T[]>
  kept: (all: Kept, has: (text: string) => boolean) => readonly T[]
  row: (item: T) => ComponentChildren
  /** Of the page with all that are found. */
  all: (words: string) => string
}

const of = <T,>(kind: Kind<T>) => kind as Kind<unknown>

/** Words after # are looked for as a hashtag. */
const asked = (words: string) => (words.startsWith('#') ? { hashtag: words.slice(1) } : { search: words })

const addressOf = (path: string, words: string) => `${path}?search=${encodeURIComponent(words)}`

const isComing = ({ startTime }: FezData) => startTime === undefined || Date.parse(startTime) > Date.now()

/** A chat that has the words in its title, or in a post. */
function inChat(chat: KeptChat, has: (text: string) => boolean): FezData[] {
  const { posts = [], firstStart = 0, members } = chat
  const index = posts.findLastIndex(({ text }) => has(text))
  const post = posts[index]
  if (post && members) {
    const foundPost = { ...post, hasImage: post.image !== undefined, place: firstStart + index }
    return [{ ...chat, members: { ...members, foundPost } }]
  }
  return has(`${chat.title} ${chat.info}`) ? [chat] : []
}

export const kinds = {
  people: of<UserHeader>({
    title: 'people',
    feature: 'users',
    ask: (words, options) => client.users.matchAllnames({ search_string: words.replace(/^@/, '') }, options),
    kept: ({ users }, has) => [...users.values()].filter(({ username, displayName }) => has(`@${username} ${displayName ?? ''}`)),
    row: (user) => <PersonRow key={user.userID} user={user} />,
    all: (words) => addressOf('/directory', words),
  }),
  chats: of<FezData>({
    title: 'search.chats',
    feature: 'seamail',
    ask: async (words, options) => (await client.fez.joined({ search: words, lastpost: true, limit }, options)).fezzes,
    kept: ({ chats }, has) => [...chats.values()].filter(({ members }) => members).flatMap((chat) => inChat(chat, has)),
    row: (chat) => (isSeamail(chat) ? <SeamailRow key={chat.fezID} chat={chat} /> : <GroupRow key={chat.fezID} chat={chat} />),
    all: (words) => addressOf('/seamail', words),
  }),
  groups: of<FezData>({
    title: 'search.groups',
    feature: 'friendlyfez',
    ask: async (words, options) => (await client.fez.open({ search: words, hidePast: false, limit }, options)).fezzes.filter(isComing),
    kept: ({ chats }, has) => [...chats.values()].filter((chat) => !chat.members && isComing(chat) && inChat(chat, has).length > 0),
    row: (chat) => <GroupRow key={chat.fezID} chat={chat} />,
    all: (words) => addressOf('/fez', words),
  }),
  events: of<EventData>({
    title: 'schedule',
    feature: 'schedule',
    // The whole schedule is here as a rule.
    ask: async (words, options) => {
      const has = having(words)
      const all = queries.getQueryData<EventData[]>(['events']) ?? (await client.events.list({}, options))
      return all.filter((event) => hasEvent(event, has)).sort(byTime)
    },
    kept: ({ events }, has) => [...events.values()].filter((event) => hasEvent(event, has)).sort(byTime),
    row: (event) => <EventRow key={event.eventID} event={event} second="until" />,
    all: (words) => addressOf('/events', words),
  }),
  forums: of<ForumListData>({
    title: 'forums',
    feature: 'forums',
    ask: async (words, options) => (await client.forum.search({ search: words, limit }, options)).forumThreads ?? [],
    kept: ({ forums }, has) => [...forums.values()].filter(({ title }) => has(title)),
    row: (forum) => <ForumRow key={forum.forumID} forum={forum} />,
    all: (words) => `/forums?words=${encodeURIComponent(words)}`,
  }),
  posts: of<PostData>({
    title: 'search.posts',
    feature: 'forums',
    ask: async (words, options) => (await client.forum.postSearch({ ...asked(words), limit }, options)).posts,
    kept: ({ posts }, has) => [...posts.values()].filter(({ text }) => has(text)),
    row: (post) => <PostRow key={post.postID} href={`/forum/containingpost/${post.postID}`} post={post} />,
    all: (words) =>
      words.startsWith('#')
        ? `/forums?in=posts&hashtag=${encodeURIComponent(words.slice(1))}`
        : `/forums?in=posts&words=${encodeURIComponent(words)}`,
  }),
  microblog: of<MicroblogPostData>({
    title: 'microblog',
    feature: 'tweets',
    ask: (words, options) => client.microblog.list({ ...asked(words), limit }, options),
    kept: ({ microblog }, has) => [...microblog.values()].filter(({ text }) => has(text)),
    row: (post) => <PostRow key={post.twarrtID} href={`/tweets/${post.twarrtID}`} post={post} />,
    all: (words) => (words.startsWith('#') ? `/tweets?hashtag=${encodeURIComponent(words.slice(1))}` : addressOf('/tweets', words)),
  }),
  performers: of<PerformerHeaderData>({
    title: 'performers',
    feature: 'performers',
    ask: async (words, options) => {
      const pages = [
        client.performer.official({ search: words, limit }, options),
        client.performer.shadow({ search: words, limit }, options),
      ]
      return (await Promise.all(pages)).flatMap(({ performers }) => performers)
    },
    kept: ({ performers }, has) => [...performers.values()].filter(({ name }) => has(name)),
    row: (performer) => <PerformerRow key={performer.id} performer={performer} />,
    all: (words) => addressOf('/performers', words),
  }),
  games: of<BoardgameData>({
    title: 'games',
    feature: 'gameslist',
    ask: async (words, options) => (await client.boardgames.list({ search: words, limit }, options)).gameArray,
    kept: ({ games }, has) => [...games.values()].filter(({ gameName }) => has(gameName)),
    row: ({ gameID, gameName, numCopies }) => (
      <Row key={gameID} href={`/boardgames?game=${gameID}`} title={gameName} tail={<small>{numCopies > 1 && `× ${numCopies}`}</small>} />
    ),
    all: (words) => addressOf('/boardgames', words),
  }),
  songs: of<KaraokeSongData>({
    title: 'songs',
    feature: 'karaoke',
    ask: async (words, options) => (await client.karaoke.list({ search: words, limit }, options)).songs,
    kept: ({ songs }, has) => [...songs.values()].filter(({ songName, artist }) => has(`${artist} ${songName}`)),
    row: ({ songID, songName, artist }) => (
      <Row key={songID} href={addressOf('/karaoke', `${artist} ${songName}`)} title={songName} sub={artist} />
    ),
    all: (words) => addressOf('/karaoke', words),
  }),
}

const hasEvent = ({ title, location, description, startTime }: EventData, has: (text: string) => boolean) =>
  has(`${title} ${location} ${description} ${dayName(startTime)}`)

/** What is still to come, and then what is over. */
function byTime(one: EventData, other: EventData): number {
  const isOver = ({ endTime }: EventData) => Date.parse(endTime) <= Date.now()
  return Number(isOver(one)) - Number(isOver(other)) || (one.startTime < other.startTime ? -1 : 1)
}
