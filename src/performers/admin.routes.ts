// Endpoints under /admin about performers.
import { Reply, route } from '../core/http/route.ts'
import { Text, Type, Uuid } from '../core/schema/schema.ts'
import { imageBodyLimit } from '../image/schemas.ts'
import { removePerformer, upsertPerformer } from './admin.service.ts'
import { applyLinks, uploadLinks, verifyLinks } from './links.service.ts'
import { applyProfiles, uploadProfiles, verifyProfiles } from './profiles.service.ts'
import {
  EventPerformerValidationData,
  PerformerImportList,
  PerformerLinksUpload,
  PerformerUpdateDifferenceData,
  PerformerUploadData,
} from './schemas.ts'
import { requirePhoto } from './service.ts'

const access = 'serviceteam'
const features = ['performers'] as const
const flag = Type.Optional(Text({ max: 200 }))

export const adminPerformerRoutes = [
  route({
    method: 'POST',
    path: '/admin/performer/upsert',
    access,
    features,
    body: PerformerUploadData,
    summary: 'Creates a performer, or changes the one with this id, or else the one with exactly this name. Their events stay.',
    bodyLimit: imageBodyLimit,
    check: (ctx, { body }) => requirePhoto(ctx, body),
    run: (ctx, { body }) => upsertPerformer(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/admin/performer/:performer_id',
    access,
    gate: 'preregistration',
    features,
    params: { performer_id: Uuid },
    maybeNone: true,
    summary: 'Deletes a performer and takes them off all events; 204 when there is none.',
    run: async (ctx, { params }) => new Reply((await removePerformer(ctx, params.performer_id)) ? 200 : 204),
  }),
  route({
    method: 'POST',
    path: '/admin/performer/link/upload',
    access,
    features,
    body: PerformerLinksUpload,
    summary:
      'Keeps a spreadsheet (.xlsx, as a JSON string in base64) to be compared and applied, in place of the one before. Its sheet ' +
      '"Full Schedule" has the columns Day, Start, EventName and Featuring.',
    run: (ctx, { body }) => uploadLinks(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/admin/performer/link/verify',
    access,
    features,
    reply: EventPerformerValidationData,
    summary: 'What the spreadsheet that was uploaded would do.',
    run: (ctx) => verifyLinks(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/performer/link/apply',
    access,
    features,
    summary: 'Lets official performers appear at the events that the spreadsheet says, and at no others.',
    run: (ctx) => applyLinks(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/performer/bulk/upload',
    access,
    features,
    body: PerformerImportList,
    summary: 'Keeps a list of official performers to be compared and applied, in place of the one before.',
    run: (ctx, { body }) => uploadProfiles(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/admin/performer/bulk/verify',
    access,
    features,
    reply: PerformerUpdateDifferenceData,
    summary: 'What the list that was uploaded would change.',
    run: (ctx) => verifyProfiles(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/performer/bulk/apply',
    access,
    features,
    query: { processDeletes: flag, processUpdates: flag, linkEvents: flag },
    summary:
      'Makes the official performers what the uploaded list says. Those that it lacks are deleted with processDeletes=true; ' +
      'processUpdates=false and linkEvents=false leave out changes and events. Photos of new ones are fetched one after another ' +
      'from then on.',
    run: (ctx, { query }) => applyProfiles(ctx, query),
  }),
]
