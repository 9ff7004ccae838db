// Private and personal events: chats of two kinds, seen and changed as entries of a calendar.
import type { UserHeader } from '../accounts/schemas.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import type { ReportData } from '../moderation/schemas.ts'
import { listPersonal } from './lists.service.ts'
import type { PersonalEventContentData, PersonalEventData, PersonalEventQuery } from './personal.schemas.ts'
import { chatOf, fezView, getFez } from './reading.service.ts'
import { mayReadThread } from './rules.ts'
import type { FezRow } from './rows.ts'
import type { FezContentData, FezData } from './schemas.ts'
import { createFez } from './creating.service.ts'
import { cancelFez, deleteFez, removeUser, reportFez, unjoinFez, updateFez } from './service.ts'
import { personalTypes } from './types.ts'

/** The caller's events, by start. */
export async function listPersonalEvents(ctx: Ctx, query: PersonalEventQuery): Promise<PersonalEventData[]> {
  return (await listPersonal(ctx, query)).map((fez) => personalEventData(fez))
}

/** Creates an event with the caller as owner. */
export async function createPersonalEvent(ctx: Ctx, content: PersonalEventContentData): Promise<PersonalEventData> {
  return personalEventData(await createFez(ctx, { ...fezContent(content), initialUsers: content.participants }))
}

/** An event of the caller, which counts as read afterwards. */
export async function getPersonalEvent(ctx: Ctx, fezId: string): Promise<PersonalEventData> {
  await personalEventRow(ctx, fezId)
  await getFez(ctx, fezId, {})
  return personalEventData(await fezView(ctx, fezId))
}

/** Replaces what an event says of itself. */
export async function updatePersonalEvent(ctx: Ctx, fezId: string, content: PersonalEventContentData): Promise<PersonalEventData> {
  await personalEventRow(ctx, fezId)
  return personalEventData(await updateFez(ctx, fezId, fezContent(content)))
}

/** The owner calls an event off; one of their own alone goes away. */
export async function cancelPersonalEvent(ctx: Ctx, fezId: string): Promise<void> {
  const { fezType, ownerId } = await personalEventRow(ctx, fezId)
  if (ownerId !== ctx.viewer.id) throw forbidden('not_owner', 'Only the owner can cancel this event.')
  if (fezType === 'personalEvent') await deleteFez(ctx, fezId)
  else await cancelFez(ctx, fezId)
}

/** The caller leaves, or the owner or a moderator removes somebody. */
export async function removeParticipant(ctx: Ctx, fezId: string, accountId: string): Promise<void> {
  await personalEventRow(ctx, fezId)
  if (accountId === ctx.viewer.id) await unjoinFez(ctx, fezId)
  else await removeUser(ctx, fezId, accountId)
}

/** Files a report on an event, in the name of the person. */
export async function reportPersonalEvent(ctx: Ctx, fezId: string, report: ReportData): Promise<void> {
  await personalEventRow(ctx, fezId)
  await reportFez(ctx, fezId, report)
}

/** The chat behind an event whose details the caller may see. */
export async function personalEventRow(ctx: Ctx, fezId: string): Promise<FezRow> {
  const { row, memberIds } = await chatOf(ctx, fezId)
  if (!personalTypes.includes(row.fezType) || !(row.unlisted || mayReadThread(ctx.viewer, row, memberIds))) throw notAvailable('chat')
  return row
}

function fezContent({ title, description, startTime, endTime, location, visibility }: PersonalEventContentData): FezContentData {
  return {
    fezType: 'privateEvent',
    title,
    info: description ?? '',
    startTime,
    endTime,
    ...(location ? { location } : {}),
    ...(visibility ? { visibility } : {}),
    minCapacity: 0,
    maxCapacity: 0,
    initialUsers: [],
  }
}

/** A chat as an entry of a calendar. `members`: where the chat does not come with them. */
export function personalEventData(fez: FezData, members: readonly UserHeader[] = []): PersonalEventData {
  const { fezID, title, info, location, owner, lastModificationTime, visibility } = fez
  const participants = fez.members ? [...fez.members.participants, ...fez.members.waitingList] : members
  // Made through /fez, it need not have an end, or even a start.
  const startTime = fez.startTime ?? lastModificationTime
  return {
    personalEventID: fezID,
    title,
    ...(info === '' ? {} : { description: info }),
    startTime,
    endTime: fez.endTime ?? startTime,
    timeZone: fez.timeZone ?? '',
    timeZoneID: fez.timeZoneID ?? '',
    ...(location === undefined ? {} : { location }),
    lastUpdateTime: lastModificationTime,
    owner,
    participants: participants.filter(({ userID }) => userID !== owner.userID),
    visibility,
  }
}
