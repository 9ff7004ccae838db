// Every endpoint under /user.
import { UserHeader } from '../accounts/schemas.ts'
import { route } from '../core/http/route.ts'
import { Text, Type, Uuid } from '../core/schema/schema.ts'
import { listOwnForumsAlone } from '../forum/lists.service.ts'
import { ForumListData, forumListQuery } from '../forum/schemas.ts'
import { changeNote, listNotes } from '../users/notes.service.ts'
import { ImageUploadData, imageBodyLimit } from '../image/schemas.ts'
import { requireUploads } from '../image/service.ts'
import {
  changeProfile,
  changeUserImage,
  changeUsername,
  ownProfile,
  removeUserImage,
  requireEditable,
  requireRenamable,
} from '../users/profile.service.ts'
import { NoteData, NoteUpdateData, ProfileEditData, UserProfileUploadData } from '../users/schemas.ts'
import {
  AddedUserData,
  CreatedUserData,
  CurrentUserData,
  KeywordData,
  UserCreateData,
  UserPasswordData,
  UserUsernameData,
  UserVerifyData,
} from './schemas.ts'
import { addUser, changePassword, createUser, requireOwnPassword, verifyUser, whoAmI } from './service.ts'
import { addWord, listWords, removeWord } from './words.service.ts'
import { ownForumLists } from '../forum/kept.ts'
import { notesOf } from '../users/kept.ts'

const user = { user_id: Uuid }
const word = Text({ max: 200 })

export const userRoutes = [
  route({
    method: 'POST',
    path: '/user/create',
    access: 'none',
    features: ['registration'],
    body: UserCreateData,
    reply: CreatedUserData,
    status: 201,
    idempotent: true,
    summary: 'Creates an account and shows its recovery key, this once.',
    run: (ctx, { body }) => createUser(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/user/add',
    access: 'verified',
    body: UserCreateData,
    reply: AddedUserData,
    status: 201,
    idempotent: true,
    summary: 'Adds a sub-account of the same person.',
    run: (ctx, { body }) => addUser(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/user/whoami',
    access: 'either',
    gate: 'preregistration',
    reply: CurrentUserData,
    summary: 'Who the caller is.',
    run: (ctx) => whoAmI(ctx),
  }),
  route({
    method: 'POST',
    path: '/user/verify',
    access: 'either',
    body: UserVerifyData,
    summary: 'Makes the caller verified with a registration code.',
    run: (ctx, { body }) => verifyUser(ctx, body.verification),
  }),
  route({
    method: 'POST',
    path: '/user/password',
    access: 'token',
    gate: 'preregistration',
    body: UserPasswordData,
    status: 201,
    idempotent: true,
    summary:
      'Changes the password and signs out all other browsers; the token stays valid. A logout afterwards ends a stolen token on ' +
      'all devices and all nodes, with its sockets.',
    guard: requireOwnPassword,
    run: (ctx, { body }) => changePassword(ctx, body),
  }),

  route({
    method: 'POST',
    path: '/user/username',
    access: 'token',
    gate: 'preregistration',
    body: UserUsernameData,
    status: 201,
    summary: 'Changes the own username.',
    guard: (ctx) => requireRenamable(ctx, ctx.viewer.id),
    run: (ctx, { body }) => changeUsername(ctx, ctx.viewer.id, body.username),
  }),
  route({
    method: 'POST',
    path: '/user/:user_id/username',
    access: 'token',
    params: user,
    body: UserUsernameData,
    status: 201,
    summary: 'Changes the username of a user. For moderators.',
    guard: (ctx, params) => requireRenamable(ctx, params.user_id),
    run: (ctx, { params, body }) => changeUsername(ctx, params.user_id, body.username),
  }),

  route({
    method: 'GET',
    path: '/user/profile',
    access: 'either',
    gate: 'preregistration',
    reply: ProfileEditData,
    summary: 'The own profile.',
    kept: { tables: ['favorite', 'note'] },
    run: (ctx) => ownProfile(ctx),
  }),
  route({
    method: 'POST',
    path: '/user/profile',
    access: 'either',
    gate: 'preregistration',
    body: UserProfileUploadData,
    reply: ProfileEditData,
    summary: 'Replaces the own profile.',
    guard: (ctx) => requireEditable(ctx, ctx.viewer.id),
    run: (ctx, { body }) => changeProfile(ctx, ctx.viewer.id, body),
  }),
  route({
    method: 'POST',
    path: '/user/:user_id/profile',
    access: 'token',
    params: user,
    body: UserProfileUploadData,
    reply: ProfileEditData,
    summary: 'Replaces the profile of a user. For moderators.',
    guard: (ctx, params) => requireEditable(ctx, params.user_id),
    run: (ctx, { params, body }) => changeProfile(ctx, params.user_id, body),
  }),

  route({
    method: 'POST',
    path: '/user/image',
    access: 'either',
    gate: 'preregistration',
    body: ImageUploadData,
    reply: UserHeader,
    bodyLimit: imageBodyLimit,
    summary: 'Gives the caller a picture: the square in the middle of an image.',
    check: (ctx, { body }) => requireUploads(ctx, [['', body]]),
    run: (ctx, { body }) => changeUserImage(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/user/image/remove',
    access: 'either',
    gate: 'preregistration',
    status: 204,
    summary: 'Takes away the own picture.',
    run: (ctx) => removeUserImage(ctx, ctx.viewer.id),
  }),
  route({
    method: 'DELETE',
    path: '/user/image',
    access: 'either',
    gate: 'preregistration',
    status: 204,
    summary: 'Takes away the own picture.',
    run: (ctx) => removeUserImage(ctx, ctx.viewer.id),
  }),
  route({
    method: 'DELETE',
    path: '/user/:user_id/image',
    access: 'token',
    params: user,
    status: 204,
    summary: 'Takes away the picture of a user. For moderators.',
    run: (ctx, { params }) => removeUserImage(ctx, params.user_id),
  }),

  route({
    method: 'GET',
    path: '/user/forums',
    access: 'token',
    openToUnverified: false,
    features: ['forums'],
    query: forumListQuery,
    reply: Type.Array(ForumListData),
    summary: 'Forums that the caller has started, by title.',
    kept: ownForumLists,
    run: (ctx, { query }) => listOwnForumsAlone(ctx, query),
  }),

  route({
    method: 'GET',
    path: '/user/notes',
    access: 'token',
    openToUnverified: false,
    reply: Type.Array(NoteData),
    summary: 'The own notes about users, oldest first.',
    kept: notesOf,
    run: (ctx) => listNotes(ctx),
  }),
  route({
    method: 'POST',
    path: '/user/note',
    access: 'token',
    openToUnverified: false,
    body: NoteUpdateData,
    reply: NoteData,
    summary: 'Replaces the text of one of the own notes.',
    run: (ctx, { body }) => changeNote(ctx, body.noteID, body.note),
  }),

  route({
    method: 'GET',
    path: '/user/alertwords',
    access: 'token',
    reply: KeywordData,
    summary: 'The alertwords of the caller.',
    kept: { tables: ['alertword'] },
    run: (ctx) => listWords(ctx, 'alertword'),
  }),
  route({
    method: 'POST',
    path: '/user/alertwords/add/:alert_word',
    access: 'token',
    params: { alert_word: word },
    reply: KeywordData,
    summary: 'Adds one word of at least four letters.',
    run: (ctx, { params }) => addWord(ctx, 'alertword', params.alert_word),
  }),
  route({
    method: 'POST',
    path: '/user/alertwords/remove/:alert_word',
    access: 'token',
    params: { alert_word: word },
    reply: KeywordData,
    summary: 'Removes one word.',
    run: (ctx, { params }) => removeWord(ctx, 'alertword', params.alert_word),
  }),

  route({
    method: 'GET',
    path: '/user/mutewords',
    access: 'token',
    reply: KeywordData,
    summary: 'The words in content that the caller does not want to see.',
    kept: { tables: ['muteword'] },
    run: (ctx) => listWords(ctx, 'muteword'),
  }),
  route({
    method: 'POST',
    path: '/user/mutewords/add/:mute_word',
    access: 'token',
    params: { mute_word: word },
    reply: KeywordData,
    summary: 'Adds one word of at least four letters.',
    run: (ctx, { params }) => addWord(ctx, 'muteword', params.mute_word),
  }),
  route({
    method: 'POST',
    path: '/user/mutewords/remove/:mute_word',
    access: 'token',
    params: { mute_word: word },
    reply: KeywordData,
    summary: 'Removes one word.',
    run: (ctx, { params }) => removeWord(ctx, 'muteword', params.mute_word),
  }),
]
