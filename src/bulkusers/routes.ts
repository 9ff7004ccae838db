// Every endpoint under /admin/bulkuserfile.
import { route } from '../core/http/route.ts'
import { ByteStream, Text, Type } from '../core/schema/schema.ts'
import { BackupTicketData, PasswordData } from '../console/schemas.ts'
import { BulkUserImagesData, BulkUserUpdateVerificationData } from './schemas.ts'
import { applyUsers, downloadUsers, uploadUsers, usersImages, usersTicket, verifyUsers } from './service.ts'

/** One of a gigabyte or more has to be sent in chunks: uWS takes no Content-Length of more than nine digits. */
const largestFile = 4 * 1024 * 1024 * 1024

export const bulkUserRoutes = [
  route({
    method: 'POST',
    path: '/admin/bulkuserfile/ticket',
    access: 'admin',
    body: PasswordData,
    reply: BackupTicketData,
    summary: 'Lets the caller download the file of users for a minute, once they have given their password again.',
    run: (ctx, { body }) => usersTicket(ctx, body.currentPassword),
  }),
  route({
    method: 'GET',
    path: '/admin/bulkuserfile/download',
    access: 'admin',
    query: { ticket: Type.Optional(Text({ max: 200 })) },
    summary: 'All users with a registration code and their pictures, as a zip file. Browsers with a session need a ticket.',
    run: (ctx, { query }) => downloadUsers(ctx, query.ticket),
  }),
  route({
    method: 'POST',
    path: '/admin/bulkuserfile/upload',
    access: 'admin',
    body: ByteStream,
    bodyLimit: largestFile,
    summary: 'Takes such a file in place of an earlier one; nothing of it is applied yet.',
    run: (ctx, { body }) => uploadUsers(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/admin/bulkuserfile/verify',
    access: 'admin',
    reply: BulkUserUpdateVerificationData,
    summary: 'What an import of the uploaded file would do.',
    run: (ctx) => verifyUsers(ctx),
  }),
  ...(['POST', 'GET'] as const).map((method) =>
    route({
      method,
      path: '/admin/bulkuserfile/update/apply',
      access: 'admin',
      reply: BulkUserUpdateVerificationData,
      summary: 'Imports the users of the uploaded file; their pictures follow.',
      run: (ctx) => applyUsers(ctx),
    }),
  ),
  route({
    method: 'GET',
    path: '/admin/bulkuserfile/images',
    access: 'admin',
    reply: BulkUserImagesData,
    summary: 'How many pictures of imported users are still to be processed.',
    run: (ctx) => usersImages(ctx),
  }),
]
