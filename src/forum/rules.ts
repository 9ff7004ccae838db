// Rights in forums. Pure.
import { forbidden } from '../core/base/errors.ts'
import { atLeast, isModerator, type UserAccessLevel, type UserRoleType, type Viewer } from '../core/base/viewer.ts'
import { isOpen } from '../moderation/types.ts'
import type { ModerationStatus } from './types.ts'

/** The parts of a category that the rules need. */
interface Category {
  viewLevel: UserAccessLevel
  createLevel: UserAccessLevel
  requiredRole: UserRoleType | null
}

/** True when the category and what is in it is there for the viewer. */
export function mayView(viewer: Viewer, category: Category): boolean {
  return (
    atLeast(viewer.level, category.viewLevel) &&
    (isModerator(viewer) || category.requiredRole === null || viewer.roles.has(category.requiredRole))
  )
}

/** True when the category is closed for new forums of this viewer. Somebody without a token counts as unverified. */
export function isRestricted(viewer: Viewer | undefined, category: Category): boolean {
  return !atLeast(viewer?.level ?? 'unverified', category.createLevel)
}

/** True when a forum in this state takes new posts and changes of posts from the viewer. */
export const takesPosts = (viewer: Viewer, status: ModerationStatus): boolean => isOpen(status) || isModerator(viewer)

/** 403 when it does not. */
export function requireOpenForum(viewer: Viewer, status: ModerationStatus): void {
  if (!takesPosts(viewer, status)) throw forbidden('locked', 'Moderators have locked this forum.')
}
