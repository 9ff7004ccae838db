// The caller's rights as statements about posts ask for them. Pure.
import type { UserAccessLevel, UserRoleType, Viewer } from '../core/base/viewer.ts'

/** Arguments of the SQL function `may_view`. Callers without a token see what quarantined users see. */
export function rightsOf(viewer: Viewer | undefined): { level: UserAccessLevel; roles: UserRoleType[] } {
  return { level: viewer?.level ?? 'quarantined', roles: [...(viewer?.roles ?? [])] }
}
