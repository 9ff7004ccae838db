// Every endpoint of webhooks.
import { route } from '../core/http/route.ts'
import { Uuid } from '../core/schema/schema.ts'
import {
  NewWebhookEndpointData,
  WebhookDeliveryListData,
  WebhookEndpointCreateData,
  WebhookEndpointData,
  WebhookEndpointListData,
  WebhookEndpointUpdateData,
} from './schemas.ts'
import { changeEndpoint, createEndpoint, listDeliveries, listEndpoints, removeEndpoint, sendAgain, testEndpoint } from './service.ts'

const endpoint = { endpoint_id: Uuid }

export const webhookRoutes = [
  route({
    method: 'GET',
    path: '/admin/webhooks',
    access: 'admin',
    reply: WebhookEndpointListData,
    summary: 'The programs elsewhere that are told of what happens, and the hosts that the operator allows.',
    run: (ctx) => listEndpoints(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/webhooks/create',
    access: 'admin',
    body: WebhookEndpointCreateData,
    reply: NewWebhookEndpointData,
    status: 201,
    summary:
      'Tells an address of these kinds of events from now on, signed as the Standard Webhooks say; answers with the key of the signatures, this once.',
    run: (ctx, { body }) => createEndpoint(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/admin/webhooks/:endpoint_id',
    access: 'admin',
    params: endpoint,
    body: WebhookEndpointUpdateData,
    reply: WebhookEndpointData,
    summary: 'Changes name or kinds of a webhook, pauses it, or lets it go on; what waits for it is tried at once.',
    run: (ctx, { params, body }) => changeEndpoint(ctx, params.endpoint_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/admin/webhooks/:endpoint_id',
    access: 'admin',
    params: endpoint,
    status: 204,
    summary: 'Removes a webhook, its log, and what waits to be sent there.',
    run: (ctx, { params }) => removeEndpoint(ctx, params.endpoint_id),
  }),
  route({
    method: 'POST',
    path: '/admin/webhooks/:endpoint_id/test',
    access: 'admin',
    params: endpoint,
    status: 202,
    summary: 'Sends a webhook a delivery of the kind `test`; what became of it is in the log.',
    run: (ctx, { params }) => testEndpoint(ctx, params.endpoint_id),
  }),
  route({
    method: 'GET',
    path: '/admin/webhooks/:endpoint_id/deliveries',
    access: 'admin',
    params: endpoint,
    reply: WebhookDeliveryListData,
    summary: 'The last 50 deliveries of a webhook, the newest first: what was sent, when, and how the address has answered.',
    run: (ctx, { params }) => listDeliveries(ctx, params.endpoint_id),
  }),
  route({
    method: 'POST',
    path: '/admin/webhooks/:endpoint_id/deliveries/:delivery_id/again',
    access: 'admin',
    params: { ...endpoint, delivery_id: Uuid },
    status: 202,
    summary: 'Sends a delivery again that was sent or given up. 400 for one that still waits.',
    run: (ctx, { params }) => sendAgain(ctx, params.endpoint_id, params.delivery_id),
  }),
]
