// The numbers that wait for a user, from the channels in memory.
import type { OpenCtx, Ctx, Node } from '../core/work/ctx.ts'
import { builtIn } from '../accounts/rows.ts'
import { badRequest } from '../core/base/errors.ts'
import { withEtag } from '../core/http/etag.ts'
import type { Reply, SocketHandlers } from '../core/http/route.ts'
import { maxSocketsPerUser } from '../core/http/sockets.ts'
import { atLeast, isModerator } from '../core/base/viewer.ts'
import { scheduleOf, type ScheduleChannel } from '../events/channel.ts'
import { reportsId, reportsKind, type ReportsChannel } from '../moderation/reports.channel.ts'
import { settingsOf, type SettingsChannel, type ShipTime } from '../settings/channel.ts'
import { userChannelOf, type UserChannel } from '../users/channel.ts'
import { NotificationSession } from '../users/sockets.ts'
import { announcementsOf, type AnnouncementsChannel } from '../announcements/channel.ts'
import type { AnnouncementRow } from '../announcements/rows.ts'
import { freshHits, noHits, type HitCount } from '../hits/hits.ts'
import { hitFields } from './hit-fields.ts'
import { noCounts, type UnreadState, type UnreadCounts } from '../fez/unread.ts'
import { Memo } from '../core/base/memo.ts'
import { joinParts, polledPart, type PolledPart } from '../core/http/polled-json.ts'
import type { UserNotificationData } from './schemas.ts'

type ServerFields = Pick<
  UserNotificationData,
  'serverTimeOffset' | 'serverTimeZoneID' | 'serverTimeZone' | 'disabledFeatures' | 'activeAnnouncementIDs'
>
type UserFields = Omit<UserNotificationData, keyof ServerFields | 'serverTime'>
type ModeratorData = NonNullable<UserNotificationData['moderatorData']>

/**
 * The state of the server and of the caller, if there is one: an UserNotificationData. Clients ask for it all the time.
 * Its ETag covers everything but the time.
 */
export function notificationData(ctx: OpenCtx): Reply<UserNotificationData> | Promise<Reply<UserNotificationData>> {
  const announcements = announcementsOf(ctx.node)
  const schedule = scheduleOf(ctx.node)
  const reports = ctx.viewer && isModerator(ctx.viewer) ? reportsOf(ctx.node) : undefined
  if (!(announcements instanceof Promise) && !(schedule instanceof Promise) && !(reports instanceof Promise))
    return reply(ctx, announcements, schedule, reports)
  return Promise.all([announcements, schedule, reports]).then((loaded) => reply(ctx, ...loaded))
}

function reply(
  ctx: OpenCtx,
  announcements: AnnouncementsChannel,
  schedule: ScheduleChannel,
  reports: ReportsChannel | undefined,
): Reply<UserNotificationData> {
  const settings = settingsOf(ctx.node)
  const shipTime = settings.shipTimeAt(ctx.nowMs)
  const active = announcements.activeAt(shipTime)
  const server = announcements.polled.get([shipTime, active], () => serverPart(settings, shipTime, active))
  const user = ctx.viewer ? userPart(userChannelOf(ctx.viewer), settings, shipTime, active, schedule, reports) : nobodysPart
  const { json, etag } = joinParts<UserNotificationData>(server, user)
  return withEtag(json, etag)
}

/** The same for everybody, once a second. */
function serverPart(settings: SettingsChannel, { now, zone }: ShipTime, active: readonly AnnouncementRow[]): PolledPart {
  const lasting: ServerFields = {
    serverTimeOffset: zone.offsetSeconds,
    serverTimeZoneID: zone.id,
    serverTimeZone: zone.abbreviation,
    disabledFeatures: settings.values.disabledFeatures,
    activeAnnouncementIDs: active.map(({ id }) => id),
  }
  return polledPart({ lasting, passing: { serverTime: `${now.toISOString().slice(0, 19)}Z` } })
}

function userPart(
  user: UserChannel,
  settings: SettingsChannel,
  { upcomingFrom }: ShipTime,
  active: readonly AnnouncementRow[],
  schedule: ScheduleChannel,
  reports: ReportsChannel | undefined,
): PolledPart {
  const next = user.unread.nextAppointment(upcomingFrom.lfgs)
  const nextEvent = schedule.nextFollowed(user.plannedEvents, upcomingFrom.events)
  const madeOf = [user.revision, next, nextEvent, active, settings.values, reports?.open]
  user.polled ??= new Memo<PolledPart>()
  return user.polled.get(madeOf, () =>
    polledPart({
      lasting: {
        ...(settings.values.shipWifiSSID ? { shipWifiSSID: settings.values.shipWifiSSID } : {}),
        ...numbers(user.unread.counts(), user.hits, active.filter(({ id }) => id > user.readAnnouncementID).length),
        ...(nextEvent
          ? { nextFollowedEventTime: settings.trip.portToDisplay(nextEvent.startTime), nextFollowedEventID: nextEvent.id }
          : {}),
        ...(next ? { nextJoinedLFGTime: next.startTime, nextJoinedLFGID: next.fezID } : {}),
        ...(reports ? { moderatorData: moderatorData(user, reports.open) } : {}),
      },
    }),
  )
}

function numbers({ added, unread }: UnreadCounts, hits: readonly HitCount[], newAnnouncementCount: number): UserFields {
  return {
    newAnnouncementCount,
    addedToSeamailCount: added.seamail.length,
    addedToLFGCount: added.lfg.length,
    addedToPrivateEventCount: added.privateEvent.length,
    addedToSeamailIDs: added.seamail,
    addedToLFGIDs: added.lfg,
    addedToPrivateEventIDs: added.privateEvent,
    newSeamailMessageCount: unread.seamail,
    newFezMessageCount: unread.lfg,
    newPrivateEventMessageCount: unread.privateEvent,
    ...hitFields(hits),
  }
}

const nobodysPart = polledPart({ lasting: numbers(noCounts(), noHits, 0) })

const reportsOf = (node: Node): ReportsChannel | Promise<ReportsChannel> => node.channels.sole(reportsKind, reportsId)

function moderatorData(user: UserChannel, openReportCount: number): ModeratorData {
  return {
    openReportCount,
    newModeratorSeamailMessageCount: chatsWithNews(user.inboxes.get(builtIn.moderator)),
    newTTSeamailMessageCount: chatsWithNews(user.inboxes.get(builtIn.ServiceTeam)),
    newModeratorForumMentionCount: freshHits(user.hits, 'moderatorForumMention'),
    newTTForumMentionCount: atLeast(user.level, 'serviceteam') ? freshHits(user.hits, 'serviceTeamForumMention') : 0,
  }
}

function chatsWithNews(inbox: UnreadState | undefined): number {
  const { added, unread } = inbox?.counts() ?? noCounts()
  return [...Object.values(added).map(({ length }) => length), ...Object.values(unread)].reduce((sum, count) => sum + count, 0)
}

/** A device's socket for everything that concerns the user. */
export function openNotificationSocket(ctx: Ctx): SocketHandlers {
  const user = userChannelOf(ctx.viewer)
  if (user.sockets.notification.length >= maxSocketsPerUser)
    throw badRequest('too_many_sockets', `You have ${maxSocketsPerUser} open sockets, which is the maximum. Close one first.`)
  return new NotificationSession(user, ctx.sessionKey)
}
