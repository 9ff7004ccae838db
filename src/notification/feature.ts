// What waits for a user.
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { rebuildId, rebuildKind } from './rebuild.channel.ts'
import { notificationRoutes, notificationSockets } from './routes.ts'

export const notificationFeature = feature({
  name: 'notification',
  webPaths: ['/notices'],
  routes: openToUnverified(notificationRoutes),
  sockets: notificationSockets,
  load: ({ channels }) => channels.of(rebuildKind).get(rebuildId),
})
