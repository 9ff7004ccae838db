// Statements about settings and zone changes.
import type { Sql } from '../core/db.ts'
import type { ZoneChange } from './trip.ts'
import type { Settings } from './values.ts'

export async function selectSettings(sql: Sql): Promise<Partial<Settings>> {
  const rows = await sql<{ name: string, value: unknown }[]>`select name, value from setting where name like 'settings.%'`
  return Object.fromEntries(rows.map(({ name, value }) => [name.slice('settings.'.length), value])) as Partial<Settings>
}

export async function selectZoneChanges(sql: Sql): Promise<ZoneChange[]> {
  return await sql<ZoneChange[]>`select active_date, abbreviation, zone_id from time_zone_change order by active_date`
}
