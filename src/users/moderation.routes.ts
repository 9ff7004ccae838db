// Persons and profiles, for moderators.
import { route } from '../core/http/route.ts'
import { OneOf, Type, Uuid } from '../core/schema/schema.ts'
import { accessLevels } from '../core/viewer.ts'
import { settableStateNames } from '../moderation/types.ts'
import { LevelWord } from '../text/schemas.ts'
import { setAccessLevel, setTempQuarantine } from './levels.service.ts'
import { ProfileModerationData, UserModerationData } from './moderation.schemas.ts'
import { getProfileModeration, getUserModeration, setProfileState } from './moderation.service.ts'

const user = { user_id: Uuid }
const state = { mod_state: OneOf(settableStateNames) }

export const userModerationRoutes = [
  route({
    method: 'GET',
    path: '/mod/profile/:user_id',
    access: 'moderator',
    params: user,
    reply: ProfileModerationData,
    summary: 'A profile with nothing hidden, its reports and what it was like before.',
    kept: { tables: ['profile_edit', 'report'] },
    run: (ctx, { params }) => getProfileModeration(ctx, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/mod/profile/:user_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...user, ...state },
    summary: 'Hides or locks a profile, or lets it be.',
    run: (ctx, { params }) => setProfileState(ctx, params.user_id, params.mod_state),
  }),

  route({
    method: 'GET',
    path: '/mod/user/:user_id',
    access: 'moderator',
    params: user,
    reply: UserModerationData,
    summary: 'The person that an account belongs to, with all accounts and all reports.',
    kept: { tables: ['report'] },
    run: (ctx, { params }) => getUserModeration(ctx, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/mod/user/:user_id/setaccesslevel/:access_level',
    access: 'moderator',
    params: { ...user, access_level: LevelWord(accessLevels) },
    summary: 'Gives all accounts of a person another level, ends their tokens and closes their sockets.',
    run: (ctx, { params }) => setAccessLevel(ctx, params.user_id, params.access_level),
  }),
  route({
    method: 'POST',
    path: '/mod/user/:user_id/tempquarantine/:quarantine_length',
    access: 'moderator',
    params: { ...user, quarantine_length: Type.Integer({ minimum: 0, maximum: 199 }) },
    summary: 'Keeps a person from creating and changing content for some hours; 0 ends it.',
    run: (ctx, { params }) => setTempQuarantine(ctx, params.user_id, params.quarantine_length),
  }),
]
