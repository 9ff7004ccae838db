// Webhooks that admins have set: programs elsewhere that are told of what happens.
import { audit } from '../moderation/audit.service.ts'
import { AppError, badRequest, notAvailable } from '../core/base/errors.ts'
import type { Ctx, Node } from '../core/work/ctx.ts'
import { testKind } from './kinds.ts'
import { bodyOf } from './events.service.ts'
import {
  deleteEndpoint,
  insertDelivery,
  insertEndpoint,
  resetDelivery,
  selectDeliveries,
  selectEndpoints,
  selectWaitingOf,
  updateEndpoint,
  type DeliveryRow,
  type ListedEndpointRow,
} from './queries.ts'
import type {
  NewWebhookEndpointData,
  WebhookDeliveryData,
  WebhookDeliveryListData,
  WebhookEndpointCreateData,
  WebhookEndpointData,
  WebhookEndpointListData,
  WebhookEndpointUpdateData,
} from './schemas.ts'

const mostEndpoints = 20
const shownDeliveries = 50
const secretBytes = 32

export async function listEndpoints(ctx: Ctx): Promise<WebhookEndpointListData> {
  return { endpoints: (await selectEndpoints(ctx.sql)).map(endpointData), allowedHosts: ctx.node.config.outsideHosts }
}

/** @throws AppError 400 for a host that the operator does not allow, and for one more than there may be. */
export async function createEndpoint(ctx: Ctx, { name, url, kinds }: WebhookEndpointCreateData): Promise<NewWebhookEndpointData> {
  requireAllowed(ctx.node, url)
  const [id, secret] = [ctx.node.random.uuid(), ctx.node.random.bytes(secretBytes)]
  return await ctx.transaction(async (tx) => {
    const row = { id, name, url, kinds: [...new Set(kinds)], createdAt: tx.now }
    if (!(await insertEndpoint(tx.sql, { ...row, secret }, mostEndpoints)))
      throw badRequest('too_many_endpoints', `There are ${mostEndpoints} webhooks, which is the maximum. Remove one first.`)
    await audit(tx, { action: 'create', subject: { type: 'webhook', id }, details: { name, host: hostOf(url), kinds: row.kinds } })
    const endpoint = endpointData({ ...row, isPaused: false, notBefore: null, waiting: 0, failed: 0, lastSentAt: null })
    return { endpoint, secret: `whsec_${secret.toString('base64')}` }
  })
}

/** Changes it; what waits for it is tried at once. @throws AppError 400 */
export async function changeEndpoint(ctx: Ctx, id: string, changes: WebhookEndpointUpdateData): Promise<WebhookEndpointData> {
  const kinds = changes.kinds && [...new Set(changes.kinds)]
  return await ctx.transaction(async (tx) => {
    if (!(await updateEndpoint(tx.sql, id, { ...changes, kinds }))) throw notAvailable('webhook')
    await audit(tx, { action: 'edit', subject: { type: 'webhook', id }, details: changes })
    const [row] = (await selectEndpoints(tx.sql, id)) as [ListedEndpointRow]
    if (!row.isPaused)
      for (const { id: deliveryID, attempts } of await selectWaitingOf(tx.sql, id)) tx.enqueue('webhook', { deliveryID, attempt: attempts })
    return endpointData(row)
  })
}

/** Removes it with its log and what waits for it. @throws AppError 400 */
export async function removeEndpoint(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const name = await deleteEndpoint(tx.sql, id)
    if (name === undefined) throw notAvailable('webhook')
    await audit(tx, { action: 'delete', subject: { type: 'webhook', id }, details: { name } })
  })
}

/** What was sent to it lately, or is to be. @throws AppError 400 */
export async function listDeliveries(ctx: Ctx, id: string): Promise<WebhookDeliveryListData> {
  const deliveries = await selectDeliveries(ctx.sql, id, shownDeliveries)
  if (deliveries.length === 0) await requireEndpoint(ctx, id)
  return { deliveries: deliveries.map(deliveryData) }
}

/** Sends it a delivery of the kind `test`. @throws AppError 400 */
export async function testEndpoint(ctx: Ctx, endpointId: string): Promise<void> {
  const id = ctx.node.random.uuid()
  await ctx.transaction(async (tx) => {
    const body = bodyOf(testKind, {}, tx.now)
    if (!(await insertDelivery(tx.sql, { id, endpointId, kind: testKind, body, now: tx.now }))) throw notAvailable('webhook')
    await audit(tx, { action: 'tryWebhook', subject: { type: 'webhook', id: endpointId } })
    tx.enqueue('webhook', { deliveryID: id, attempt: 0 })
  })
}

/** Sends one again that was sent or given up. @throws AppError 400 also for one that still waits */
export async function sendAgain(ctx: Ctx, endpointId: string, deliveryID: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (!(await resetDelivery(tx.sql, endpointId, deliveryID))) throw notAvailable('delivery')
    await audit(tx, { action: 'tryWebhook', subject: { type: 'webhook', id: endpointId }, details: { deliveryID } })
    tx.enqueue('webhook', { deliveryID, attempt: 0 })
  })
}

async function requireEndpoint(ctx: Ctx, id: string): Promise<void> {
  if ((await selectEndpoints(ctx.sql, id)).length === 0) throw notAvailable('webhook')
}

/** Whether the operator lets the server send anything there: an admin of the community must not reach the operator's other machines. */
export function isAllowed({ config }: Node, url: string): boolean {
  const { hostname } = new URL(url)
  return config.outsideHosts.some(
    (allowed) => allowed === '*' || allowed === hostname || (allowed.startsWith('*.') && hostname.endsWith(allowed.slice(1))),
  )
}

function requireAllowed(node: Node, url: string): void {
  if (isAllowed(node, url)) return
  const reason = `Nothing may be sent to ${hostOf(url)}: the operator has to name the host in OUTSIDE_HOSTS.`
  throw new AppError(400, 'address_not_allowed', reason, { fieldErrors: { url: 'url names a host that the operator does not allow' } })
}

const hostOf = (url: string): string => new URL(url).host

const endpointData = ({
  id,
  name,
  url,
  kinds,
  isPaused,
  createdAt,
  waiting,
  failed,
  lastSentAt,
}: ListedEndpointRow): WebhookEndpointData => ({
  endpointID: id,
  name,
  host: hostOf(url),
  kinds,
  isPaused,
  createdAt,
  waiting,
  failed,
  ...(lastSentAt && { lastSentAt }),
})

const deliveryData = ({ id, kind, body, createdAt, state, attempts, lastTriedAt, status, reason }: DeliveryRow): WebhookDeliveryData => ({
  deliveryID: id,
  kind,
  createdAt,
  state,
  attempts,
  ...(lastTriedAt && { lastTriedAt }),
  ...(status !== null && { status }),
  ...(reason !== null && { reason }),
  body,
})
