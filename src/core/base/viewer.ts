// The caller, as every rule about rights and visibility needs them. The product keeps them in memory.
import { forbidden } from './errors.ts'

/** Access levels, lowest first. A higher one includes the rights of the lower ones. */
export const accessLevels = [
  'banned',
  'unverified',
  'quarantined',
  'verified',
  'client',
  'moderator',
  'serviceteam',
  'tho',
  'admin',
] as const
export type UserAccessLevel = (typeof accessLevels)[number]

/** Names of roles, which are independent of levels and have no hierarchy: the product adds its own by declaration merging. */
// oxlint-disable-next-line no-empty-interface -- filled by the product
export interface Roles {}
export type UserRoleType = keyof Roles

const ranks = new Map<UserAccessLevel, number>(accessLevels.map((level, rank) => [level, rank]))

/** True when `level` is `minimum` or higher. */
export function atLeast(level: UserAccessLevel, minimum: UserAccessLevel): boolean {
  return (ranks.get(level) as number) >= (ranks.get(minimum) as number)
}

/** The parts of an account that others may need: a viewer is one, and so is the author of a post. */
export interface Account {
  readonly id: string
  /** Primary account of the person. Blocks, codes and moderators' levels are the person's. */
  readonly personId: string
  readonly level: UserAccessLevel
}

/** An authenticated account. */
export interface Viewer extends Account {
  /** Grows with every change of what this account may see or has. */
  readonly revision: number
  /** The same without what happens in its chats: for answers that show none of them. */
  readonly ownRevision: number
  readonly username: string
  /** The level of the account, where it has the rights of another one until a second factor was set up. */
  readonly withheldLevel?: UserAccessLevel | undefined
  readonly roles: ReadonlySet<UserRoleType>
  /** Until then nothing may be created or changed; 0 when unset. In ms since 1970. */
  readonly tempQuarantineUntilMs: number
  /** Persons that this person blocks or is blocked by. */
  readonly blockedPersons: ReadonlySet<string>
  /** Accounts whose public content this account does not want to see. */
  readonly mutes: ReadonlySet<string>
}

/** True when a block hides the two from each other. Symmetric; moderators and above are exempt. */
export function blocked(viewer: Viewer, other: Account): boolean {
  return viewer.blockedPersons.has(other.personId) && !isModerator(viewer) && !isModerator(other)
}

/** True when content of `author` is to be left out for `viewer`. */
export function hidesContentOf(viewer: Viewer, author: Account): boolean {
  return viewer.mutes.has(author.id) || blocked(viewer, author)
}

/** True for a viewer for whom `hidesContentOf` is false of everybody, so that nobody's content has to be looked at. */
export const hidesNobody = ({ mutes, blockedPersons }: Viewer): boolean => mutes.size === 0 && blockedPersons.size === 0

export const isModerator = (account: Account): boolean => atLeast(account.level, 'moderator')

/** True when the caller may create content now. */
export const isCreator = (viewer: Viewer, nowMs: number): boolean =>
  atLeast(viewer.level, 'verified') && nowMs > viewer.tempQuarantineUntilMs

/** @throws AppError 403 when the caller may not create content now. */
export function requireCreator(viewer: Viewer, nowMs: number): void {
  if (!atLeast(viewer.level, 'verified')) throw forbidden('not_verified', 'Only verified users can create content.')
  requireNotTempQuarantined(viewer, nowMs)
}

/** 403 while a moderator's temporary quarantine is running. */
export function requireNotTempQuarantined(viewer: Viewer, nowMs: number): void {
  if (nowMs <= viewer.tempQuarantineUntilMs)
    throw forbidden('quarantined', 'You are temporarily quarantined and cannot create or change content.')
}
