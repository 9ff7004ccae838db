// The wire forms of /users.
import { UserHeader } from '../accounts/schemas.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { LevelWord } from '../text/schemas.ts'
import { DateTime, Dto, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** In paths for the team, where people type somebody: an id, or a username with or without an `@`. */
export const NameOrId = Text({ min: 1, max: 200 })

/** The level that the caller has seen: a change of it is refused when somebody else was faster. */
export const basedOnLevel = { basedOn: Type.Optional(LevelWord(accessLevels)) }

export const dinnerTeams = ['red', 'gold', 'sro'] as const
export type DinnerTeam = (typeof dinnerTeams)[number]

/** A profile as others see it. */
export type ProfilePublicData = Static<typeof ProfilePublicData>
export const ProfilePublicData = Dto('ProfilePublicData', {
  header: UserHeader,
  realName: Type.String(),
  homeLocation: Type.String(),
  roomNumber: Type.String(),
  email: Type.String(),
  about: Type.String(),
  message: Type.String(),
  dinnerTeam: Type.Optional(OneOf(dinnerTeams)),
  /** The viewer's own note about this user. */
  note: Type.Optional(Type.String()),
  /** Whether the viewer has favorited this user. */
  isFavorite: Type.Boolean(),
  discordUsername: Type.Optional(Type.String()),
})

/** Optional texts: an empty one clears the field, as an absent one does. */
const name = () => Type.Optional(Text({ min: 2, max: 50 }))

/** Replaces a profile. Edit logs keep the same. */
export type UserProfileUploadData = Static<typeof UserProfileUploadData>
export const UserProfileUploadData = Dto('UserProfileUploadData', {
  /** Ignored in requests. */
  header: Type.Optional(UserHeader),
  displayName: name(),
  realName: name(),
  preferredPronoun: name(),
  homeLocation: name(),
  roomNumber: Type.Optional(Text({ min: 4, max: 20 })),
  email: Type.Optional(Text({ min: 4, max: 50 })),
  message: Type.Optional(Text({ min: 4, max: 80 })),
  about: Type.Optional(Text({ min: 4, max: 400 })),
  dinnerTeam: Type.Optional(OneOf([...dinnerTeams, ''])),
  discordUsername: Type.Optional(Text({ max: 200 })),
})

/** A profile as its owner edits it. */
export type ProfileEditData = Static<typeof ProfileEditData>
export const ProfileEditData = Dto('ProfileEditData', {
  ...ProfilePublicData.properties,
  displayName: Type.Optional(Type.String()),
  preferredPronoun: Type.Optional(Type.String()),
})

/** A user found by a part of their names. */
export type UserMatchData = Static<typeof UserMatchData>
export const UserMatchData = Dto('UserMatchData', { ...UserHeader.properties, userSearch: Type.String() })

/** The text that name searches look at. */
export type UserSearch = Static<typeof UserSearch>
export const UserSearch = Dto('UserSearch', { userID: Uuid, userSearch: Type.String() })

/** A part of a name to search for. */
export const SearchString = Text({ max: 200 })

const noteText = Text({ min: 1, max: 999, lines: 25 })

/** The text of a note about a user, or about anything else that has notes. */
export type NoteCreateData = Static<typeof NoteCreateData>
export const NoteCreateData = Dto('NoteCreateData', { note: noteText })

export type NoteUpdateData = Static<typeof NoteUpdateData>
export const NoteUpdateData = Dto('NoteUpdateData', { noteID: Uuid, note: noteText })

/** A note, for its author. */
export type NoteData = Static<typeof NoteData>
export const NoteData = Dto('NoteData', {
  noteID: Uuid,
  createdAt: DateTime,
  updatedAt: DateTime,
  targetUser: UserHeader,
  note: Type.String(),
})
