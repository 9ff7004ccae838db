// The console: people, figures, checks, jobs, faults and the audit trail.
import { userRoles } from '../accounts/types.ts'
import { pageQuery } from '../core/http/paging.ts'
import { route } from '../core/http/route.ts'
import { DateTime, Int, OneOf, Text, Type } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { LevelWord } from '../text/schemas.ts'
import { NameOrId } from '../users/schemas.ts'
import { accountIdOf } from '../users/service.ts'
import { auditAsCsv, listAudit } from './audit.service.ts'
import { backupTicket, downloadBackup, listBackups, makeBackup, scheduleBackups, verifyBackup } from './backups.service.ts'
import { runChecks } from './checks.service.ts'
import { deleteAccount, deletionState } from './deletion.service.ts'
import { watchFigures } from './figures-push.service.ts'
import { getFigures, listFaults } from './figures.service.ts'
import {
  dropFailedJobs,
  dropJob,
  jobHistory,
  jobStates,
  listJobKinds,
  listJobs,
  pauseJobs,
  resumeJobs,
  retryFailedJobs,
  retryJob,
} from './jobs.service.ts'
import { compareLibrary, libraryFile, uploadLibrary } from './libraries.service.ts'
import { downloadOwnData, orderOwnData, ownDataState } from './own-data.service.ts'
import { reach } from './reach.service.ts'
import { changeInBulk, getPerson, listPeople, peopleAsCsv, signOutPerson, removeFactorOfPerson } from './people.service.ts'
import { readAgain } from './read-again.service.ts'
import {
  AccountDeletionData,
  AccountDeletionStateData,
  AdminUserDetailData,
  AdminUserListData,
  AuditListData,
  BackupListData,
  BackupScheduleChangeData,
  BackupTicketData,
  CheckData,
  FaultListData,
  FiguresData,
  JobHistoryData,
  JobKindData,
  JobListData,
  JobNumberData,
  LibraryDifferenceData,
  LibraryFileData,
  LibraryUploadData,
  OperationData,
  UsersBulkData,
  UsersBulkResultData,
  OwnDataState,
  PasswordData,
  ReachData,
} from './schemas.ts'

const word = Text({ max: 100 })
const backup = { backup_name: Text({ max: 100 }) }
const auditQuery = {
  actor: Type.Optional(word),
  user: Type.Optional(word),
  action: Type.Optional(word),
  subject: Type.Optional(word),
  from: Type.Optional(DateTime),
  to: Type.Optional(DateTime),
  requestID: Type.Optional(word),
}

const peopleQuery = {
  search: Type.Optional(word),
  level: Type.Optional(LevelWord(accessLevels)),
  role: Type.Optional(OneOf(userRoles)),
  seen: Type.Optional(OneOf(['today', 'notToday', 'never'])),
  code: Type.Optional(OneOf(['used', 'none'])),
  reported: Type.Optional(Type.Boolean()),
  sort: Type.Optional(OneOf(['name', 'seen', 'created'])),
}

/** As its feature names it. */
const JobKind = Text({ max: 100 })

export const consoleRoutes = [
  route({
    method: 'GET',
    path: '/admin/users',
    access: 'moderator',
    query: { ...peopleQuery, ...pageQuery },
    reply: AdminUserListData,
    summary: 'Accounts of people, by name or room, level, role, when they were last seen, and whether they have used a code.',
    cached: { tables: ['account', 'registration_code', 'report'], everySecond: true },
    run: (ctx, { query }) => listPeople(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/admin/users/csv',
    access: 'serviceteam',
    query: peopleQuery,
    summary: 'The same as a table for a spreadsheet, with all that are found.',
    run: (ctx, { query }) => peopleAsCsv(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/admin/users/bulk',
    access: 'tho',
    body: UsersBulkData,
    reply: UsersBulkResultData,
    summary: 'Does the same to several accounts: a level, a role, signing out. Says to whom it was done, and why not to the others.',
    run: (ctx, { body }) => changeInBulk(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/admin/users/:user_id',
    access: 'serviceteam',
    params: { user_id: NameOrId },
    reply: AdminUserDetailData,
    summary: 'One account with the devices it is signed in on.',
    shared: true,
    run: async (ctx, { params }) => getPerson(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'POST',
    path: '/admin/users/:user_id/signout',
    access: 'tho',
    params: { user_id: NameOrId },
    summary: 'Signs an account out on all its devices.',
    run: async (ctx, { params }) => signOutPerson(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'POST',
    path: '/admin/users/:user_id/secondfactor/remove',
    access: 'tho',
    params: { user_id: NameOrId },
    status: 204,
    summary: 'Removes the second factor of an account, for somebody who has lost their phone and their codes.',
    run: async (ctx, { params }) => removeFactorOfPerson(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'GET',
    path: '/admin/figures',
    access: 'serviceteam',
    query: { span: Type.Optional(OneOf(['hour', 'day', 'event'])), since: Type.Optional(DateTime) },
    reply: FiguresData,
    summary:
      'How all servers are doing, and how they did. With `since`, only later points of the last hour. For a minute from then on, ' +
      'browsers of the caller get newer points over the notification socket.',
    shared: true,
    run: (ctx, { query }) => {
      if (query.span !== 'day' && query.span !== 'event') watchFigures(ctx)
      return getFigures(ctx, { span: query.span, since: query.since?.getTime() })
    },
  }),
  route({
    method: 'GET',
    path: '/admin/reach',
    access: 'moderator',
    reply: ReachData,
    summary: 'How many people there are, by level, and how many of them are here: whom a switch for everybody touches.',
    shared: true,
    run: (ctx) => reach(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/checks',
    access: 'serviceteam',
    reply: Type.Array(CheckData),
    summary: 'What a host should look at, with what to do; the worst first.',
    shared: true,
    run: (ctx) => runChecks(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/jobs',
    access: 'serviceteam',
    query: { state: Type.Optional(OneOf(jobStates)), job: Type.Optional(JobKind), ...pageQuery },
    reply: JobListData,
    summary: 'Jobs that are not done; those that need a hand first.',
    shared: true,
    run: (ctx, { query }) => listJobs(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/admin/jobs/kinds',
    access: 'serviceteam',
    reply: Type.Array(JobKindData),
    summary: 'Each kind of job: what waits, what was done in the last hour and how long it took, whether it is paused.',
    shared: true,
    run: (ctx) => listJobKinds(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/jobs/history',
    access: 'serviceteam',
    query: { job: Type.Optional(JobKind), span: Type.Optional(OneOf(['day', 'week'])) },
    reply: JobHistoryData,
    summary: 'What jobs of a kind, or of all, have come to.',
    shared: true,
    run: (ctx, { query }) => jobHistory(ctx, query),
  }),
  ...(
    [
      ['pause', pauseJobs, 'Lets jobs of a kind wait, until they go on.'],
      ['resume', resumeJobs, 'Lets jobs of a kind go on.'],
    ] as const
  ).map(([verb, run, summary]) =>
    route({
      method: 'POST',
      path: `/admin/jobs/kinds/:job_kind/${verb}`,
      access: 'tho',
      params: { job_kind: JobKind },
      summary,
      run: (ctx, { params }) => run(ctx, params.job_kind),
    }),
  ),
  route({
    method: 'POST',
    path: '/admin/jobs/kinds/:job_kind/retry',
    access: 'tho',
    params: { job_kind: JobKind },
    reply: JobNumberData,
    summary: 'Tries all jobs of a kind again that have failed for good.',
    run: (ctx, { params }) => retryFailedJobs(ctx, params.job_kind),
  }),
  route({
    method: 'DELETE',
    path: '/admin/jobs/kinds/:job_kind/failed',
    access: 'tho',
    params: { job_kind: JobKind },
    reply: JobNumberData,
    summary: 'Gives all jobs of a kind up that have failed for good.',
    run: (ctx, { params }) => dropFailedJobs(ctx, params.job_kind),
  }),
  route({
    method: 'POST',
    path: '/admin/jobs/:job_id/retry',
    access: 'tho',
    params: { job_id: Int },
    summary: 'Tries a job again at once.',
    run: (ctx, { params }) => retryJob(ctx, params.job_id),
  }),
  route({
    method: 'DELETE',
    path: '/admin/jobs/:job_id',
    access: 'tho',
    params: { job_id: Int },
    summary: 'Gives a job up.',
    run: (ctx, { params }) => dropJob(ctx, params.job_id),
  }),
  route({
    method: 'POST',
    path: '/admin/memory/reload',
    access: 'admin',
    summary:
      'Has all servers and workers read again what they keep in memory of the database, after somebody has written to it past them. ' +
      'Once a minute.',
    run: (ctx) => readAgain(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/errors',
    access: 'serviceteam',
    query: { search: Type.Optional(word) },
    reply: FaultListData,
    summary: 'The newest requests at which a server failed, by a part of their id or path.',
    shared: true,
    run: (ctx, { query }) => listFaults(ctx, query.search),
  }),
  route({
    method: 'GET',
    path: '/admin/audit',
    access: 'admin',
    query: { ...auditQuery, ...pageQuery },
    reply: AuditListData,
    summary: 'Who did what to whom with a right that others do not have, newest first. Names as well as ids.',
    cached: { tables: ['audit'] },
    run: (ctx, { query }) => listAudit(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/admin/audit/csv',
    access: 'admin',
    query: auditQuery,
    summary: 'The same as a table for a spreadsheet.',
    cached: { tables: ['audit'] },
    run: (ctx, { query }) => auditAsCsv(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/admin/backups',
    access: 'admin',
    reply: BackupListData,
    summary: 'The backups that are there, newest first, and the work on them.',
    // Files may come and go by other hands. `note` is a column, which a test takes for the table.
    cached: { tables: ['operation', 'note'], everySecond: true },
    run: (ctx) => listBackups(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/backups',
    access: 'admin',
    reply: OperationData,
    summary: 'Makes a backup of everything; a worker does it, and the list says how far it is.',
    run: (ctx) => makeBackup(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/backups/schedule',
    access: 'admin',
    body: BackupScheduleChangeData,
    reply: BackupListData,
    summary: 'Has a backup made every night at an hour of ship time, and says how many of these stay.',
    run: (ctx, { body }) => scheduleBackups(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/admin/backups/:backup_name/verify',
    access: 'admin',
    params: backup,
    reply: OperationData,
    summary: 'Tries a backup by restoring it into a scratch database, which is removed again.',
    run: (ctx, { params }) => verifyBackup(ctx, params.backup_name),
  }),
  route({
    method: 'POST',
    path: '/admin/backups/:backup_name/ticket',
    access: 'admin',
    params: backup,
    body: PasswordData,
    reply: BackupTicketData,
    summary: 'Lets the caller download a backup for a minute, once they have given their password again.',
    run: (ctx, { params, body }) => backupTicket(ctx, params.backup_name, body.currentPassword),
  }),
  route({
    method: 'GET',
    path: '/admin/backups/:backup_name',
    access: 'admin',
    params: backup,
    query: { ticket: Text({ max: 200 }) },
    summary: 'The file of a backup, with a ticket.',
    run: (ctx, { params, query }) => downloadBackup(ctx, params.backup_name, query.ticket),
  }),
  route({
    method: 'GET',
    path: '/user/export',
    access: 'token',
    reply: OwnDataState,
    summary: 'How far the file is with everything that the server knows about the caller.',
    run: (ctx) => ownDataState(ctx),
  }),
  route({
    method: 'POST',
    path: '/user/export',
    access: 'token',
    makesFile: true,
    reply: OwnDataState,
    summary: 'Makes a file with everything that the server knows about the caller and their other accounts; a worker does it.',
    run: (ctx) => orderOwnData(ctx),
  }),
  route({
    method: 'GET',
    path: '/user/export/file',
    access: 'token',
    summary: 'That file, a zip of JSON and pictures; it stays for a day.',
    run: (ctx) => downloadOwnData(ctx),
  }),
  route({
    method: 'GET',
    path: '/user/deletion',
    access: 'token',
    reply: AccountDeletionStateData,
    summary: 'Whether the caller may delete their account, and what would go with it.',
    run: (ctx) => deletionState(ctx),
  }),
  route({
    method: 'POST',
    path: '/user/delete',
    access: 'token',
    body: AccountDeletionData,
    summary:
      'Deletes all accounts of the caller, where the settings let people do so. Posts stay under the name of a deleted account; ' +
      'the registration code stays used.',
    run: (ctx, { body }) => deleteAccount(ctx, body),
  }),
  ...(['boardgames', 'karaoke'] as const).flatMap((library) => [
    route({
      method: 'GET',
      path: `/admin/${library}/file`,
      access: 'admin',
      reply: LibraryFileData,
      summary: 'This library as a file that can be uploaded again.',
      run: (ctx) => libraryFile(ctx, library),
    }),
    route({
      method: 'POST',
      path: `/admin/${library}/verify`,
      access: 'admin',
      body: LibraryUploadData,
      reply: LibraryDifferenceData,
      summary: 'What a file would change in this library.',
      run: (ctx, { body }) => compareLibrary(ctx, library, body.file),
    }),
    route({
      method: 'POST',
      path: `/admin/${library}/upload`,
      access: 'admin',
      body: LibraryUploadData,
      reply: LibraryDifferenceData,
      summary: 'Makes this library what a file says. What stays in it keeps its id and stays a favorite; a bad file changes nothing.',
      run: (ctx, { body }) => uploadLibrary(ctx, library, body.file),
    }),
  ]),
]
