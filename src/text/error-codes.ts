// Codes of refusals that several features have. Those of one alone stand in its `errors.ts`. Clients tell refusals apart by them;
// sentences may change.

/** Each code with its meaning, as the API documents show it. */
export const sharedErrors = {
  account_fixed: 'The name, level or password of this kind of account cannot be changed.',
  already_done: 'Nothing is left to do: it is so already.',
  banned: 'The account is banned.',
  code_unknown: 'There is no such registration code.',
  code_used: 'The registration code was used before.',
  day_invalid: 'This is not a day of the trip.',
  favorite_and_mute: 'A forum cannot be a favorite and muted at the same time.',
  file_invalid: 'A file of the server or an uploaded one is wrong; the reason names the place.',
  file_missing: 'A file of the server is missing.',
  filter_invalid: 'Filters of a list exclude each other.',
  hashtag_invalid: 'This is not a hashtag.',
  id_invalid: 'This is not an id.',
  image_missing: 'An image has neither data nor the name of a stored one.',
  level_not_settable: 'This level cannot be given to this user.',
  locked: 'Moderators have locked it.',
  moderators_only: 'Only moderators and above may do this.',
  name_invalid: 'This is not a name of a file.',
  not_owner: 'It belongs to somebody else.',
  not_verified: 'Only verified users may create content.',
  nothing_uploaded: 'No file was uploaded before.',
  primary_account_only: 'Only the first account of a person may do this.',
  quarantined: 'The user is temporarily quarantined.',
  search_too_short: 'The text to search for is too short.',
  self: 'The caller cannot do this to themselves.',
  too_many_attempts: 'Too many wrong attempts; Retry-After says when to try again.',
  too_many_sockets: 'The user has the maximum number of open sockets.',
  user_unknown: 'There is no user of this name.',
  username_taken: 'The user name is taken.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof sharedErrors, true> {}
}
