// Statements of incidents and of the processes that are there.
import type { Sql } from '../core/db/db.ts'
import type { Found, IncidentRow, ProcessRow } from './rows.ts'

/** Says that a process is there. */
export async function upsertProcess(sql: Sql, { id, kind, name, host, startedAt, seenAt }: ProcessRow): Promise<void> {
  await sql`
    insert into process (id, kind, name, host, started_at, seen_at) values (${id}, ${kind}, ${name}, ${host}, ${startedAt}, ${seenAt})
    on conflict (id) do update set seen_at = excluded.seen_at, ended_at = null`
}

/** Says that a process has stopped in order. */
export async function endProcess(sql: Sql, id: string, now: Date): Promise<void> {
  await sql`update process set ended_at = ${now} where id = ${id}`
}

/** Processes that have not stopped in order, of those that were there since `since`. */
export async function selectProcesses(sql: Sql, since: Date): Promise<ProcessRow[]> {
  return await sql<ProcessRow[]>`
    select id, kind, name, host, started_at, seen_at from process where ended_at is null and seen_at > ${since} order by started_at`
}

/** Processes that ended unexpectedly, and when another began in their place. */
export interface Replaced {
  kind: string
  name: string
  host: string
  seenAt: Date
  startedAt: Date
}

/** Ends processes in whose place others have begun, and forgets those of before `forgetBefore`. */
export async function endReplaced(sql: Sql, forgetBefore: Date): Promise<Replaced[]> {
  return await sql<Replaced[]>`
    with forgotten as (delete from process where coalesce(ended_at, seen_at) < ${forgetBefore})
    update process old set ended_at = next.started_at
    from (
      select before.id, min(after.started_at) as started_at
      from process before join process after on after.kind = before.kind and after.name = before.name and after.host = before.host
        and after.started_at > before.started_at
      where before.ended_at is null group by before.id
    ) next
    where old.id = next.id and old.ended_at is null
    returning old.kind, old.name, old.host, old.seen_at, next.started_at`
}

/** Writes incidents that are over already, unless they are open: then they end by themselves. Resolves with the ids of the written. */
export async function insertEnded(sql: Sql, ended: readonly (Omit<IncidentRow, 'id'> & { endedAt: Date })[]): Promise<number[]> {
  if (ended.length === 0) return []
  const rows = await sql<{ id: number }[]>`
    insert into incident (kind, subject, state, sentence, code, "values", began_at, ended_at)
    select kind, subject, state, sentence, code, "values", "beganAt", "endedAt"
    from jsonb_to_recordset(${sql.json(ended as never)}) as given (kind text, subject text, state text, sentence text, code text,
      "values" jsonb, "beganAt" timestamptz, "endedAt" timestamptz)
    where not exists (select from incident known where known.kind = given.kind and known.subject = given.subject and known.ended_at is null)
    returning id`
  return rows.map(({ id }) => id)
}

/**
 * Opens incidents that are new, says of the others what is known now, and ends those that are gone. Resolves with the new ones, and
 * with how many have ended.
 */
export async function replaceOpen(
  sql: Sql,
  found: readonly Found[],
  now: Date,
  forgetBefore: Date,
): Promise<{ begun: IncidentRow[]; ended: number[] }> {
  const rows = await sql<(IncidentRow & { isNew: boolean })[]>`
    with given as (
      select kind, subject, state, sentence, mend, code, "values", coalesce("beganAt", ${now}) as began_at
      from jsonb_to_recordset(${sql.json(found as never)}) as one (kind text, subject text, state text, sentence text, mend text, code text,
        "values" jsonb, "beganAt" timestamptz)
    ),
    forgotten as (delete from incident where ended_at < ${forgetBefore}),
    gone as (
      update incident set ended_at = ${now}
      where ended_at is null and not exists (select from given where given.kind = incident.kind and given.subject = incident.subject)
      returning incident.*
    ),
    changed as (
      update incident set state = given.state, sentence = given.sentence, mend = given.mend, code = given.code, "values" = given."values"
      from given where incident.ended_at is null and incident.kind = given.kind and incident.subject = given.subject
        and (incident.state, incident.sentence, incident."values") is distinct from (given.state, given.sentence, given."values")
    ),
    begun as (
      insert into incident (kind, subject, state, sentence, mend, code, "values", began_at) select * from given
      on conflict (kind, subject) where ended_at is null do nothing
      returning *
    )
    select id, kind, subject, state, sentence, mend, code, "values", began_at, ended_at, true as is_new from begun
    union all select id, kind, subject, state, sentence, mend, code, "values", began_at, ended_at, false from gone`
  return { begun: rows.filter(({ isNew }) => isNew), ended: rows.flatMap(({ isNew, id }) => (isNew ? [] : [id])) }
}

/** Those that last, the longest first. */
export async function selectOpen(sql: Sql): Promise<IncidentRow[]> {
  return await sql<IncidentRow[]>`
    select id, kind, subject, state, sentence, mend, code, "values", began_at, ended_at from incident
    where ended_at is null order by state, began_at, id`
}

/** Those that are over, the latest first. */
export async function selectEnded(sql: Sql, limit: number): Promise<IncidentRow[]> {
  return await sql<IncidentRow[]>`
    select id, kind, subject, state, sentence, mend, code, "values", began_at, ended_at from incident
    where ended_at is not null order by ended_at desc, id desc limit ${limit}`
}

/** The slowest hundredth of answers of the last minutes, newest first, where there were enough to count. */
export async function selectSlow(sql: Sql, since: Date, leastRequests: number): Promise<{ p99: number }[]> {
  return await sql<{ p99: number }[]>`
    select p99 from figure where minute >= ${since} and requests >= ${leastRequests} and p99 is not null order by minute desc`
}

/** Why the last automatic run of the schedule changed nothing; undefined when it went well, or there was none. */
export async function selectFailedFetch(sql: Sql): Promise<{ error: string; createdAt: Date } | undefined> {
  const [row] = await sql<{ error: string | null; createdAt: Date }[]>`
    select error, created_at from schedule_log where automatic order by id desc limit 1`
  return row?.error ? { error: row.error, createdAt: row.createdAt } : undefined
}

/** Notes how far the clock of somebody's device is ahead. */
export async function upsertDeviceClock(sql: Sql, accountId: string, secondsAhead: number, now: Date): Promise<void> {
  await sql`
    insert into device_clock (account_id, seconds_ahead, told_at) values (${accountId}, ${secondsAhead}, ${now})
    on conflict (account_id) do update set seconds_ahead = excluded.seconds_ahead, told_at = excluded.told_at`
}

/** How many devices have said since then what their clocks say, and by how much they are ahead: as many by more as by less. */
export async function selectDeviceClocks(sql: Sql, since: Date): Promise<{ devices: number; median: number }> {
  const [row] = await sql<[{ devices: number; median: number | null }]>`
    select count(*)::int as devices, percentile_disc(0.5) within group (order by seconds_ahead) as median
    from device_clock where told_at >= ${since}`
  return { devices: row.devices, median: row.median ?? 0 }
}
