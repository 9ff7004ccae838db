// Who may know of the photographers of events.
import { me } from '../session.ts'

const team = new Set(['serviceteam', 'twitarrteam', 'tho', 'admin'])

export const isOfTeam = (): boolean => team.has(me.value?.accessLevel ?? '')

/** Photographers, who sends them out, and the team. */
export const isPhotoCrew = (): boolean => isOfTeam() || (me.value?.roles ?? []).some((role) => role.startsWith('shutternaut'))
