// Rows of chats, and their columns.
import type { Sizes } from '../image/sizes.ts'
import type { ContentModerationStatus } from '../moderation/types.ts'
import type { FezType } from './types.ts'

export type ModerationStatus = ContentModerationStatus

export interface FezRow {
  id: string
  ownerId: string
  fezType: FezType
  title: string
  info: string
  location: string | null
  /** Floating, as `endTime`. */
  startTime: Date | null
  endTime: Date | null
  minCapacity: number
  maxCapacity: number
  cancelled: boolean
  moderationStatus: ModerationStatus
  seq: number
  /** How many of the events that `seq` counts were posts. */
  postEvents: number
  postCount: number
  lastPostId: number
  memberCount: number
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
  /** Between two posts of a person; 0 without slow mode. */
  slowSeconds: number
  /** A private event that whoever has its address may see and join. */
  unlisted: boolean
}

/** Of a FezRow. */
export const fezColumns = [
  'id',
  'owner_id',
  'fez_type',
  'title',
  'info',
  'location',
  'start_time',
  'end_time',
  'min_capacity',
  'max_capacity',
  'cancelled',
  'moderation_status',
  'seq',
  'post_events',
  'post_count',
  'last_post_id',
  'member_count',
  'created_at',
  'updated_at',
  'deleted_at',
  'slow_seconds',
  'unlisted',
].map((name) => `fez.${name}`)

/** A copy without anything else. Every field is named: V8 is several times slower to copy objects as a whole. */
export const fezRowOf = (row: FezRow): FezRow => ({
  id: row.id,
  ownerId: row.ownerId,
  fezType: row.fezType,
  title: row.title,
  info: row.info,
  location: row.location,
  startTime: row.startTime,
  endTime: row.endTime,
  minCapacity: row.minCapacity,
  maxCapacity: row.maxCapacity,
  cancelled: row.cancelled,
  moderationStatus: row.moderationStatus,
  seq: row.seq,
  postEvents: row.postEvents,
  postCount: row.postCount,
  lastPostId: row.lastPostId,
  memberCount: row.memberCount,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  deletedAt: row.deletedAt,
  slowSeconds: row.slowSeconds,
  unlisted: row.unlisted,
})

/** The version of a chat, posts left out: while it is equal, everybody who could post still can. */
export const versionOf = ({ seq, postEvents }: Pick<FezRow, 'seq' | 'postEvents'>): number => seq - postEvents

export interface FezPostRow {
  id: number
  fezId: string
  authorId: string
  realAuthorId: string
  text: string
  image: string | null
  imageSizes: Sizes
  moderationStatus: ModerationStatus
  createdAt: Date
}

/** Of a FezPostRow. */
export const postColumns = [
  'id',
  'fez_id',
  'author_id',
  'real_author_id',
  'text',
  'image',
  'image_sizes',
  'moderation_status',
  'created_at',
]

/** One account's place in a chat. */
export interface MembershipRow {
  accountId: string
  position: number
  readPostId: number
  isMuted: boolean
  isFavorite: boolean
  added: boolean
}
