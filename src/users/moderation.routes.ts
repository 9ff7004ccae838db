// Persons and profiles, for moderators.
import { route } from '../core/http/route.ts'
import { OneOf, Text, Type } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { basedOnVersion } from '../moderation/schemas.ts'
import { settableStateNames } from '../moderation/types.ts'
import { LevelWord } from '../text/schemas.ts'
import { banPerson, endBan, getPersonRecord, stopPerson } from './bans.service.ts'
import { setAccessLevel, setTempQuarantine } from './levels.service.ts'
import {
  BanUploadData,
  ContentListData,
  ContentOutcomeData,
  PersonRecordData,
  ProfileModerationData,
  StopUploadData,
  UserModerationData,
  WrittenListData,
} from './moderation.schemas.ts'
import { getProfileModeration, getUserModeration, setProfileState } from './moderation.service.ts'
import { basedOnLevel, NameOrId } from './schemas.ts'
import { accountIdOf } from './service.ts'
import { listWritten, removeAll, setStateOfAll } from './written.service.ts'

const user = { user_id: NameOrId }
const state = { mod_state: OneOf(settableStateNames) }

export const userModerationRoutes = [
  route({
    method: 'GET',
    path: '/mod/profile/:user_id',
    access: 'moderator',
    params: user,
    reply: ProfileModerationData,
    summary: 'A profile with nothing hidden, its reports and what it was like before.',
    cached: { tables: ['profile_edit', 'report', 'audit'] },
    run: async (ctx, { params }) => getProfileModeration(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'POST',
    path: '/mod/profile/:user_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...user, ...state },
    query: basedOnVersion,
    summary: 'Hides or locks a profile, or lets it be.',
    run: async (ctx, { params, query }) => setProfileState(ctx, await accountIdOf(ctx, params.user_id), params.mod_state, query.basedOn),
  }),

  route({
    method: 'GET',
    path: '/mod/user/:user_id',
    access: 'moderator',
    params: user,
    reply: UserModerationData,
    summary: 'The person that an account belongs to, with all accounts and all reports.',
    // A temporary quarantine ends at its time.
    cached: { tables: ['account', 'report'], everySecond: true },
    run: async (ctx, { params }) => getUserModeration(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'GET',
    path: '/mod/user/:user_id/written',
    access: 'moderator',
    params: user,
    query: {
      before: Type.Optional(Text({ max: 20 })),
      search: Type.Optional(Text({ max: 100 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    },
    reply: WrittenListData,
    summary:
      'What a person has written where others see it, with all accounts, newest first: forums and posts, the microblog, groups, photos, ' +
      'items, parts of songs. With `search`, what has these words in it.',
    run: async (ctx, { params, query }) => listWritten(ctx, await accountIdOf(ctx, params.user_id), query),
  }),
  route({
    method: 'POST',
    path: '/mod/content/setstate/:mod_state',
    access: 'moderator',
    params: state,
    body: ContentListData,
    reply: ContentOutcomeData,
    summary: 'Hides, locks or opens up to fifty things at once.',
    run: (ctx, { params, body }) => setStateOfAll(ctx, body, params.mod_state),
  }),
  route({
    method: 'POST',
    path: '/mod/content/delete',
    access: 'moderator',
    body: ContentListData,
    reply: ContentOutcomeData,
    summary: 'Deletes up to fifty things at once.',
    run: (ctx, { body }) => removeAll(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/mod/user/:user_id/record',
    access: 'moderator',
    params: user,
    reply: PersonRecordData,
    summary: 'The ban of a person, what moderators did with their content, and how many reports they have filed.',
    cached: { tables: ['account', 'ban', 'moderator_action', 'report'], everySecond: true },
    run: async (ctx, { params }) => getPersonRecord(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'POST',
    path: '/mod/user/:user_id/stop',
    access: 'moderator',
    params: user,
    body: StopUploadData,
    summary: 'Bans a person for up to a day, by a moderator on duty: where the setting moderatorsMayStop allows it.',
    run: async (ctx, { params, body }) => stopPerson(ctx, await accountIdOf(ctx, params.user_id), body),
  }),
  route({
    method: 'POST',
    path: '/mod/user/:user_id/ban',
    access: 'tho',
    params: user,
    body: BanUploadData,
    summary: 'Bans a person with a reason, until a moment or for good, and signs all their accounts out.',
    run: async (ctx, { params, body }) => banPerson(ctx, await accountIdOf(ctx, params.user_id), body),
  }),
  route({
    method: 'DELETE',
    path: '/mod/user/:user_id/ban',
    access: 'tho',
    params: user,
    summary: 'Ends the ban of a person, who has their level again.',
    run: async (ctx, { params }) => endBan(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'POST',
    path: '/mod/user/:user_id/setaccesslevel/:access_level',
    access: 'moderator',
    params: { ...user, access_level: LevelWord(accessLevels) },
    query: basedOnLevel,
    summary: 'Gives all accounts of a person another level, ends their tokens and closes their sockets.',
    run: async (ctx, { params, query }) => setAccessLevel(ctx, await accountIdOf(ctx, params.user_id), params.access_level, query.basedOn),
  }),
  route({
    method: 'POST',
    path: '/mod/user/:user_id/tempquarantine/:quarantine_length',
    access: 'moderator',
    params: { ...user, quarantine_length: Type.Integer({ minimum: 0, maximum: 199 }) },
    // The end that the caller has seen, or `none`.
    query: { basedOn: Type.Optional(Text({ max: 40 })) },
    summary: 'Keeps a person from creating and changing content for some hours; 0 ends it.',
    run: async (ctx, { params, query }) =>
      setTempQuarantine(ctx, await accountIdOf(ctx, params.user_id), params.quarantine_length, query.basedOn),
  }),
]
