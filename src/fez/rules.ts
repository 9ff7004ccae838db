// Rights in chats. Pure: checked by the service before it writes and by the
// channel before it sends.
import { builtIn } from '../accounts/rows.ts'
import { badRequest, forbidden } from '../core/base/errors.ts'
import { accessLevels, atLeast, isModerator, requireNotTempQuarantined, type UserAccessLevel, type Viewer } from '../core/base/viewer.ts'
import { isOpen } from '../moderation/types.ts'
import type { FezRow, ModerationStatus } from './rows.ts'
import { teamKey } from '../text/dialect.ts'
import { isLfg, visibilityOf, type FezType } from './types.ts'

/** The parts of a chat that the rules need. */
type Chat = Pick<FezRow, 'fezType' | 'ownerId' | 'moderationStatus' | 'deletedAt' | 'unlisted'>

const inboxes = new Map(
  accessLevels.map((level) => [
    level,
    [...(atLeast(level, 'moderator') ? [builtIn.moderator] : []), ...(atLeast(level, 'serviceteam') ? [builtIn.ServiceTeam] : [])],
  ]),
)

/** The shared accounts whose inboxes a level opens. */
export const inboxesOf = (level: UserAccessLevel): readonly string[] => inboxes.get(level) ?? []

/** The accounts as which the viewer is a member: their own, and the shared accounts whose inboxes their level opens. */
export function membersFor(viewer: Viewer, has: (accountId: string) => boolean): string[] {
  return [viewer.id, ...inboxesOf(viewer.level)].filter(has)
}

/** The first of `membersFor`, whose read position the viewer is shown; undefined for outsiders. */
export function memberFor(viewer: Viewer, has: (accountId: string) => boolean): string | undefined {
  return has(viewer.id) ? viewer.id : inboxesOf(viewer.level).find(has)
}

/** True when members and posts are shown to the viewer. */
export function mayReadThread(viewer: Viewer, chat: Chat, memberIds: ReadonlySet<string>): boolean {
  return memberFor(viewer, (id) => memberIds.has(id)) !== undefined || (isModerator(viewer) && chat.fezType !== 'closed')
}

/** True when the viewer must not learn that the chat exists: a private one of others that they are not in. Moderators know of all. */
export function isSecret(
  viewer: Viewer,
  chat: Pick<Chat, 'fezType' | 'ownerId' | 'unlisted'>,
  has: (accountId: string) => boolean,
): boolean {
  return visibilityOf(chat) === 'private' && chat.ownerId !== viewer.id && !isModerator(viewer) && !has(viewer.id)
}

/** The shared inboxes and who may open them, by the words of the `foruser` parameter. */
export function sharedInbox(viewer: Viewer, foruser: string | undefined): string | undefined {
  const inboxes = {
    moderator: { id: builtIn.moderator, level: 'moderator' },
    serviceteam: { id: builtIn.ServiceTeam, level: 'serviceteam' },
  } as const
  const word = teamKey(foruser?.toLowerCase() ?? '')
  if (!Object.hasOwn(inboxes, word)) return undefined
  const inbox = inboxes[word as keyof typeof inboxes]
  if (!atLeast(viewer.level, inbox.level)) throw forbidden('level_too_low', `The shared inbox of ${foruser} is only for its team.`)
  return inbox.id
}

/** May change or delete what `authorId` made. */
export function mayModify(viewer: Viewer, authorId: string, status: ModerationStatus, nowMs: number): boolean {
  if (nowMs <= viewer.tempQuarantineUntilMs) return false
  return isModerator(viewer) || (viewer.id === authorId && atLeast(viewer.level, 'verified') && isOpen(status))
}

/** 403 unless the viewer may change this chat. */
export function requireMayModify(viewer: Viewer, chat: Chat, nowMs: number): void {
  requireNotTempQuarantined(viewer, nowMs)
  if (!mayModify(viewer, chat.ownerId, chat.moderationStatus, nowMs)) throw forbidden('not_owner', 'You cannot change this chat.')
}

/** 403 unless the viewer owns the chat. */
export function requireOwner(viewer: Viewer, chat: Chat): void {
  if (viewer.id !== chat.ownerId) throw forbidden('not_owner', 'Only the owner can do this.')
}

/** @throws AppError 400 unless users may join this kind of chat by themselves. */
export function requireJoinable(chat: Chat): void {
  if (visibilityOf(chat) === 'private') throw badRequest('join_not_allowed', 'This chat cannot be joined. Its owner adds its members.')
}

/** 403 when the members of the chat are fixed. */
export function requireChangeableMembers(chat: Chat, action: 'add' | 'remove'): void {
  if (chat.fezType === 'closed' || (action === 'add' && chat.fezType === 'personalEvent'))
    throw forbidden('members_fixed', 'The members of this chat are fixed.')
}

/** 403 when the kind of a chat would change in a way it cannot. */
export function requireTypeChange(from: FezType, to: FezType): void {
  if (from !== to && !(isLfg(from) && isLfg(to))) throw forbidden('type_fixed', 'The type of this chat cannot be changed to this one.')
}
