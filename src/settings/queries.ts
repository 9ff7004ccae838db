// Statements about settings and zone changes.
import type { Fragment, Sql } from '../core/db/db.ts'
import type { ZoneChange } from './trip.ts'
import type { Settings } from './values.ts'

export async function selectSettings(sql: Sql): Promise<Partial<Settings>> {
  const rows = await sql<{ name: string; value: unknown }[]>`select name, value from setting where name like 'settings.%'`
  return Object.fromEntries(rows.map(({ name, value }) => [name.slice('settings.'.length), value])) as Partial<Settings>
}

export async function selectZoneChanges(sql: Sql): Promise<ZoneChange[]> {
  return await sql<ZoneChange[]>`select active_date, abbreviation, zone_id from time_zone_change order by active_date`
}

/** Writes zone changes in place of all that there are. */
export async function replaceZoneChanges(sql: Sql, changes: readonly ZoneChange[]): Promise<void> {
  await sql`delete from time_zone_change`
  await sql`
    insert into time_zone_change (active_date, abbreviation, zone_id)
    select * from unnest(${changes.map(({ activeDate }) => activeDate.toISOString())}::text[]::timestamptz[],
      ${changes.map(({ abbreviation }) => abbreviation)}::text[], ${changes.map(({ zoneId }) => zoneId)}::text[])`
}

/** The accounts of the team. */
export async function selectTeam(sql: Sql): Promise<string[]> {
  return (await sql<{ id: string }[]>`select id from account where level >= 'moderator'`).map(({ id }) => id)
}

export async function selectHasSecondFactor(sql: Sql, accountId: string): Promise<boolean> {
  const [row] = await sql`select from second_factor where account_id = ${accountId} and confirmed_at is not null`
  return row !== undefined
}

const featuresRow = 'settings.disabledFeatures'

/** One change of settings or of zone changes at a time, until the transaction ends. */
export async function lockSettings(sql: Sql): Promise<void> {
  await sql`insert into setting (name, value) values (${featuresRow}, '[]') on conflict do nothing`
  await sql`select from setting where name = ${featuresRow} for update`
}

/** Stores the settings that are given. */
export async function upsertSettings(sql: Sql, settings: Partial<Settings>, now: Date): Promise<void> {
  const entries = Object.entries(settings)
  await sql`
    insert into setting (name, value, updated_at)
    select 'settings.' || given.name, given.value, ${now}
    from unnest(${entries.map(([name]) => name)}::text[], ${entries.map(([, value]) => JSON.stringify(value))}::text[]::jsonb[])
      as given (name, value)
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`
}

/** Puts a setting back to its default. */
export async function deleteSetting(sql: Sql, name: keyof Settings, now: Date): Promise<void> {
  // The row that changes wait for stays.
  if (`settings.${name}` === featuresRow) await sql`update setting set value = '[]', updated_at = ${now} where name = ${featuresRow}`
  else await sql`delete from setting where name = ${`settings.${name}`}`
}

/** Who changed each setting last, by the audit trail. */
export async function selectSettingChanges(sql: Sql): Promise<{ name: string; actorId: string; createdAt: Date }[]> {
  return await sql<{ name: string; actorId: string; createdAt: Date }[]>`
    select distinct on (changed.name) changed.name, actor_id, created_at
    from audit, jsonb_object_keys(details->'to') as changed (name)
    where action = 'updateSettings' and subject_type = 'settings' and jsonb_typeof(details->'to') = 'object'
    order by changed.name, audit.created_at desc, audit.id desc`
}

/**
 * Marks what starts in the window and was not marked for that start, and returns it.
 * @param window `shiftHours` from a start to the moment that is announced: each such moment counts by itself.
 */
export async function insertDueNotices(
  sql: Sql,
  kind: string,
  candidates: Fragment,
  { after, until, shiftHours }: { after: Date; until: Date; shiftHours: number },
  now: Date,
): Promise<{ id: string; startTime: Date }[]> {
  const shift = sql`${shiftHours} * interval '1 hour'`
  return await sql<{ id: string; startTime: Date }[]>`
    with marked as (
      insert into notice_sent (kind, subject_id, start_time, sent_at)
      select ${kind}, id::text, start_time + ${shift}, ${now} from (${candidates}) as candidate
      where start_time > ${after} and start_time <= ${until}
      on conflict do nothing returning subject_id, start_time)
    select subject_id as id, start_time - ${shift} as start_time from marked`
}
