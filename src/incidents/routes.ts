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
    summary: 'Who incidents are told to outside: the host of a webhook, or a mail address.',
    run: (ctx) => webhook(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/incidents/webhook',
    access: 'admin',
    body: WebhookUploadData,
    reply: WebhookData,
    summary:
      'Tells incidents outside from now on, each at its beginning and at its end: to a webhook, as JSON that chat services show, or by mail (`mailto:`).',
    run: (ctx, { body }) => setWebhook(ctx, body.url),
  }),
  route({
    method: 'DELETE',
    path: '/admin/incidents/webhook',
    access: 'admin',
    status: 204,
    summary: 'Tells incidents nowhere outside any more.',
    run: (ctx) => removeWebhook(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/incidents/webhook/test',
    access: 'admin',
    status: 204,
    summary: 'Sends a test there; 400 when it is not taken.',
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
