// Frames that Redis did not take, in Postgres.
import type { Db } from '../db/db.ts'
import { apartMark, backMark, type DetourStore, type Mark, type StoredFrame } from './detour.ts'

/** The table of a database. What is older than ten minutes goes when something comes. */
export const detourIn = (db: Pick<Db, 'sql'>): DetourStore => ({
  async put(sender, frames) {
    await db.sql`
      with old as (delete from bus_frame where sent_at < now() - interval '10 minutes')
      insert into bus_frame (sender, channel, frame)
      select ${sender}, channel, decode(frame, 'base64') from unnest(
        ${frames.map(({ channel }) => channel)}::text[], ${frames.map(({ frame }) => frame.toString('base64'))}::text[]) as given (channel, frame)`
  },
  async after(id) {
    return await db.sql<StoredFrame[]>`
      select id::float8, sender, channel, frame from bus_frame
      where id > ${id} and sent_at > now() - interval '1 minute' order by id`
  },
  async marks() {
    return await db.sql<Mark[]>`
      select distinct on (sender) sender as node_id, channel = ${apartMark} as is_apart from bus_frame
      where channel in (${apartMark}, ${backMark}) order by sender, frame desc`
  },
})
