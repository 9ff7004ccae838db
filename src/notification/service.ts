// What waits for a user, from the channels in memory.
import type { OpenCtx, Ctx, Node } from '../core/ctx.ts'
import { builtIn } from '../core/accounts.ts'
import { badRequest } from '../core/errors.ts'
import type { SocketHandlers } from '../core/route.ts'
import { atLeast, isModerator, type Viewer } from '../core/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { maxSocketsPerUser, NotificationSession, userChannelOf } from '../users/channel.ts'
import { userKind } from '../users/events.ts'
import { announcementsOf, type AnnouncementsChannel } from './announcements.channel.ts'
import type { UserNotificationData } from './schemas.ts'

type ModeratorData = NonNullable<UserNotificationData['moderatorData']>

/** The state of the server and of the caller, if there is one. Made to be asked for all the time. */
export function notificationData(ctx: OpenCtx): UserNotificationData | Promise<UserNotificationData> {
  const { viewer } = ctx
  const announcements = announcementsOf(ctx.node)
  if (announcements instanceof Promise || (viewer && isModerator(viewer))) return dataLater(ctx, announcements)
  return dataFor(ctx, announcements)
}

async function dataLater(ctx: OpenCtx, announcements: AnnouncementsChannel | Promise<AnnouncementsChannel>): Promise<UserNotificationData> {
  const { viewer } = ctx
  const moderators = viewer && isModerator(viewer) ? { moderatorData: await moderatorData(ctx.node, viewer) } : {}
  return { ...dataFor(ctx, await announcements), ...moderators }
}

function dataFor(ctx: OpenCtx, announcements: AnnouncementsChannel): UserNotificationData {
  const settings = settingsOf(ctx.node)
  const now = new Date(ctx.nowMs)
  const { zone, upcomingFrom } = settings.shipTimeAt(ctx.nowMs)
  const server = {
    serverTime: `${now.toISOString().slice(0, 19)}Z`,
    serverTimeOffset: zone.offsetSeconds,
    serverTimeZoneID: zone.id,
    serverTimeZone: zone.abbreviation,
    disabledFeatures: settings.values.disabledFeatures,
  }
  const user = ctx.viewer && userChannelOf(ctx.viewer)
  const { added, unread } = user?.mailbox.counts() ?? noChats
  const next = user?.mailbox.nextAppointment(upcomingFrom.lfgs)
  const active = announcements.active()
  return {
    ...server,
    ...ctx.viewer ? { shipWifiSSID: settings.values.shipWifiSSID } : {},
    activeAnnouncementIDs: active.map(({ id }) => id),
    newAnnouncementCount: user ? active.filter(({ id }) => id > user.readAnnouncementID).length : 0,
    twarrtMentionCount: 0,
    newTwarrtMentionCount: 0,
    forumMentionCount: 0,
    newForumMentionCount: 0,
    addedToSeamailCount: added.seamail,
    addedToLFGCount: added.lfg,
    addedToPrivateEventCount: added.privateEvent,
    newSeamailMessageCount: unread.seamail,
    newFezMessageCount: unread.lfg,
    newPrivateEventMessageCount: unread.privateEvent,
    microKaraokeFinishedSongCount: 0,
    ...next ? { nextJoinedLFGTime: next.startTime, nextJoinedLFGID: next.fezID } : {},
    alertWords: [],
  }
}

/** What waits in the shared inboxes: everybody of the team sees the same. */
async function moderatorData(node: Node, viewer: Viewer): Promise<ModeratorData> {
  const inServiceTeam = atLeast(viewer.level, 'serviceteam')
  const [moderators, serviceTeam] = await Promise.all([newChats(node, builtIn.moderator), inServiceTeam ? newChats(node, builtIn.ServiceTeam) : 0])
  return { openReportCount: 0, newModeratorSeamailMessageCount: moderators, newTTSeamailMessageCount: serviceTeam, newModeratorForumMentionCount: 0, newTTForumMentionCount: 0 }
}

async function newChats(node: Node, accountId: string): Promise<number> {
  const counts = (await node.channels.of(userKind).get(accountId))?.mailbox.counts() ?? noChats
  return [counts.added, counts.unread].flatMap((byGroup) => Object.values(byGroup)).reduce((sum, count) => sum + count, 0)
}

const noChats = { added: { seamail: 0, lfg: 0, privateEvent: 0 }, unread: { seamail: 0, lfg: 0, privateEvent: 0 } }

/** A device's socket for everything that concerns the user. */
export function openNotificationSocket(ctx: Ctx): SocketHandlers {
  const user = userChannelOf(ctx.viewer)
  if (user.notificationSockets.size >= maxSocketsPerUser) throw badRequest(`There can be at most ${maxSocketsPerUser} open sockets per user.`)
  return new NotificationSession(user)
}
