// Rights to change a post or forum, and mutewords. Pure.
import { forbidden } from '../core/base/errors.ts'
import { atLeast, isModerator, requireNotTempQuarantined, type Viewer } from '../core/base/viewer.ts'
import { isOpen, type ContentModerationStatus } from '../moderation/types.ts'
import { lowerCased } from '../text/words.ts'

declare module '../core/base/viewer.ts' {
  interface Viewer {
    /** Public content with one of these in its texts is left out of lists. Lower case, letters only. */
    readonly mutewords: readonly string[]
  }
}

interface Item {
  authorId: string
  status: ContentModerationStatus
}

/** 403 unless the viewer may change what `authorId` made. */
export function requireMayModify(viewer: Viewer, { authorId, status }: Item, nowMs: number): void {
  requireNotTempQuarantined(viewer, nowMs)
  if (isModerator(viewer)) return
  if (viewer.id !== authorId || !atLeast(viewer.level, 'verified'))
    throw forbidden('not_owner', 'Only its author and moderators can change this.')
  if (!isOpen(status)) throw forbidden('locked', 'Moderators have locked this. It cannot be changed.')
}

/** True when a text has one of the viewer's mutewords in it. */
export function hasMuteword(viewer: Viewer, text: string): boolean {
  if (viewer.mutewords.length === 0) return false
  const lower = lowerCased(text)
  return viewer.mutewords.some((word) => lower.includes(word))
}
