// Joins every feature's tables.
import { gated, openToUnverified, type Route, type SocketRoute } from './core/http/route.ts'
import { announcementRoutes } from './announcements/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { boardgamesRoutes } from './boardgames/routes.ts'
import { bulkUserRoutes } from './bulkusers/routes.ts'
import { clientRoutes } from './client/routes.ts'
import { eventLifeRoutes } from './console/event.routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { dailyThemeRoutes } from './dailythemes/routes.ts'
import { adminScheduleRoutes } from './events/admin.routes.ts'
import { eventsRoutes } from './events/routes.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { fezModerationRoutes } from './fez/moderation.routes.ts'
import { personalEventRoutes } from './fez/personal.routes.ts'
import { fezRoutes, fezSockets } from './fez/routes.ts'
import { forumModerationRoutes } from './forum/moderation.routes.ts'
import { forumPostRoutes } from './forum/posts.routes.ts'
import { forumRoutes } from './forum/routes.ts'
import { imageRoutes } from './image/routes.ts'
import { huntRoutes } from './hunts/routes.ts'
import { karaokeRoutes } from './karaoke/routes.ts'
import { microblogModerationRoutes } from './microblog/moderation.routes.ts'
import { microblogRoutes } from './microblog/routes.ts'
import { microKaraokeModerationRoutes } from './microkaraoke/moderation.routes.ts'
import { microKaraokeRoutes } from './microkaraoke/routes.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { notificationRoutes, notificationSockets } from './notification/routes.ts'
import { adminPerformerRoutes } from './performers/admin.routes.ts'
import { performerRoutes } from './performers/routes.ts'
import { phoneRoutes, phoneSockets } from './phone/routes.ts'
import { photostreamRoutes } from './photostream/routes.ts'
import { registrationCodeRoutes } from './registration-codes/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { barrelRoutes } from './user/barrels.routes.ts'
import { userRoutes } from './user/routes.ts'
import { userModerationRoutes } from './users/moderation.routes.ts'
import { usersRoutes } from './users/routes.ts'
import { teamRoutes } from './users/team.routes.ts'

export const routes: readonly Route[] = [
  ...statisticsRoutes,
  ...announcementRoutes,
  ...openToUnverified(authRoutes),
  ...openToUnverified(boardgamesRoutes),
  ...bulkUserRoutes,
  ...clientRoutes,
  ...openToUnverified(consoleRoutes),
  ...eventLifeRoutes,
  ...dailyThemeRoutes,
  ...adminScheduleRoutes,
  ...openToUnverified(eventsRoutes),
  ...openToUnverified(feedbackRoutes),
  ...fezModerationRoutes,
  ...fezRoutes,
  ...personalEventRoutes,
  ...forumModerationRoutes,
  ...forumPostRoutes,
  ...forumRoutes,
  ...imageRoutes,
  ...openToUnverified(huntRoutes),
  ...openToUnverified(karaokeRoutes),
  ...microblogModerationRoutes,
  ...microblogRoutes,
  ...microKaraokeModerationRoutes,
  ...microKaraokeRoutes,
  ...moderationRoutes,
  ...openToUnverified(notificationRoutes),
  ...adminPerformerRoutes,
  ...openToUnverified(performerRoutes),
  ...phoneRoutes,
  ...photostreamRoutes,
  ...registrationCodeRoutes,
  ...settingsRoutes,
  ...barrelRoutes,
  ...openToUnverified(userRoutes),
  ...userModerationRoutes,
  ...gated('open', usersRoutes),
  ...teamRoutes,
]

export const socketRoutes: readonly SocketRoute[] = [...fezSockets, ...notificationSockets, ...phoneSockets]
