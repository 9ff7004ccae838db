// What keeps old rows from going.
import type { Guard } from '../core/work/old-rows.ts'

/** As long as a report on something is not closed, it stays, and so do its earlier versions. */
export const notUnderReport: Guard = (sql, { types, column }) => sql`
  not exists (
    select from report where type = any (${types}::report_type[]) and reported_id = ${sql(column)}::text and not is_closed)`
