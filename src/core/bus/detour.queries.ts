// Frames that Redis did not take, in Postgres.
import type { Db } from '../db/db.ts'
import type { DetourStore, StoredFrame } from './detour.ts'

/** The table of a database. Frames leave it after ten minutes, when others come. */
export const detourIn = (db: Pick<Db, 'sql'>): DetourStore => ({
  async put(sender, frames) {
    await db.sql`
      with old as (delete from bus_frame where sent_at < now() - interval '10 minutes')
      insert into bus_frame (sender, channel, frame)
      select ${sender}, channel, frame from unnest(
        ${frames.map(({ channel }) => channel)}::text[], ${frames.map(({ frame }) => frame)}::bytea[]) as given (channel, frame)`
  },
  async after(id) {
    return await db.sql<StoredFrame[]>`
      select id::float8, sender, channel, frame from bus_frame
      where id > ${id} and sent_at > now() - interval '1 minute' order by id`
  },
})
