// What an account can be hit by in content of others, and what is made of the numbers. Pure.
import type { FeedName } from '../post/types.ts'
import type { NotificationType, UserNotificationData } from './schemas.ts'

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

/** What notification sockets call each kind. */
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

/** The number of one kind that its account has not looked at. */
export function freshHits(counts: readonly HitCount[], kind: HitKind, word = ''): number {
  return counts.find((count) => count.kind === kind && count.word === word)?.fresh ?? 0
}

function totalHits(counts: readonly HitCount[], kind: HitKind, word = ''): number {
  return counts.find((count) => count.kind === kind && count.word === word)?.total ?? 0
}

type HitFields = Pick<
  UserNotificationData,
  | 'twarrtMentionCount'
  | 'newTwarrtMentionCount'
  | 'forumMentionCount'
  | 'newForumMentionCount'
  | 'microKaraokeFinishedSongCount'
  | 'alertWords'
>

/** The numbers as every user is shown them. */
export function hitFields(counts: readonly HitCount[]): HitFields {
  return {
    twarrtMentionCount: totalHits(counts, 'microblogMention'),
    newTwarrtMentionCount: freshHits(counts, 'microblogMention'),
    forumMentionCount: totalHits(counts, 'forumMention'),
    newForumMentionCount: freshHits(counts, 'forumMention'),
    microKaraokeFinishedSongCount: freshHits(counts, 'microKaraokeSong'),
    alertWords: [...new Set(counts.flatMap(({ word }) => (word === '' ? [] : [word])))].sort().map((word) => ({
      alertword: word,
      twarrtMentionCount: totalHits(counts, 'microblogAlertword', word),
      newTwarrtMentionCount: freshHits(counts, 'microblogAlertword', word),
      forumMentionCount: totalHits(counts, 'forumAlertword', word),
      newForumMentionCount: freshHits(counts, 'forumAlertword', word),
    })),
  }
}
