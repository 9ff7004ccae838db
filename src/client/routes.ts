// Every endpoint under /client.
import { UserHeader } from '../accounts/schemas.ts'
import { AppError } from '../core/base/errors.ts'
import { Reply, route } from '../core/http/route.ts'
import { DateTime, Text, Type } from '../core/schema/schema.ts'
import { UserSearch } from '../users/schemas.ts'
import { sendAlerts } from './alert.service.ts'
import { healthOf } from './health.service.ts'
import { metricsOf } from './metrics-page.service.ts'
import {
  AlertmanagerWebhookPayload,
  ClientSettingsData,
  HealthResponse,
  PublicTextContentData,
  PublicTextData,
  PublicTextName,
} from './schemas.ts'
import { headersSince, userSearches } from './service.ts'
import { clientSettings } from './settings.service.ts'
import { changeText, listTexts, resetText } from './texts.service.ts'

const text = { text_name: PublicTextName }

export const clientRoutes = [
  route({
    method: 'GET',
    path: '/client/health',
    access: 'none',
    reply: HealthResponse,
    summary: 'Whether the server and its stores answer.',
    run: async (ctx) => {
      const health = await healthOf(ctx.node)
      if (health.database === 'down') throw new AppError(500, 'database_unavailable', 'The database does not answer.')
      if (health.redis === 'down') throw new AppError(500, 'redis_unavailable', 'Redis does not answer.')
      return { status: 200, reason: 'OK', error: false }
    },
  }),
  route({
    method: 'GET',
    path: '/client/settings',
    access: 'none',
    reply: ClientSettingsData,
    summary: 'Constants of the trip and of this server.',
    // Zones change at their time.
    cached: { tables: [], everySecond: true },
    run: (ctx) => clientSettings(ctx),
  }),
  ...['/client/user/headers/since/:date', '/client/user/updates/since/:date'].map((path) =>
    route({
      method: 'GET',
      path,
      access: 'client',
      params: { date: Text({ max: 100 }) },
      reply: Type.Array(UserHeader),
      summary: 'Users whose profile has changed since a date, for the user named in x-service-user. For client accounts alone.',
      run: (ctx, { params }) => headersSince(ctx, params.date),
    }),
  ),
  route({
    method: 'GET',
    path: '/client/usersearch',
    access: 'client',
    reply: Type.Array(UserSearch),
    summary: 'The names of all users, for the user named in x-service-user. For client accounts alone.',
    run: (ctx) => userSearches(ctx),
  }),
  route({
    method: 'POST',
    path: '/client/alert',
    access: 'service',
    body: AlertmanagerWebhookPayload,
    summary: 'Takes alerts of the Alertmanager and sends each to the users it names, as a private chat. For service accounts.',
    run: (ctx, { body }) => sendAlerts(ctx, body.alerts),
  }),
  route({
    method: 'GET',
    path: '/client/metrics',
    access: 'service',
    summary: 'Metrics of all servers on this port in the Prometheus text format. For service accounts.',
    run: async ({ node }) => new Reply(200, await metricsOf(node), { 'Content-Type': node.metrics.contentType }),
  }),
  route({
    method: 'GET',
    path: '/admin/texts',
    access: 'serviceteam',
    reply: Type.Array(PublicTextData),
    summary: 'Texts for everybody that the host may replace: the code of conduct, questions and answers, help, a welcome.',
    shared: true,
    run: (ctx) => listTexts(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/texts/:text_name',
    access: 'tho',
    params: text,
    body: PublicTextContentData,
    reply: PublicTextData,
    summary: 'Replaces a text for everybody, at once on all servers.',
    run: (ctx, { params, body }) => changeText(ctx, params.text_name, body),
  }),
  route({
    method: 'DELETE',
    path: '/admin/texts/:text_name',
    access: 'tho',
    params: text,
    query: { basedOn: Type.Optional(DateTime) },
    reply: PublicTextData,
    summary: 'Goes back to the text that comes with the program.',
    run: (ctx, { params, query }) => resetText(ctx, params.text_name, query.basedOn),
  }),
]
