// What this device has kept of the server's answers, told apart by shape: to be searched while there is no network.
import type {
  BoardgameData,
  EventData,
  FezData,
  FezPostData,
  ForumListData,
  KaraokeSongData,
  MicroblogPostData,
  PerformerHeaderData,
  PostData,
  UserHeader,
} from '../../sdk/client.ts'
import { queries } from '../store.ts'

/** With posts when it was open; the first of them has the place `firstStart`. */
export type KeptChat = FezData & { posts?: readonly FezPostData[]; firstStart?: number }

export interface Kept {
  users: Map<string, UserHeader>
  events: Map<string, EventData>
  chats: Map<string, KeptChat>
  forums: Map<string, ForumListData>
  posts: Map<string, PostData>
  microblog: Map<string, MicroblogPostData>
  performers: Map<string, PerformerHeaderData>
  games: Map<string, BoardgameData>
  songs: Map<string, KaraokeSongData>
}

/** By the field that names one of them, and one that its other forms lack. */
const shapes: readonly [kind: keyof Kept, id: string, also: string][] = [
  ['users', 'userID', 'username'],
  ['events', 'eventID', 'eventType'],
  ['chats', 'fezID', 'fezType'],
  ['forums', 'forumID', 'categoryID'],
  ['posts', 'postID', 'createdAt'],
  ['microblog', 'twarrtID', 'text'],
  ['performers', 'id', 'isOfficialPerformer'],
  ['games', 'gameID', 'gameName'],
  ['songs', 'songID', 'songName'],
]

export function keptThings(): Kept {
  const kept = Object.fromEntries(shapes.map(([kind]) => [kind, new Map<string, unknown>()])) as unknown as Kept
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) {
      const shape = shapes.find(([, id, also]) => id in value && also in value)
      const thing = value as Record<string, unknown>
      if (shape) {
        const things = kept[shape[0]] as Map<string, unknown>
        const id = String(thing[shape[1]])
        // A chat that was open is kept with its posts, and in lists without them.
        things.set(id, { ...(things.get(id) as object | undefined), ...thing })
      }
    }
    for (const part of Object.values(value)) look(part)
  }
  for (const [, answer] of queries.getQueriesData({})) look(answer)
  return kept
}

/** Without accents, and in small letters. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** A test for texts that have all of these words. */
export function having(words: string): (text: string) => boolean {
  const wanted = plain(words).split(/\s+/)
  return (text) => {
    const found = plain(text)
    return wanted.every((word) => found.includes(word))
  }
}
