// The caller's rights as statements about posts ask for them. Pure.
import type { UserAccessLevel, UserRoleType, Viewer } from '../core/viewer.ts'

/** What the SQL function `may_view` is asked with. Somebody without a token sees what quarantined users see. */
export function rightsOf(viewer: Viewer | undefined): { level: UserAccessLevel; roles: UserRoleType[] } {
  return { level: viewer?.level ?? 'quarantined', roles: [...(viewer?.roles ?? [])] }
}
