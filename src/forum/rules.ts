// Who may see and do what in forums. Pure.
import { forbidden } from '../core/errors.ts'
import { atLeast, isModerator, requireNotTempQuarantined, type UserAccessLevel, type UserRoleType, type Viewer } from '../core/viewer.ts'
import { lowerCased } from '../user/words.ts'
import type { ModerationStatus } from './types.ts'

/** What the rules need of a category. */
interface Category {
  viewLevel: UserAccessLevel
  createLevel: UserAccessLevel
  requiredRole: UserRoleType | null
}

/** True when the category and what is in it is there for the viewer. */
export function mayView(viewer: Viewer, category: Category): boolean {
  return atLeast(viewer.level, category.viewLevel) && (isModerator(viewer) || category.requiredRole === null || viewer.roles.has(category.requiredRole))
}

/** True when the category is closed for new forums of this viewer. Somebody without a token counts as unverified. */
export function isRestricted(viewer: Viewer | undefined, category: Category): boolean {
  return !atLeast(viewer?.level ?? 'unverified', category.createLevel)
}

/** True when nobody has closed the item for its author and for answers. */
export const isOpen = (status: ModerationStatus): boolean => status === 'normal' || status === 'modReviewed'

/** 403 unless the viewer may change what `authorId` made. */
export function requireMayModify(viewer: Viewer, { authorId, status }: { authorId: string, status: ModerationStatus }, nowMs: number): void {
  requireNotTempQuarantined(viewer, nowMs)
  if (isModerator(viewer)) return
  if (viewer.id !== authorId || !atLeast(viewer.level, 'verified')) throw forbidden('Only its author and moderators can change this.')
  if (!isOpen(status)) throw forbidden('Moderators have closed this for changes.')
}

/** 403 when a forum takes neither new posts nor changes of posts from the viewer. */
export function requireOpenForum(viewer: Viewer, status: ModerationStatus): void {
  if (!isOpen(status) && !isModerator(viewer)) throw forbidden('Moderators have closed this forum.')
}

/** An author who changes what moderators had reviewed puts it up for review again. */
export function statusAfterChange(viewer: Viewer, { authorId, status }: { authorId: string, status: ModerationStatus }): ModerationStatus {
  return status === 'modReviewed' && viewer.id === authorId ? 'normal' : status
}

/** True when a text has one of the viewer's mutewords in it. */
export function hasMuteword(viewer: Viewer, text: string): boolean {
  if (viewer.mutewords.length === 0) return false
  const lower = lowerCased(text)
  return viewer.mutewords.some((word) => lower.includes(word))
}
