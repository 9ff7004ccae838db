// The endpoints of barrels, under /user/barrel and /user/barrels.
import { methodAndPath, route } from '../core/http/route.ts'
import { Text, Type, Uuid } from '../core/schema/schema.ts'
import {
  addToBarrel,
  createBarrel,
  getBarrel,
  listBarrels,
  listUserBarrels,
  removeBarrel,
  removeFromBarrel,
  renameBarrel,
} from './barrels.service.ts'
import { BarrelCreateData, BarrelData, BarrelListData, BarrelName } from './schemas.ts'

const barrel = { barrel_id: Uuid }
const item = { ...barrel, string: Text({ min: 1 }) }

export const barrelRoutes = [
  route({
    method: 'POST',
    path: '/user/barrel',
    clientName: 'createBarrel',
    access: 'token',
    body: BarrelCreateData,
    reply: BarrelData,
    status: 201,
    idempotent: true,
    summary: 'Makes a list of words, or of users.',
    run: (ctx, { body }) => createBarrel(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/user/barrels',
    access: 'token',
    reply: Type.Array(BarrelListData),
    summary: 'The own barrels: built-in ones, word lists, user lists.',
    cached: { tables: ['barrel', 'barrel_user', 'barrel_word', 'alertword', 'muteword'] },
    run: (ctx) => listBarrels(ctx),
  }),
  route({
    method: 'GET',
    path: '/user/barrels/seamonkey',
    access: 'token',
    reply: Type.Array(BarrelListData),
    summary: 'The own lists of users.',
    run: (ctx) => listUserBarrels(ctx),
  }),
  route({
    method: 'GET',
    path: '/user/barrels/:barrel_id',
    clientName: 'barrel',
    access: 'token',
    params: barrel,
    reply: BarrelData,
    summary: 'What is in one of the own barrels.',
    cached: { tables: ['barrel', 'barrel_user', 'barrel_word', 'alertword', 'muteword'] },
    run: (ctx, { params }) => getBarrel(ctx, params.barrel_id),
  }),
  route({
    method: 'POST',
    path: '/user/barrels/:barrel_id/add/:string',
    access: 'token',
    params: item,
    reply: BarrelData,
    summary: 'Adds a word to a word list, or a user by id to a user list.',
    run: (ctx, { params }) => addToBarrel(ctx, params.barrel_id, params.string),
  }),
  route({
    method: 'POST',
    path: '/user/barrels/:barrel_id/remove/:string',
    access: 'token',
    params: item,
    reply: BarrelData,
    summary: 'Removes a word from a word list, or a user by id from a user list.',
    run: (ctx, { params }) => removeFromBarrel(ctx, params.barrel_id, params.string),
  }),
  route({
    method: 'POST',
    path: '/user/barrels/:barrel_id/rename/:barrel_name',
    access: 'token',
    params: { ...barrel, barrel_name: BarrelName },
    reply: BarrelData,
    summary: 'Gives a barrel another name.',
    run: (ctx, { params }) => renameBarrel(ctx, params.barrel_id, params.barrel_name),
  }),
  ...['POST /user/barrels/:barrel_id/delete', 'DELETE /user/barrels/:barrel_id'].map((twin) =>
    route({
      ...methodAndPath(twin),
      clientName: 'removeBarrel',
      access: 'token',
      params: barrel,
      status: 204,
      summary: 'Removes a barrel.',
      run: (ctx, { params }) => removeBarrel(ctx, params.barrel_id),
    }),
  ),
]
