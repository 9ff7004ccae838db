// Every endpoint of the photo stream.
import { methodAndPath, route } from '../core/http/route.ts'
import { Int, OneOf } from '../core/schema/schema.ts'
import { shownEvents } from '../events/cached.ts'
import { imageBodyLimit } from '../image/schemas.ts'
import { basedOnVersion, ReportData } from '../moderation/schemas.ts'
import { settableStateNames } from '../moderation/types.ts'
import {
  photoQuery,
  PhotostreamImageData,
  PhotostreamListData,
  PhotostreamLocationData,
  PhotostreamModerationData,
  PhotostreamUploadData,
} from './schemas.ts'
import {
  getPhotoModeration,
  listPhotos,
  listPlaces,
  removePhoto,
  reportPhoto,
  requirePhoto,
  setPhotoState,
  uploadPhoto,
} from './service.ts'

const features = ['photostream'] as const
const photo = { stream_photoID: Int }

export const photostreamRoutes = [
  route({
    method: 'GET',
    path: '/photostream',
    access: 'token',
    features,
    query: photoQuery,
    reply: PhotostreamListData,
    summary: 'The newest photos, with at most one of the filters; for moderators all, in pages.',
    cached: { tables: ['stream_photo'], channels: shownEvents, everySecond: true },
    run: (ctx, { query }) => listPhotos(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/photostream/placenames',
    access: 'token',
    features,
    reply: PhotostreamLocationData,
    summary: 'What a photo that is taken now can be of: the events of at most two hours that are on, and the places.',
    cached: { tables: [], channels: shownEvents, everySecond: true },
    run: (ctx) => listPlaces(ctx),
  }),
  route({
    method: 'POST',
    path: '/photostream/upload',
    access: 'verified',
    features,
    body: PhotostreamUploadData,
    reply: PhotostreamImageData,
    bodyLimit: imageBodyLimit,
    idempotent: true,
    summary: 'Adds a photo to the stream. 429 until five minutes after the last one was taken.',
    check: (ctx, { body }) => requirePhoto(ctx, body),
    run: (ctx, { body }) => uploadPhoto(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/photostream/:stream_photoID/report',
    access: 'token',
    features,
    params: photo,
    body: ReportData,
    status: 201,
    summary: 'Reports a photo to the moderators.',
    run: (ctx, { params, body }) => reportPhoto(ctx, params.stream_photoID, body.message),
  }),
  route({
    method: 'GET',
    path: '/mod/photostream/:stream_photoID',
    access: 'moderator',
    features,
    params: photo,
    reply: PhotostreamModerationData,
    summary: 'A photo with nothing hidden, deleted or not, and its reports.',
    run: (ctx, { params }) => getPhotoModeration(ctx, params.stream_photoID),
  }),
  route({
    method: 'POST',
    path: '/mod/photostream/:stream_photoID/setstate/:mod_state',
    access: 'moderator',
    features,
    params: { ...photo, mod_state: OneOf(settableStateNames) },
    query: basedOnVersion,
    summary: 'Hides or locks a photo, or lets it be.',
    run: (ctx, { params, query }) => setPhotoState(ctx, params.stream_photoID, params.mod_state, query.basedOn),
  }),
  ...(['POST /mod/photostream/:stream_photoID/delete', 'DELETE /mod/photostream/:stream_photoID'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'moderator',
      features,
      params: photo,
      summary: 'Takes a photo out of the stream.',
      run: (ctx, { params }) => removePhoto(ctx, params.stream_photoID),
    }),
  ),
]
