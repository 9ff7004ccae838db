// Registration codes, for the team.
import { UserHeader } from '../accounts/schemas.ts'
import { pageQuery } from '../core/http/paging.ts'
import { route } from '../core/http/route.ts'
import { Text, Type } from '../core/schema/schema.ts'
import {
  CodeListData,
  codeListQuery,
  CodesDeletedData,
  CodesDeletionData,
  CodesDifferenceData,
  CodesOrderData,
  CodesUploadData,
  NewCodesData,
  RegistrationCodeStatsData,
  RegistrationCodeUserData,
  UnusedCodesData,
} from './schemas.ts'
import {
  addCodes,
  allocateChatCode,
  codeOfUser,
  codeStats,
  compareCodes,
  deleteCodes,
  listCodes,
  makeCodes,
  unlockCodeOf,
  unusedCodes,
  usersWithCode,
} from './service.ts'
import { NameOrId } from '../users/schemas.ts'
import { accountIdOf } from '../users/service.ts'

const user = { user_id: NameOrId }

export const registrationCodeRoutes = [
  route({
    method: 'GET',
    path: '/admin/regcodes/stats',
    access: 'serviceteam',
    orRole: 'accountmanager',
    reply: RegistrationCodeStatsData,
    summary: 'How many registration codes there are and are used.',
    cached: { tables: ['registration_code'] },
    run: (ctx) => codeStats(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/regcodes/find/:search_string',
    access: 'serviceteam',
    orRole: 'accountmanager',
    params: { search_string: Text({ max: 200 }) },
    reply: Type.Array(UserHeader),
    summary: 'The accounts of the person with a registration code; none while it is unused.',
    run: (ctx, { params }) => usersWithCode(ctx, params.search_string),
  }),
  route({
    method: 'GET',
    path: '/admin/regcodes/findbyuser/:user_id',
    access: 'serviceteam',
    orRole: 'accountmanager',
    params: user,
    reply: RegistrationCodeUserData,
    summary: 'The registration code of the person that an account belongs to.',
    run: async (ctx, { params }) => codeOfUser(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'POST',
    path: '/admin/regcodes/unlock/:userID',
    access: 'serviceteam',
    orRole: 'accountmanager',
    params: { userID: NameOrId },
    reply: RegistrationCodeUserData,
    summary: 'Lets the registration code of a person be used for a recovery once more, after however many failures.',
    run: async (ctx, { params }) => unlockCodeOf(ctx, await accountIdOf(ctx, params.userID)),
  }),
  route({
    method: 'POST',
    path: '/admin/regcodes/verify',
    access: 'admin',
    body: CodesUploadData,
    reply: CodesDifferenceData,
    summary: 'What a list of registration codes would add.',
    run: (ctx, { body }) => compareCodes(ctx, body.codes),
  }),
  route({
    method: 'POST',
    path: '/admin/regcodes/upload',
    access: 'admin',
    body: CodesUploadData,
    reply: CodesDifferenceData,
    summary: 'Adds registration codes, one on a line. A list with a wrong line is refused whole.',
    run: (ctx, { body }) => addCodes(ctx, body.codes),
  }),
  route({
    method: 'POST',
    path: '/admin/regcodes/make',
    access: 'admin',
    body: CodesOrderData,
    reply: NewCodesData,
    status: 201,
    idempotent: true,
    summary: 'Makes registration codes of letters and digits that nobody takes for others.',
    run: (ctx, { body }) => makeCodes(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/admin/regcodes/list',
    access: 'admin',
    query: codeListQuery,
    reply: CodeListData,
    summary: 'Registration codes, the newest first: all, or by their beginning, by a name, free or used, of the outside chat or not.',
    run: (ctx, { query }) => listCodes(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/admin/regcodes/delete',
    access: 'admin',
    body: CodesDeletionData,
    reply: CodesDeletedData,
    summary: 'Deletes registration codes that nobody has used: those of a list, or all. A list with a wrong line is refused whole.',
    run: (ctx, { body }) => deleteCodes(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/admin/regcodes/unused',
    access: 'admin',
    query: pageQuery,
    reply: UnusedCodesData,
    summary: 'Registration codes that nobody has used, to be printed.',
    run: (ctx, { query }) => unusedCodes(ctx, query),
  }),
  // Documented as POST; apps and servers of today use GET.
  ...(['GET', 'POST'] as const).map((method) =>
    route({
      method,
      path: '/admin/regcodes/discord/allocate/:username',
      access: 'serviceteam',
      params: { username: Text({ max: 200 }) },
      reply: RegistrationCodeUserData,
      summary: 'Gives a free registration code to a user of the outside chat.',
      run: (ctx, { params }) => allocateChatCode(ctx, params.username),
    }),
  ),
]
