// The wire form of an account in other people's answers.
import { Dto, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** How a user appears in other people's answers. */
export type UserHeader = Static<typeof UserHeader>
export const UserHeader = Dto('UserHeader', {
  userID: Uuid,
  username: Type.String(),
  displayName: Type.Optional(Type.String()),
  userImage: Type.Optional(Type.String()),
  preferredPronoun: Type.Optional(Type.String()),
})
