// The features of the product: nothing else lists them.
import { accountsFeature } from './accounts/feature.ts'
import { announcementsFeature } from './announcements/feature.ts'
import { authFeature } from './auth/feature.ts'
import { boardgamesFeature } from './boardgames/feature.ts'
import { bulkusersFeature } from './bulkusers/feature.ts'
import { clientFeature } from './client/feature.ts'
import { consoleFeature } from './console/feature.ts'
import { dailythemesFeature } from './dailythemes/feature.ts'
import { eventsFeature } from './events/feature.ts'
import { feedbackFeature } from './feedback/feature.ts'
import { fezFeature } from './fez/feature.ts'
import { forumFeature } from './forum/feature.ts'
import { hitsFeature } from './hits/feature.ts'
import { huntsFeature } from './hunts/feature.ts'
import { imageFeature } from './image/feature.ts'
import { incidentsFeature } from './incidents/feature.ts'
import { karaokeFeature } from './karaoke/feature.ts'
import { lineupFeature } from './lineup/feature.ts'
import { microblogFeature } from './microblog/feature.ts'
import { microkaraokeFeature } from './microkaraoke/feature.ts'
import { moderationFeature } from './moderation/feature.ts'
import { noticesFeature } from './notices/feature.ts'
import { notificationFeature } from './notification/feature.ts'
import { oidcFeature } from './oidc/feature.ts'
import { operateFeature } from './operate/feature.ts'
import { passkeyFeature } from './passkey/feature.ts'
import { performersFeature } from './performers/feature.ts'
import { phoneFeature } from './phone/feature.ts'
import { photostreamFeature } from './photostream/feature.ts'
import { pollFeature } from './poll/feature.ts'
import { postFeature } from './post/feature.ts'
import { quartermasterFeature } from './quartermaster/feature.ts'
import { registrationCodesFeature } from './registration-codes/feature.ts'
import { retentionFeature } from './retention/feature.ts'
import { settingsFeature } from './settings/feature.ts'
import { statisticsFeature } from './statistics/feature.ts'
import { userFeature } from './user/feature.ts'
import { usersFeature } from './users/feature.ts'
import { webhooksFeature } from './webhooks/feature.ts'
import { table, type DeclaredTable } from './core/db/tables.ts'
import { feature, type Feature } from './core/http/feature.ts'
import { webPathsOfFrame } from './web/routes.ts'
import { sharedErrors } from './text/error-codes.ts'
import { forgetAnswers } from './core/db/idempotency.ts'
import { webpushFeature } from './webpush/feature.ts'
import type { Route, SocketRoute } from './core/http/route.ts'

/** What the frame keeps for itself. */
const frame = feature({
  name: 'core',
  tables: [
    table('idempotency_key', { persons: { account_id: 'removed' }, inAnswers: 'none' }),
    table('outbox', { inAnswers: 'none' }),
    table('bus_frame', { inAnswers: 'none' }),
    table('job_run', { inAnswers: 'none' }),
    table('paused_job', { persons: { paused_by: 'kept' }, inAnswers: 'none' }),
    table('schema_migration'),
  ],
  sweeps: [{ name: 'forget-answers', everyMs: 60 * 60_000, run: forgetAnswers }],
})

/** Every feature, the first to be loaded first. */
export const features: readonly Feature[] = [
  frame,
  settingsFeature,
  statisticsFeature,
  announcementsFeature,
  authFeature,
  boardgamesFeature,
  bulkusersFeature,
  clientFeature,
  consoleFeature,
  dailythemesFeature,
  eventsFeature,
  feedbackFeature,
  fezFeature,
  forumFeature,
  imageFeature,
  incidentsFeature,
  huntsFeature,
  karaokeFeature,
  microblogFeature,
  microkaraokeFeature,
  moderationFeature,
  notificationFeature,
  performersFeature,
  phoneFeature,
  photostreamFeature,
  pollFeature,
  quartermasterFeature,
  registrationCodesFeature,
  retentionFeature,
  userFeature,
  usersFeature,
  webhooksFeature,
  webpushFeature,
  accountsFeature,
  hitsFeature,
  lineupFeature,
  noticesFeature,
  oidcFeature,
  operateFeature,
  passkeyFeature,
  postFeature,
]

export const routes: readonly Route[] = features.flatMap((each) => each.routes ?? [])

export const socketRoutes: readonly SocketRoute[] = features.flatMap((each) => each.sockets ?? [])

export const tables: readonly DeclaredTable[] = features.flatMap((each) => each.tables ?? [])

export const errorCodes: Readonly<Record<string, string>> = Object.assign({}, sharedErrors, ...features.map((each) => each.errorCodes))

/** All pages of the browser app. */
export const webPaths: readonly string[] = [...webPathsOfFrame, ...features.flatMap((each) => each.webPaths ?? [])]
