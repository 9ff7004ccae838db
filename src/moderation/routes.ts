// Reports and the action log.
import { pageQuery } from '../core/http/paging.ts'
import { route } from '../core/http/route.ts'
import { DateTime, OneOf, Type, Uuid } from '../core/schema/schema.ts'
import { listModeratorActions } from './log.service.ts'
import { closeReports, handleReports, listReportQueue, listReports } from './report.service.ts'
import {
  basedOnVersion,
  ModeratorActionLogResponseData,
  ReportModerationData,
  ReportQueueData,
  SeamailTemplateContentData,
  SeamailTemplateData,
} from './schemas.ts'
import { changeTemplate, createTemplate, listTemplates, removeTemplate } from './templates.service.ts'
import { queueOrders, reportStates, reportTypes } from './types.ts'

const report = { report_id: Uuid }
/** Whatever can be reported, and where it stands. */
const queueTables = [
  ...['report', 'audit', 'forum', 'forum_post', 'microblog_post', 'fez', 'fez_post'],
  ...['stream_photo', 'event', 'mk_song', 'mk_snippet', 'quartermaster_item'],
]
const template = { template_id: Uuid }

export const moderationRoutes = [
  route({
    method: 'GET',
    path: '/mod/reports',
    access: 'moderator',
    reply: Type.Array(ReportModerationData),
    summary: 'All reports, open and closed, newest first.',
    cached: { tables: ['report'] },
    run: (ctx) => listReports(ctx),
  }),
  route({
    method: 'GET',
    path: '/mod/reports/queue',
    access: 'moderator',
    query: {
      state: Type.Optional(OneOf(reportStates)),
      type: Type.Optional(OneOf(reportTypes)),
      mine: Type.Optional(Type.Boolean()),
      sort: Type.Optional(OneOf(queueOrders)),
      ...pageQuery,
    },
    reply: ReportQueueData,
    summary:
      'What was reported, grouped by content: first what waits longest. Without a state, all that is not closed; with `mine`, what ' +
      'the caller has taken.',
    cached: { tables: queueTables, everySecond: true },
    run: (ctx, { query }) => listReportQueue(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/mod/reports/:report_id/handleall',
    access: 'moderator',
    params: report,
    query: basedOnVersion,
    summary: 'Takes all reports on the same content that are not closed. With basedOn, 409 when another moderator has acted since.',
    run: (ctx, { params, query }) => handleReports(ctx, params.report_id, query.basedOn),
  }),
  route({
    method: 'POST',
    path: '/mod/reports/:report_id/closeall',
    access: 'moderator',
    params: report,
    query: basedOnVersion,
    summary: 'Closes all reports on the same content. With basedOn, 409 when another moderator has acted since, or there is a new report.',
    run: (ctx, { params, query }) => closeReports(ctx, params.report_id, query.basedOn),
  }),
  route({
    method: 'GET',
    path: '/mod/moderationlog',
    access: 'moderator',
    query: pageQuery,
    reply: ModeratorActionLogResponseData,
    summary: 'What moderators did with what others own, newest first.',
    cached: { tables: ['moderator_action'] },
    run: (ctx, { query }) => listModeratorActions(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/mod/templates',
    access: 'moderator',
    reply: Type.Array(SeamailTemplateData),
    summary: 'Letters that moderators write again and again, by title.',
    cached: { tables: ['seamail_template'] },
    run: (ctx) => listTemplates(ctx),
  }),
  route({
    method: 'POST',
    path: '/mod/templates',
    access: 'moderator',
    body: SeamailTemplateContentData,
    reply: SeamailTemplateData,
    status: 201,
    idempotent: true,
    summary: 'Adds a template.',
    run: (ctx, { body }) => createTemplate(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/mod/templates/:template_id',
    access: 'moderator',
    params: template,
    body: SeamailTemplateContentData,
    reply: SeamailTemplateData,
    summary: 'Replaces the text of a template.',
    run: (ctx, { params, body }) => changeTemplate(ctx, params.template_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/mod/templates/:template_id',
    access: 'moderator',
    params: template,
    query: { basedOn: Type.Optional(DateTime) },
    summary: 'Deletes a template.',
    run: (ctx, { params, query }) => removeTemplate(ctx, params.template_id, query.basedOn),
  }),
]
