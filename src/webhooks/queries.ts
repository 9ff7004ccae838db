// Statements of webhooks and what is sent to them.
import type { Sql } from '../core/db/db.ts'
import type { WebhookKind } from './kinds.ts'

/** For so long the log of deliveries is kept. */
export const keptDays = 14

export interface EndpointRow {
  id: string
  name: string
  url: string
  secret: Buffer
  kinds: WebhookKind[]
  isPaused: boolean
  notBefore: Date | null
  createdAt: Date
}

/** With what has become of its deliveries. */
export interface ListedEndpointRow extends Omit<EndpointRow, 'secret'> {
  waiting: number
  failed: number
  lastSentAt: Date | null
}

/** All, or one. */
export async function selectEndpoints(sql: Sql, id?: string): Promise<ListedEndpointRow[]> {
  return await sql<ListedEndpointRow[]>`
    select endpoint.id, name, url, kinds, is_paused, not_before, endpoint.created_at,
      count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'failed')::int as failed,
      max(last_tried_at) filter (where state = 'sent') as last_sent_at
    from webhook_endpoint endpoint left join webhook_delivery delivery on endpoint_id = endpoint.id
    ${id === undefined ? sql`` : sql`where endpoint.id = ${id}`}
    group by endpoint.id order by lower(name), endpoint.id`
}

/** Writes one, unless there are as many as there may be. */
export async function insertEndpoint(sql: Sql, row: Omit<EndpointRow, 'notBefore' | 'isPaused'>, most: number): Promise<boolean> {
  await sql`lock table webhook_endpoint in share row exclusive mode`
  const result = await sql`
    insert into webhook_endpoint (id, name, url, secret, kinds, created_at)
    select ${row.id}, ${row.name}, ${row.url}, ${row.secret}, ${row.kinds}, ${row.createdAt}
    where (select count(*) from webhook_endpoint) < ${most}`
  return result.count > 0
}

/** What is undefined stays; whether it is there. Whatever held it back is over: somebody has looked at it. */
export async function updateEndpoint(
  sql: Sql,
  id: string,
  { name, kinds, isPaused }: { name?: string | undefined; kinds?: WebhookKind[] | undefined; isPaused?: boolean | undefined },
): Promise<boolean> {
  const result = await sql`
    update webhook_endpoint set name = coalesce(${name ?? null}, name), kinds = coalesce(${kinds ?? null}, kinds),
      is_paused = coalesce(${isPaused ?? null}, is_paused), not_before = null
    where id = ${id}`
  return result.count > 0
}

/** With its deliveries; its name, or undefined when it is not there. */
export async function deleteEndpoint(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`delete from webhook_endpoint where id = ${id} returning name`
  return row?.name
}

/** Notes an event for each endpoint that is told of its kind, and forgets what is old; the ids of the new deliveries. */
export async function insertDeliveries(sql: Sql, kind: WebhookKind, body: string, now: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with forgotten as (delete from webhook_delivery where created_at < ${now}::timestamptz - ${keptDays} * interval '1 day')
    insert into webhook_delivery (id, endpoint_id, kind, body, created_at)
    select gen_random_uuid(), id, ${kind}, ${body}, ${now} from webhook_endpoint where ${kind} = any (kinds) and not is_paused
    returning id`
  return rows.map(({ id }) => id)
}

/** One for one endpoint; false when that is not there. */
export async function insertDelivery(
  sql: Sql,
  { id, endpointId, kind, body, now }: { id: string; endpointId: string; kind: string; body: string; now: Date },
): Promise<boolean> {
  const result = await sql`
    insert into webhook_delivery (id, endpoint_id, kind, body, created_at)
    select ${id}, id, ${kind}, ${body}, ${now} from webhook_endpoint where id = ${endpointId}`
  return result.count > 0
}

export interface DeliveryRow {
  id: string
  kind: WebhookKind | 'test'
  body: string
  createdAt: Date
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  lastTriedAt: Date | null
  status: number | null
  reason: string | null
}

/** The newest first. */
export async function selectDeliveries(sql: Sql, endpointId: string, most: number): Promise<DeliveryRow[]> {
  return await sql<DeliveryRow[]>`
    select id, kind, body, created_at, state, attempts, last_tried_at, status, reason from webhook_delivery
    where endpoint_id = ${endpointId} order by created_at desc, id limit ${most}`
}

/** One that is to be sent, with where. */
export interface WaitingRow extends Pick<EndpointRow, 'url' | 'secret' | 'notBefore' | 'isPaused'> {
  id: string
  endpointId: string
  body: string
  attempts: number
}

/** Undefined when it was sent, given up, or removed. */
export async function selectWaiting(sql: Sql, id: string): Promise<WaitingRow | undefined> {
  const [row] = await sql<WaitingRow[]>`
    select delivery.id, endpoint_id, body, attempts, url, secret, not_before, is_paused
    from webhook_delivery delivery join webhook_endpoint endpoint on endpoint.id = endpoint_id
    where delivery.id = ${id} and state = 'waiting'`
  return row
}

/** Notes how an attempt has ended, and until when its endpoint is left alone. */
export async function updateDelivery(
  sql: Sql,
  { id, endpointId }: Pick<WaitingRow, 'id' | 'endpointId'>,
  tried: Pick<DeliveryRow, 'state' | 'status' | 'reason'>,
  now: Date,
  notBefore: Date | null,
): Promise<void> {
  await sql`
    with tried as (
      update webhook_delivery set state = ${tried.state}, status = ${tried.status}, reason = ${tried.reason}, attempts = attempts + 1,
        last_tried_at = ${now}
      where id = ${id})
    update webhook_endpoint set not_before = ${notBefore} where id = ${endpointId} and not_before is distinct from ${notBefore}`
}

/** Lets one that was sent or given up wait again; false when it is not there, or waits already. */
export async function resetDelivery(sql: Sql, endpointId: string, id: string): Promise<boolean> {
  const result = await sql`
    update webhook_delivery set state = 'waiting', attempts = 0 where id = ${id} and endpoint_id = ${endpointId} and state <> 'waiting'`
  return result.count > 0
}

/** What waits for an endpoint, the oldest first. */
export async function selectWaitingOf(sql: Sql, endpointId: string): Promise<Pick<DeliveryRow, 'id' | 'attempts'>[]> {
  return await sql<Pick<DeliveryRow, 'id' | 'attempts'>[]>`
    select id, attempts from webhook_delivery where endpoint_id = ${endpointId} and state = 'waiting' order by created_at, id`
}
