// Endpoints about notices for devices whose app is closed.
import { route } from '../core/http/route.ts'
import { Text } from '../core/schema/schema.ts'
import { PushDeviceData, PushOfferData } from './schemas.ts'
import { addPushDevice, pushOffer, removePushDevice } from './service.ts'

export const pushRoutes = [
  route({
    method: 'GET',
    path: '/notification/push',
    access: 'token',
    reply: PushOfferData,
    summary: 'Whether the host offers notices while the app is closed, with the key for the push service.',
    run: (ctx) => pushOffer(ctx),
  }),
  route({
    method: 'POST',
    path: '/notification/push',
    access: 'token',
    status: 204,
    body: PushDeviceData,
    summary: 'Sends notices to a device while the app is closed, until its session ends; again: other ones.',
    run: (ctx, { body }) => addPushDevice(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/notification/push',
    access: 'token',
    status: 204,
    query: { endpoint: Text({ min: 1, max: 1000 }) },
    summary: 'Sends a device no notices any more while the app is closed.',
    run: (ctx, { query }) => removePushDevice(ctx, query.endpoint),
  }),
]
