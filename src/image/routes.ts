// Every endpoint under /image.
import { forEver } from '../core/http/file-reply.ts'
import { route } from '../core/http/route.ts'
import { Text, Type, Uuid } from '../core/schema/schema.ts'
import { listDescriptions } from './descriptions.service.ts'
import { ImageDescriptionData } from './schemas.ts'
import { maxQrBytes, sendIdenticon, sendImage, sendQrCode, sendUserImage } from './service.ts'

const features = ['images'] as const
const file = { image_filename: Type.String() }
const user = { user_id: Uuid }

export const imageRoutes = [
  route({
    method: 'GET',
    path: '/image/descriptions',
    access: 'token',
    features,
    query: { image: Type.Array(Text({ max: 200 }), { maxItems: 50 }) },
    reply: Type.Array(ImageDescriptionData),
    summary: 'What is to be seen in stored images, in the words of whoever has uploaded them; of those that were described.',
    cached: { tables: ['image_description'] },
    run: (ctx, { query }) => listDescriptions(ctx, query.image),
  }),
  route({
    method: 'GET',
    path: '/image/qrcode',
    access: 'flex',
    gate: 'open',
    features,
    query: { string: Text({ min: 1, max: maxQrBytes }) },
    summary: 'A text as a QR code: a PNG of 400 by 400 pixels.',
    cached: { tables: [] },
    effort: 5,
    run: (_ctx, { query }) => sendQrCode(query.string),
  }),
  route({
    method: 'GET',
    path: '/image/full/:image_filename',
    access: 'flex',
    gate: 'open',
    features,
    params: file,
    summary: 'A stored image.',
    run: (ctx, { params }) => sendImage(ctx, 'full', params.image_filename, forEver),
  }),
  route({
    method: 'GET',
    path: '/image/thumb/:image_filename',
    access: 'flex',
    gate: 'open',
    features,
    params: file,
    summary: 'The thumbnail of a stored image, at most 200 pixels high.',
    run: (ctx, { params }) => sendImage(ctx, 'thumb', params.image_filename, forEver),
  }),
  route({
    method: 'GET',
    path: '/image/archive/:image_filename',
    access: 'moderator',
    features,
    params: file,
    summary: 'The thumbnail of an image that was replaced or deleted. For moderators.',
    run: (ctx, { params }) => sendImage(ctx, 'archive', params.image_filename),
  }),
  route({
    method: 'GET',
    path: '/image/user/identicon/:user_id',
    access: 'flex',
    gate: 'open',
    features,
    params: user,
    summary: 'The picture that is made from the id of a user.',
    run: (ctx, { params }) => sendIdenticon(ctx, params.user_id),
  }),
  route({
    method: 'GET',
    path: '/image/user/full/:user_id',
    access: 'flex',
    gate: 'open',
    features,
    params: user,
    summary: 'The picture of a user, or their identicon.',
    run: (ctx, { params }) => sendUserImage(ctx, 'full', params.user_id),
  }),
  route({
    method: 'GET',
    path: '/image/user/thumb/:user_id',
    access: 'flex',
    gate: 'open',
    features,
    params: user,
    summary: 'The thumbnail of the picture of a user, or their identicon.',
    run: (ctx, { params }) => sendUserImage(ctx, 'thumb', params.user_id),
  }),
]
