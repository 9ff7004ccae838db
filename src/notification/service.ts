// What waits for a user, from the channels in memory.
import type { OpenCtx, Ctx } from '../core/ctx.ts'
import { badRequest } from '../core/errors.ts'
import type { SocketHandlers } from '../core/route.ts'
import { closeCodes } from '../core/sockets.ts'
import { isModerator } from '../core/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { maxSocketsPerUser, userChannelOf } from '../users/channel.ts'
import type { UserNotificationData } from './schemas.ts'

/** The state of the server and of the caller, if there is one. Made to be asked for all the time. */
export function notificationData(ctx: OpenCtx): UserNotificationData {
  const settings = settingsOf(ctx.node)
  const now = new Date(ctx.nowMs)
  const zone = settings.trip.zoneAt(now)
  const server = {
    serverTime: `${now.toISOString().slice(0, 19)}Z`,
    serverTimeOffset: zone.offsetSeconds,
    serverTimeZoneID: zone.id,
    serverTimeZone: zone.abbreviation,
    disabledFeatures: settings.values.disabledFeatures,
  }
  const { added, unread } = ctx.viewer ? userChannelOf(ctx.viewer).mailbox.counts() : noChats
  return {
    ...server,
    ...ctx.viewer ? { shipWifiSSID: settings.values.shipWifiSSID } : {},
    activeAnnouncementIDs: [],
    newAnnouncementCount: 0,
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
    alertWords: [],
    ...ctx.viewer && isModerator(ctx.viewer) ? { moderatorData: noModeratorNews } : {},
  }
}

const noChats = { added: { seamail: 0, lfg: 0, privateEvent: 0 }, unread: { seamail: 0, lfg: 0, privateEvent: 0 } }
const noModeratorNews = { openReportCount: 0, newModeratorSeamailMessageCount: 0, newTTSeamailMessageCount: 0, newModeratorForumMentionCount: 0, newTTForumMentionCount: 0 }

/** A device's socket for everything that concerns the user. */
export function openNotificationSocket(ctx: Ctx): SocketHandlers {
  const user = userChannelOf(ctx.viewer)
  if (user.notificationSockets.size >= maxSocketsPerUser) throw badRequest(`There can be at most ${maxSocketsPerUser} open sockets per user.`)
  return {
    opened(socket) {
      if (user.mayConnect) user.notificationSockets.add(socket)
      else socket.close(closeCodes.goingAway)
    },
    closed: (socket) => void user.notificationSockets.delete(socket),
  }
}
