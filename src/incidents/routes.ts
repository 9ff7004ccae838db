// Endpoints about incidents.
import { route } from '../core/http/route.ts'
import { listIncidents } from './service.ts'
import { noteDeviceClock } from './clocks.service.ts'
import { DeviceClockData, IncidentListData, QuietHoursData, WebhookData, WebhookUploadData } from './schemas.ts'
import { removeWebhook, setQuietHours, setWebhook, tryWebhook, webhook } from './webhook.service.ts'

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
    summary: 'The host of the webhook, or the mail address, that incidents are sent to, and the hours in which warnings wait.',
    run: (ctx) => webhook(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/incidents/webhook',
    access: 'admin',
    body: WebhookUploadData,
    reply: WebhookData,
    summary:
      'Sends incidents to a webhook, as JSON that chat services show, to a mail address (`mailto:`), or to the program that the operator has set (`script:`): each at its beginning and at its end.',
    run: (ctx, { body }) => setWebhook(ctx, body.url),
  }),
  route({
    method: 'DELETE',
    path: '/admin/incidents/webhook',
    access: 'admin',
    status: 204,
    summary: 'Sends incidents to no webhook, mail address or program any more.',
    run: (ctx) => removeWebhook(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/incidents/webhook/quiet',
    access: 'admin',
    body: QuietHoursData,
    reply: WebhookData,
    summary: 'Lets warnings wait in these hours of each night; what is bad is told at once. Without hours nothing waits.',
    run: (ctx, { body }) => setQuietHours(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/admin/incidents/webhook/test',
    access: 'admin',
    status: 204,
    summary: 'Sends a test to the webhook, the mail address or the program; 400 when it is not taken.',
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
