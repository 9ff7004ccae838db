// Every endpoint under /mod.
import { route } from '../core/route.ts'
import { OneOf, Type, Uuid } from '../core/schema.ts'
import { accessLevels } from '../core/viewer.ts'
import { setAccessLevel, setTempQuarantine } from '../users/levels.service.ts'
import { UserModerationData } from './schemas.ts'
import { getUserModeration } from './users.service.ts'

const user = { user_id: Uuid }

export const modRoutes = [
  route({ method: 'GET', path: '/mod/user/:user_id', access: 'moderator', params: user, reply: UserModerationData,
    summary: 'The person that an account belongs to, with all accounts and all reports.',
    run: (ctx, { params }) => getUserModeration(ctx, params.user_id) }),
  route({ method: 'POST', path: '/mod/user/:user_id/setaccesslevel/:access_level', access: 'moderator', params: { ...user, access_level: OneOf(accessLevels, { ignoreCase: true }) },
    summary: 'Gives all accounts of a person another level, ends their tokens and closes their sockets.',
    run: (ctx, { params }) => setAccessLevel(ctx, params.user_id, params.access_level) }),
  route({ method: 'POST', path: '/mod/user/:user_id/tempquarantine/:quarantine_length', access: 'moderator', params: { ...user, quarantine_length: Type.Integer({ minimum: 0, maximum: 199 }) },
    summary: 'Keeps a person from creating and changing content for some hours; 0 ends it.',
    run: (ctx, { params }) => setTempQuarantine(ctx, params.user_id, params.quarantine_length) }),
]
