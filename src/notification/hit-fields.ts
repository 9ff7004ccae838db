// The numbers of hits as every user is shown them. Pure.
import { freshHits, type HitCount, type HitKind } from '../hits/hits.ts'
import type { UserNotificationData } from './schemas.ts'

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
