// The pages of the host, in one file that is loaded when one of them is opened.
export { Audit, Errors } from './operations.tsx'
export { Jobs } from './jobs.tsx'
export { Backups } from './backups.tsx'
export { People } from './people.tsx'
export { Person } from './person.tsx'
export { Retention } from './retention.tsx'
export { Webhooks } from './webhooks.tsx'
