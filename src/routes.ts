// Joins every feature's table. The first segment of a path names the folder that declares it.
import type { Route, SocketRoute } from './core/http/route.ts'
import { bulkUserRoutes } from './admin/bulkusers.routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { adminScheduleRoutes } from './admin/schedule.routes.ts'
import { authRoutes } from './auth/routes.ts'
import { boardgamesRoutes } from './boardgames/routes.ts'
import { clientRoutes } from './client/routes.ts'
import { eventsRoutes } from './events/routes.ts'
import { fezRoutes, fezSockets } from './fez/routes.ts'
import { forumPostRoutes } from './forum/posts.routes.ts'
import { forumRoutes } from './forum/routes.ts'
import { imageRoutes } from './image/routes.ts'
import { karaokeRoutes } from './karaoke/routes.ts'
import { microblogRoutes } from './microblog/routes.ts'
import { karaokeMkRoutes } from './karaoke/mk.routes.ts'
import { microKaraokeRoutes } from './microkaraoke/routes.ts'
import { modMicroKaraokeRoutes } from './mod/microkaraoke.routes.ts'
import { modRoutes } from './mod/routes.ts'
import { notificationRoutes, notificationSockets } from './notification/routes.ts'
import { phoneRoutes, phoneSockets } from './phone/routes.ts'
import { barrelRoutes } from './user/barrels.routes.ts'
import { userRoutes } from './user/routes.ts'
import { usersRoutes } from './users/routes.ts'

export const routes: readonly Route[] = [
  ...adminRoutes,
  ...adminScheduleRoutes,
  ...authRoutes,
  ...bulkUserRoutes,
  ...barrelRoutes,
  ...boardgamesRoutes,
  ...clientRoutes,
  ...eventsRoutes,
  ...fezRoutes,
  ...forumPostRoutes,
  ...forumRoutes,
  ...imageRoutes,
  ...karaokeRoutes,
  ...microblogRoutes,
  ...karaokeMkRoutes,
  ...microKaraokeRoutes,
  ...modMicroKaraokeRoutes,
  ...modRoutes,
  ...notificationRoutes,
  ...phoneRoutes,
  ...userRoutes,
  ...usersRoutes,
]

export const socketRoutes: readonly SocketRoute[] = [...fezSockets, ...notificationSockets, ...phoneSockets]
