// What is published of incidents.
import type { Topic } from '../core/live/registry.ts'

/** Some have begun or ended; the id is always the same. `sentence`: of the one that began, if one did. */
export const incidentsTopic: Topic<{ type: 'changed'; sentence?: string }> = { name: 'incidents' }
export const incidentsId = 'all'
