// Endpoints about incidents.
import { route } from '../core/http/route.ts'
import { listIncidents } from './service.ts'
import { noteDeviceClock } from './clocks.service.ts'
import { DeviceClockData, IncidentListData, WebhookData, WebhookUploadData } from './schemas.ts'
import { removeWebhook, setWebhook, tryWebhook, webhook } from './webhook.service.ts'

export const incidentsRoutes = [
  route({
    method: 'GET',
    path: '/admin/incidents',
    access: 'moderator',
    reply: IncidentListData,
    summary: 'What is wrong with the machine and since when, and what was.',
    cached: { tables: ['incident'] },
    run: (ctx) => listIncidents(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/incidents/webhook',
    access: 'tho',
    reply: WebhookData,
    summary: 'The host of the webhook, or the mail address, that incidents are sent to.',
    run: (ctx) => webhook(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/incidents/webhook',
    access: 'admin',
    body: WebhookUploadData,
    reply: WebhookData,
    summary:
      'Sends incidents to a webhook, as JSON that chat services show, or to a mail address (`mailto:`): each at its beginning and at its end.',
    run: (ctx, { body }) => setWebhook(ctx, body.url),
  }),
  route({
    method: 'DELETE',
    path: '/admin/incidents/webhook',
    access: 'admin',
    status: 204,
    summary: 'Sends incidents to no webhook and no mail address any more.',
    run: (ctx) => removeWebhook(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/incidents/webhook/test',
    access: 'admin',
    status: 204,
    summary: 'Sends a test to the webhook or the mail address; 400 when it is not taken.',
    run: (ctx) => tryWebhook(ctx),
  }),
  route({
    method: 'POST',
    path: '/client/clock',
    access: 'token',
    status: 204,
    body: DeviceClockData,
    summary: "Says what the clock of the caller's device says: when those of many differ, the server's is wrong, and the team is told.",
    run: (ctx, { body }) => noteDeviceClock(ctx, body.now),
  }),
]
