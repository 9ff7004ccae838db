// Every endpoint under /notification.
import { route, socketRoute } from '../core/route.ts'
import { SocketNotificationData, UserNotificationData } from './schemas.ts'
import { notificationData, openNotificationSocket } from './service.ts'

export const notificationRoutes = (['/notification/global', '/notification/user'] as const).map((path) => route({
  method: 'GET', path, access: 'flex', reply: UserNotificationData,
  summary: 'The state of the server and what waits for the caller. Meant to be polled.',
  run: (ctx) => notificationData(ctx) }))

export const notificationSockets = [
  socketRoute({ path: '/notification/socket', sends: [SocketNotificationData],
    summary: 'Everything that concerns the user, as it happens.',
    open: (ctx) => openNotificationSocket(ctx) }),
]
