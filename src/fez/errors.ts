// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const fezErrors = {
  already_member: 'The user is a member of the chat already.',
  join_not_allowed: 'Users cannot join this kind of chat by themselves.',
  members_fixed: 'The members of this chat cannot change.',
  not_member: 'The user is not a member of the chat.',
  not_reportable: 'This kind of content cannot be reported.',
  owner_cannot_leave: 'The owner cannot leave their own chat.',
  posts_not_allowed: 'The caller cannot post here.',
  slow_mode_not_allowed: 'Slow mode is not for private chats.',
  title_only: 'Only the title can be changed.',
  too_few_members: 'A private chat needs at least two users.',
  too_many_images: 'The post has more images than are allowed here.',
  too_much_missed: 'The socket missed more than it can catch up with.',
  type_fixed: 'The type of the chat cannot be changed like this.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof fezErrors, true> {}
}
