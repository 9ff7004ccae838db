// The queue of reports, and anything reported in one form.
import { useEffect } from 'preact/hooks'
import type {
  FezData,
  ForumPostModerationData,
  ModeratorActData,
  PostData,
  ReportExcerptData,
  ReportGroupData,
  ReportModerationData,
  UserHeader,
  UserProfileUploadData,
} from '../../sdk/client.ts'
import { client } from '../client.ts'
import { listening, whenNoticed } from '../live.ts'
import { refresh, useQuery } from '../store.ts'

type FezType = FezData['fezType']
export type Kind = ReportGroupData['type']
/** All kinds of what can be reported. */
export const kinds = [
  ...(['forumPost', 'forum', 'twarrt', 'fezPost', 'fez', 'privateEvent'] as const),
  ...(['streamPhoto', 'quartermasterItem', 'userProfile', 'mkSong', 'mkSongSnippet'] as const),
] satisfies readonly Kind[]
export type State = 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
export type Settable = 'normal' | 'quarantined' | 'reviewed' | 'locked'

/** Which part of the queue is shown, and in which order. */
export interface QueueView {
  which: 'now' | 'nobody' | 'mine' | 'closed'
  type: Kind | ''
  sort: 'waiting' | 'newest' | 'reports'
}

const pollMs = 30_000
const pageSize = 100

let lookers = 0
let stop: () => void = () => undefined

/** Whatever moderators do is on the screens of all of them at once. However much of a page shows it, it is read again once. */
function useChangesOfOthers(): void {
  useEffect(() => {
    if (lookers++ === 0)
      stop = whenNoticed(({ type }) => {
        if (type === 'reportsChanged') refresh('console queue', 'console moderated', 'console person')
      })
    return () => {
      if (--lookers === 0) stop()
    }
  }, [])
}

/** Reports by content. They come by themselves; without a socket they are asked for. */
export function useQueue({ which, type, sort }: QueueView, enabled = true) {
  useChangesOfOthers()
  return useQuery({
    queryKey: ['console queue', which, type, sort],
    queryFn: () =>
      client.mod.reportsQueue({
        limit: pageSize,
        sort,
        ...(type && { type }),
        ...(which === 'mine' && { mine: true }),
        ...(which === 'nobody' && { state: 'open' }),
        ...(which === 'closed' && { state: 'closed' }),
      }),
    enabled,
    refetchInterval: listening.value ? false : pollMs,
  })
}

/** Content of any kind as a moderator sees it. */
export interface Moderated {
  author: UserHeader
  title?: string
  text: string
  images: readonly string[]
  createdAt?: string
  isDeleted: boolean
  state: State
  reports: readonly ReportModerationData[]
  /** What moderators have done about it, newest first. */
  acts: readonly ModeratorActData[]
  /** What the viewer has seen of all that, for actions that are based on it. */
  version: string
  /** The chat that it is, or that it stands in. */
  chat?: { type: FezType; title: string }
  /** What members of the chat have handed over. */
  excerpts?: readonly ReportExcerptData[]
  /** Newest first. */
  edits: readonly { id: string; author: UserHeader; createdAt: string; text: string; images?: readonly string[] }[]
  /** Where it stands in the app. */
  href?: string
  /** Is refused when another moderator has acted since. */
  set?: (state: Settable) => Promise<void>
  remove?: () => Promise<void>
  /** Slow mode where it stands, in seconds. */
  slow?: { seconds: number; set: (seconds: number, seen: number) => Promise<void> }
  /** The category of a forum. */
  category?: { id: string; move: (id: string) => Promise<void> }
}

const joined = (...texts: readonly (string | undefined)[]) => texts.filter(Boolean).join('\n')

/** What moderators know of anything, in the words of the server. */
interface Judged {
  isDeleted: boolean
  moderationStatus: State
  reports: readonly ReportModerationData[]
  acts: readonly ModeratorActData[]
  version: string
}

const judged = ({ isDeleted, moderationStatus, reports, acts, version }: Judged) => ({
  isDeleted,
  state: moderationStatus,
  reports,
  acts,
  version,
})

/** A post of a forum or of the microblog. */
function judgedPost(
  { author, text, images = [], createdAt }: Pick<PostData, 'author' | 'text' | 'images' | 'createdAt'>,
  { edits, ...about }: Judged & Pick<ForumPostModerationData, 'edits'>,
) {
  return { author, text, images, createdAt, ...judged(about), edits: edits.map(({ editID, ...edit }) => ({ id: editID, ...edit })) }
}

const readers: Partial<Record<Kind, (id: string) => Promise<Moderated>>> = {
  async forum(forum_id) {
    const { creator, title, categoryID, createdAt, edits, slowModeSeconds = 0, ...about } = await client.mod.forum({ forum_id })
    return {
      author: creator,
      title,
      text: title,
      images: [],
      createdAt,
      ...judged(about),
      edits: edits.map(({ editID, author, createdAt: at, title: before }) => ({ id: editID, author, createdAt: at, text: before })),
      href: `/forum/${forum_id}`,
      set: (mod_state) => client.mod.forumSetstate({ forum_id, mod_state, basedOn: about.version }),
      remove: () => client.forum.remove({ forum_id }),
      slow: { seconds: slowModeSeconds, set: (seconds, basedOn) => client.mod.forumSlowmode({ forum_id, seconds, basedOn }) },
      ...(!about.isDeleted && {
        category: { id: categoryID, move: (category_id) => client.mod.forumSetcategory({ forum_id, category_id }) },
      }),
    }
  },
  async forumPost(id) {
    const post_id = Number(id)
    const { forumPost, ...about } = await client.mod.forumpost({ post_id })
    return {
      ...judgedPost(forumPost, about),
      href: `/forum/containingpost/${id}`,
      set: (mod_state) => client.mod.forumpostSetstate({ post_id, mod_state, basedOn: about.version }),
      remove: () => client.forum.removePost({ post_id }),
    }
  },
  async twarrt(id) {
    const post_id = Number(id)
    const [{ twarrt, ...about }, { seconds }] = await Promise.all([client.mod.microblog({ post_id }), client.microblog.slowmode()])
    return {
      ...judgedPost(twarrt, about),
      href: `/tweets/${id}`,
      set: (mod_state) => client.mod.microblogSetstate({ post_id, mod_state, basedOn: about.version }),
      remove: () => client.microblog.remove({ post_id }),
      slow: { seconds, set: (wanted, basedOn) => client.mod.microblogSlowmode({ seconds: wanted, basedOn }) },
    }
  },
  async fez(fez_id) {
    const { fez, edits, ...about } = await client.mod.fez({ fez_id })
    return {
      author: fez.owner,
      title: fez.title,
      text: joined(fez.title, fez.info, fez.location),
      images: [],
      ...judged(about),
      chat: { type: fez.fezType, title: fez.title },
      edits: edits.map(({ editID, author, createdAt, title, info, location }) => ({
        id: editID,
        author,
        createdAt,
        text: joined(title, info, location),
      })),
      href: `/lfg/${fez_id}`,
      set: (mod_state) => client.mod.fezSetstate({ fez_id, mod_state, basedOn: about.version }),
      remove: () => client.fez.remove({ fezID: fez_id }),
      slow: { seconds: fez.slowModeSeconds ?? 0, set: (seconds, basedOn) => client.mod.fezSlowmode({ fez_id, seconds, basedOn }) },
    }
  },
  async fezPost(id) {
    const post_id = Number(id)
    const { fezPost, fezID, fezType, fezTitle, excerpts = [], ...about } = await client.mod.fezpost({ post_id })
    return {
      author: fezPost.author,
      text: fezPost.text,
      images: fezPost.image ? [fezPost.image] : [],
      createdAt: fezPost.timestamp,
      ...judged(about),
      chat: { type: fezType, title: fezTitle },
      excerpts,
      edits: [],
      // Nobody of the team looks into a private chat.
      ...(fezType !== 'closed' && { href: `/lfg/${fezID}` }),
      set: (mod_state) => client.mod.fezpostSetstate({ post_id, mod_state, basedOn: about.version }),
      remove: () => client.fez.removePost({ postID: post_id }),
    }
  },
  async streamPhoto(id) {
    const stream_photoID = Number(id)
    const { photo, ...about } = await client.mod.photostream({ stream_photoID })
    return {
      author: photo.author,
      text: photo.event?.title ?? photo.location ?? '',
      images: [photo.image],
      createdAt: photo.createdAt,
      ...judged(about),
      edits: [],
      href: `/photostream/${id}`,
      set: (mod_state) => client.mod.photostreamSetstate({ stream_photoID, mod_state, basedOn: about.version }),
      remove: () => client.mod.removePhotostream({ stream_photoID }),
    }
  },
  async quartermasterItem(item_id) {
    const { item, edits, ...about } = await client.mod.quartermaster({ item_id })
    return {
      // Moderators are told, also of one who hides it from others.
      author: item.owner as UserHeader,
      title: item.itemName,
      text: joined(item.itemName, item.itemDescription, item.location),
      images: item.image ? [item.image] : [],
      createdAt: item.lastModificationTime,
      ...judged(about),
      edits: edits
        .map(({ editID, author, createdAt, itemName, itemDescription, location, image }) => ({
          id: editID,
          author,
          createdAt,
          text: joined(itemName, itemDescription, location),
          ...(image && { images: [image] }),
        }))
        .toReversed(),
      href: `/quartermaster/${item_id}`,
      set: (mod_state) => client.mod.quartermasterSetstate({ item_id, mod_state, basedOn: about.version }),
      remove: () => client.quartermaster.remove({ item_id }),
    }
  },
  async userProfile(user_id) {
    const [{ profile, edits, ...about }, { header, subAccounts }] = await Promise.all([
      client.mod.profile({ user_id }),
      client.mod.user({ user_id }),
    ])
    const author = [header, ...subAccounts].find(({ userID }) => userID === user_id) ?? header
    return {
      author,
      text: textOfProfile(profile),
      images: author.userImage ? [author.userImage] : [],
      ...judged({ isDeleted: false, ...about }),
      edits: edits.map(({ editID, author, createdAt, profileData, profileImage }) => ({
        id: editID,
        author,
        createdAt,
        text: profileData ? textOfProfile(profileData) : '',
        ...(profileImage && { images: [profileImage] }),
      })),
      href: `/profile/${encodeURIComponent(author.username)}`,
      set: (mod_state) => client.mod.profileSetstate({ user_id, mod_state, basedOn: about.version }),
    }
  },
  async privateEvent(personal_event_id) {
    const { personalEvent, ...about } = await client.mod.privateevent({ personal_event_id })
    return {
      author: personalEvent.owner,
      title: personalEvent.title,
      text: joined(personalEvent.title, personalEvent.description, personalEvent.location),
      images: [],
      createdAt: personalEvent.startTime,
      ...judged(about),
      edits: [],
      set: (mod_state) => client.mod.fezSetstate({ fez_id: personal_event_id, mod_state, basedOn: about.version }),
    }
  },
}

function textOfProfile(profile: UserProfileUploadData): string {
  const { displayName, realName, preferredPronoun, message, about, homeLocation, discordUsername } = profile
  return joined(displayName ?? profile.header?.displayName, realName, preferredPronoun, message, about, homeLocation, discordUsername)
}

/** False when another moderator has acted on it since it was read. */
export async function isUnchanged(kind: Kind, id: string, { version }: Moderated): Promise<boolean> {
  const now = await readers[kind]?.(id)
  // The second part counts the acts of others.
  return now === undefined || now.version.split('.')[1] === version.split('.')[1]
}

/** Undefined data: content of a kind that has no form of its own here. */
export function useModerated(kind: Kind, id: string) {
  useChangesOfOthers()
  return useQuery({
    queryKey: ['console moderated', kind, id],
    queryFn: async () => (await readers[kind]?.(id)) ?? null,
  })
}

/** A person with everything that moderators know of them. */
export function usePerson(user_id: string) {
  return useQuery({
    queryKey: ['console person', user_id],
    queryFn: async () => {
      const [user, record] = await Promise.all([client.mod.user({ user_id }), client.mod.userRecord({ user_id })])
      return { ...user, ...record }
    },
  })
}
