// Every endpoint of the item board.
import { methodAndPath, route } from '../core/http/route.ts'
import { OneOf, Type, Uuid } from '../core/schema/schema.ts'
import { imageBodyLimit } from '../image/schemas.ts'
import { basedOnVersion, ReportData } from '../moderation/schemas.ts'
import { settableStateNames } from '../moderation/types.ts'
import {
  itemQuery,
  QuartermasterContentData,
  QuartermasterCreateData,
  QuartermasterData,
  QuartermasterListData,
  QuartermasterModerationData,
} from './schemas.ts'
import {
  changeItem,
  createItems,
  getItem,
  getItemModeration,
  listItems,
  removeItem,
  reportItem,
  requireEntries,
  requirePhoto,
  setItemState,
} from './service.ts'

const features = ['quartermaster'] as const
const item = { item_id: Uuid }

export const quartermasterRoutes = [
  route({
    method: 'GET',
    path: '/quartermaster',
    access: 'token',
    features,
    query: itemQuery,
    reply: QuartermasterListData,
    summary: 'What people have and what they need, last changed first; all of it, one half, what has some words, or the own.',
    run: (ctx, { query }) => listItems(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/quartermaster/:item_id',
    access: 'token',
    features,
    params: item,
    reply: QuartermasterData,
    summary: 'One item.',
    run: (ctx, { params }) => getItem(ctx, params.item_id),
  }),
  route({
    method: 'POST',
    path: '/quartermaster/create',
    access: 'verified',
    features,
    body: QuartermasterCreateData,
    reply: Type.Array(QuartermasterData),
    status: 201,
    bodyLimit: imageBodyLimit,
    idempotent: true,
    summary: 'Posts up to ten items, all or none; they are answered in their order.',
    check: (ctx, { body }) => requireEntries(ctx, body),
    run: (ctx, { body }) => createItems(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/quartermaster/:item_id/update',
    access: 'token',
    features,
    params: item,
    body: QuartermasterContentData,
    reply: QuartermasterData,
    bodyLimit: imageBodyLimit,
    summary: 'Puts something else in the place of an item of the caller; moderators may change any.',
    check: (ctx, { body }) => requirePhoto(ctx, body),
    run: (ctx, { params, body }) => changeItem(ctx, params.item_id, body),
  }),
  ...(['POST /quartermaster/:item_id/delete', 'DELETE /quartermaster/:item_id'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: item,
      status: 204,
      summary: 'Takes an item of the caller off the board; moderators may take off any.',
      run: (ctx, { params }) => removeItem(ctx, params.item_id),
    }),
  ),
  route({
    method: 'POST',
    path: '/quartermaster/:item_id/report',
    access: 'token',
    features,
    params: item,
    body: ReportData,
    status: 201,
    summary: 'Reports an item to the moderators.',
    run: (ctx, { params, body }) => reportItem(ctx, params.item_id, body.message),
  }),
  route({
    method: 'GET',
    path: '/mod/quartermaster/:item_id',
    access: 'moderator',
    features,
    params: item,
    reply: QuartermasterModerationData,
    summary: 'An item with nothing hidden, deleted or not, what it was before, and its reports.',
    run: (ctx, { params }) => getItemModeration(ctx, params.item_id),
  }),
  route({
    method: 'POST',
    path: '/mod/quartermaster/:item_id/setstate/:mod_state',
    access: 'moderator',
    features,
    params: { ...item, mod_state: OneOf(settableStateNames) },
    query: basedOnVersion,
    summary: 'Hides or locks an item, or lets it be.',
    run: (ctx, { params, query }) => setItemState(ctx, params.item_id, params.mod_state, query.basedOn),
  }),
]
