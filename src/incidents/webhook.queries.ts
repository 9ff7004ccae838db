// Statements of the webhook of incidents and of the messages to it.
import type { Sql } from '../core/db/db.ts'
import type { IncidentRow } from './rows.ts'

/** The address that incidents are sent to, and the quiet hours. */
export interface WebhookRow {
  url: string
  /** As `HH:MM` by the ship's clock; null with `quietTo` where there are none. */
  quietFrom: string | null
  quietTo: string | null
}

/** Where incidents are told; undefined when nowhere. */
export async function selectWebhook(sql: Sql): Promise<WebhookRow | undefined> {
  const [row] = await sql<WebhookRow[]>`select url, quiet_from, quiet_to from incident_webhook`
  return row
}

/** Changes the hours in which warnings wait, and lets none wait for those before; whether there is a webhook. */
export async function updateQuietHours(sql: Sql, { quietFrom, quietTo }: Pick<WebhookRow, 'quietFrom' | 'quietTo'>): Promise<boolean> {
  await sql`update incident_message set held_until = null`
  return (await sql`update incident_webhook set quiet_from = ${quietFrom}, quiet_to = ${quietTo}`).count > 0
}

export async function upsertWebhook(sql: Sql, url: string): Promise<void> {
  await sql`insert into incident_webhook (url) values (${url}) on conflict (id) do update set url = excluded.url`
}

/** Forgets it with all that was still to be told there; whether there was one. */
export async function deleteWebhook(sql: Sql): Promise<boolean> {
  await sql`delete from incident_message`
  return (await sql`delete from incident_webhook`).count > 0
}

/**
 * Queues a message about each incident, if there is an address: about its end when it has ended, else about its beginning. Messages
 * about warnings are held until `quietUntil`; for a warning that has ended by then none is sent.
 */
export async function insertMessages(sql: Sql, incidentIds: readonly number[], now: Date, quietUntil: Date | undefined): Promise<void> {
  if (incidentIds.length === 0) return
  await sql`
    with untold as (
      delete from incident_message message using incident
      where incident.id = any (${incidentIds}) and incident.ended_at is not null and incident.id = message.incident_id
        and not is_over and attempts = 0 and held_until > ${now}
      returning incident.id)
    insert into incident_message (incident_id, is_over, due_at, held_until)
    select id, ended_at is not null, ${now}, case when state = 'warning' then ${quietUntil ?? null}::timestamptz end from incident
    where id = any (${incidentIds}) and id not in (select id from untold) and exists (select from incident_webhook) order by id`
}

/** A message that is to be sent now. */
export interface MessageRow extends IncidentRow {
  messageId: number
  isOver: boolean
  attempts: number
  url: string
}

/**
 * Takes the oldest message when its time has come: nobody else takes it before `againAt`. Later ones wait for it, so that an end is
 * never told before its beginning; but not for those that wait for the end of quiet hours.
 */
export async function takeMessage(sql: Sql, now: Date, againAt: Date): Promise<MessageRow | undefined> {
  const [row] = await sql<MessageRow[]>`
    update incident_message message set attempts = attempts + 1, due_at = ${againAt}
    from incident, incident_webhook
    where message.id = (
        select min(waiting.id) from incident_message waiting join incident about on about.id = waiting.incident_id
        where waiting.held_until is null or waiting.held_until <= ${now} or about.state = 'bad')
      and message.due_at <= ${now} and incident.id = message.incident_id
    returning message.id as message_id, is_over, attempts, url, incident.id, kind, subject, state, sentence, mend, code, "values",
      began_at, ended_at`
  return row
}

/** Forgets a message: it was sent, or given up. */
export async function deleteMessage(sql: Sql, id: number): Promise<void> {
  await sql`delete from incident_message where id = ${id}`
}

/** Sends a message again later. */
export async function delayMessage(sql: Sql, id: number, dueAt: Date): Promise<void> {
  await sql`update incident_message set due_at = ${dueAt} where id = ${id}`
}
