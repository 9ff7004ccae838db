// Every endpoint under /admin.
import { methodAndPath, route } from '../core/route.ts'
import { Uuid } from '../core/schema.ts'
import { createDailyTheme, editDailyTheme, removeDailyTheme } from './dailythemes.service.ts'
import { DailyThemeUploadData } from './schemas.ts'

const theme = { themeID: Uuid }
/** A theme may carry one image. */
const imageBodyLimit = 170 * 1024 * 1024

export const adminRoutes = [
  route({ method: 'POST', path: '/admin/dailytheme/create', access: 'tho', body: DailyThemeUploadData, bodyLimit: imageBodyLimit, status: 201, idempotent: true,
    summary: 'Gives a day its theme.',
    run: (ctx, { body }) => createDailyTheme(ctx, body) }),
  route({ method: 'POST', path: '/admin/dailytheme/:themeID/edit', access: 'tho', params: theme, body: DailyThemeUploadData, bodyLimit: imageBodyLimit, status: 201,
    summary: 'Replaces all of a theme; without an image it has none any more.',
    run: (ctx, { params, body }) => editDailyTheme(ctx, params.themeID, body) }),
  ...(['POST /admin/dailytheme/:themeID/delete', 'DELETE /admin/dailytheme/:themeID'] as const).map((twin) => route({
    ...methodAndPath(twin), access: 'tho', params: theme, status: 204,
    summary: 'Leaves a day without a theme.',
    run: (ctx, { params }) => removeDailyTheme(ctx, params.themeID) })),
]
