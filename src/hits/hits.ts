// Kinds of hits, and their numbers. Pure.
import type { Viewer } from '../core/base/viewer.ts'
import type { NotificationType } from '../notices/schemas.ts'

/** Where posts are that everybody may see. */
export type FeedName = 'forum' | 'microblog'

const hitKinds = [
  'microblogMention',
  'forumMention',
  'moderatorForumMention',
  'serviceTeamForumMention',
  'microblogAlertword',
  'forumAlertword',
  'microKaraokeSong',
] as const
export type HitKind = (typeof hitKinds)[number]

/** The kinds that a feed's posts make. */
export const kindsOf = {
  forum: {
    mention: 'forumMention',
    alertword: 'forumAlertword',
    all: ['forumMention', 'moderatorForumMention', 'serviceTeamForumMention', 'forumAlertword'],
  },
  microblog: { mention: 'microblogMention', alertword: 'microblogAlertword', all: ['microblogMention', 'microblogAlertword'] },
} as const satisfies Record<FeedName, { mention: HitKind; alertword: HitKind; all: readonly HitKind[] }>

/** The notification type of each kind. */
export const noticeTypes: Readonly<Record<HitKind, NotificationType>> = {
  microblogMention: 'twarrtMention',
  forumMention: 'forumMention',
  moderatorForumMention: 'moderatorForumMention',
  serviceTeamForumMention: 'serviceTeamForumMention',
  microblogAlertword: 'alertwordTwarrt',
  forumAlertword: 'alertwordPost',
  microKaraokeSong: 'microKaraokeSongReady',
}

/** How often an account was hit in one way, and how many of these it has not looked at. */
export interface HitCount {
  kind: HitKind
  /** Of alertwords; empty for everything else. */
  word: string
  total: number
  fresh: number
}

export const noHits: readonly HitCount[] = []

/** The numbers of the viewer of a request, which its user channel keeps. */
export function hitCountsOf(viewer: Viewer): readonly HitCount[] {
  if (!('hits' in viewer)) throw new Error('the viewer of a request is its user channel')
  return viewer.hits as readonly HitCount[]
}

/** The number of one kind that its account has not looked at. */
export function freshHits(counts: readonly HitCount[], kind: HitKind, word = ''): number {
  return counts.find((count) => count.kind === kind && count.word === word)?.fresh ?? 0
}
