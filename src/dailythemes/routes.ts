// Daily themes: shown to everybody, kept by the team.
import { methodAndPath, route } from '../core/http/route.ts'
import { DateTime, Type, Uuid } from '../core/schema/schema.ts'
import { imageBodyLimit } from '../image/schemas.ts'
import { requireUploads } from '../image/service.ts'
import { DailyThemeData, DailyThemeTableData, DailyThemeUploadData } from './schemas.ts'
import { createDailyTheme, editDailyTheme, listDailyThemes, removeDailyTheme, writeThemeTable } from './service.ts'

const theme = { themeID: Uuid }

export const dailyThemeRoutes = [
  route({
    method: 'GET',
    path: '/notification/dailythemes',
    access: 'flex',
    reply: Type.Array(DailyThemeData),
    conditional: true,
    summary: 'The themes of all days, in order.',
    cached: { tables: ['daily_theme'] },
    run: (ctx) => listDailyThemes(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/dailytheme/create',
    access: 'tho',
    body: DailyThemeUploadData,
    bodyLimit: imageBodyLimit,
    status: 201,
    idempotent: true,
    summary: 'Gives a day its theme.',
    check: (ctx, { body }) => requireUploads(ctx, body.image ? [['image', body.image]] : []),
    run: (ctx, { body }) => createDailyTheme(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/admin/dailytheme/:themeID/edit',
    access: 'tho',
    params: theme,
    body: DailyThemeUploadData,
    bodyLimit: imageBodyLimit,
    status: 201,
    summary: 'Replaces all of a theme; without an image it has none any more.',
    check: (ctx, { body }) => requireUploads(ctx, body.image ? [['image', body.image]] : []),
    run: (ctx, { params, body }) => editDailyTheme(ctx, params.themeID, body),
  }),
  route({
    method: 'POST',
    path: '/admin/dailytheme/table',
    access: 'tho',
    body: DailyThemeTableData,
    reply: Type.Array(DailyThemeData),
    summary:
      'Writes the words of several days, all or none, and answers with all themes. Images stay; a day without a title loses its theme.',
    run: (ctx, { body }) => writeThemeTable(ctx, body),
  }),
  ...(['POST /admin/dailytheme/:themeID/delete', 'DELETE /admin/dailytheme/:themeID'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'tho',
      params: theme,
      query: { basedOn: Type.Optional(DateTime) },
      status: 204,
      summary: 'Leaves a day without a theme.',
      run: (ctx, { params, query }) => removeDailyTheme(ctx, params.themeID, query.basedOn),
    }),
  ),
]
