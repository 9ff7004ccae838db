// Who may know of the photographers of events. Pure.
import { atLeast, type Viewer } from '../core/viewer.ts'

/** Photographers, their managers and the team. */
export const isPhotoCrew = ({ roles, level }: Viewer): boolean =>
  roles.has('shutternaut') || roles.has('shutternautmanager') || atLeast(level, 'serviceteam')
