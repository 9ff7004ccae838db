// The wire forms of the console.
import { userRoles } from '../accounts/types.ts'
import { noteCodes } from './notes.ts'
import { UserHeader } from '../accounts/schemas.ts'
import { Paginator } from '../core/http/paging.ts'
import { DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'

const userFields = {
  header: UserHeader,
  /** As they have entered it. */
  roomNumber: Type.Optional(Type.String()),
  accessLevel: OneOf(accessLevels),
  roles: Type.Array(OneOf(userRoles)),
  createdAt: DateTime,
  /** Absent: never, or before this was noted. */
  lastSeen: Type.Optional(DateTime),
  isSubAccount: Type.Boolean(),
  tempQuarantineEndTime: Type.Optional(DateTime),
  /** Whether the person has used a registration code; for the service team. */
  hasCode: Type.Optional(Type.Boolean()),
  openReports: Int,
}

/** An account in the list of people. */
export type AdminUserData = Static<typeof AdminUserData>
export const AdminUserData = Dto('AdminUserData', userFields)

export type AdminUserListData = Static<typeof AdminUserListData>
export const AdminUserListData = Dto('AdminUserListData', { users: Type.Array(AdminUserData), paginator: Paginator })

export const bulkActions = ['verify', 'unverify', 'addRole', 'removeRole', 'signOut'] as const
export type BulkAction = (typeof bulkActions)[number]

/** What is to be done to several accounts. */
export type UsersBulkData = Static<typeof UsersBulkData>
export const UsersBulkData = Dto(
  'UsersBulkData',
  {
    userIDs: Type.Array(Uuid, { maxItems: 200 }),
    action: OneOf(bulkActions),
    /** Of `addRole` and `removeRole`. */
    role: Type.Optional(OneOf(userRoles)),
  },
  ({ userIDs, action, role }, fail) => {
    if (userIDs.length === 0) fail({ text: 'userIDs is empty', rule: 'empty' }, 'userIDs')
    if ((action === 'addRole' || action === 'removeRole') && role === undefined) fail({ text: 'role is missing', rule: 'empty' }, 'role')
  },
)

/** To whom it was done, and why not to the others. */
export type UsersBulkResultData = Static<typeof UsersBulkResultData>
export const UsersBulkResultData = Dto('UsersBulkResultData', {
  done: Type.Array(Uuid),
  refused: Type.Array(Dto('UserRefusedData', { userID: Uuid, reason: Type.String(), code: Type.String() })),
})

/** A browser in which somebody is signed in. */
export const AdminSessionData = Dto('AdminSessionData', { sessionID: Uuid, device: Type.String(), createdAt: DateTime, lastSeen: DateTime })

/** An account with its devices. */
export type AdminUserDetailData = Static<typeof AdminUserDetailData>
export const AdminUserDetailData = Dto('AdminUserDetailData', {
  ...userFields,
  /** True while an app has a token. */
  app: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
  browsers: Type.Array(AdminSessionData),
})

const optionalMs = Type.Optional(Type.Number())

/** Figures of all servers together at one moment, or over a short time. */
export const FigurePointData = Dto('FigurePointData', {
  at: DateTime,
  online: Int,
  /** A second. */
  requests: Type.Number(),
  /** A minute. */
  errors: Type.Number(),
  /** A minute. */
  posts: Type.Number(),
  /** Milliseconds that half of the answers took at most. */
  p50: optionalMs,
  /** Milliseconds that all but one in a hundred took at most. */
  p99: optionalMs,
  /** Milliseconds that the event loop was late. */
  lag: Type.Number(),
  memoryMb: Int,
  /** Jobs that were due; of an hour, once a minute. */
  waiting: Type.Optional(Int),
  diskFreeMb: Type.Optional(Type.Number()),
})

/** One server process. */
export type NodeStateData = Static<typeof NodeStateData>
export const NodeStateData = Dto('NodeStateData', {
  name: Type.String(),
  startedAt: DateTime,
  online: Int,
  memoryMb: Int,
  /** Percent of one core. */
  cpu: Type.Number(),
  lag: Type.Number(),
})

/** The present: of the last minute where it is a rate. */
export const FiguresNowData = Dto('FiguresNowData', {
  online: Int,
  /** Open notification sockets and sockets of chats. */
  sockets: Int,
  requestsPerSecond: Type.Number(),
  postsPerMinute: Int,
  errorsInHour: Int,
  p50: optionalMs,
  p99: optionalMs,
  lag: Type.Number(),
  /** Jobs that are due. */
  waiting: Int,
  diskFreeMb: Type.Optional(Type.Number()),
  /** The newest backup in the folder of backups. */
  lastBackupAt: Type.Optional(DateTime),
})

export type FiguresData = Static<typeof FiguresData>
export const FiguresData = Dto('FiguresData', {
  now: FiguresNowData,
  points: Type.Array(FigurePointData),
  nodes: Type.Array(NodeStateData),
  /** False when a server did not answer. */
  complete: Type.Boolean(),
})

/** Whom a switch for everybody touches. Built-in accounts and clients are not counted. */
export type ReachData = Static<typeof ReachData>
export const ReachData = Dto('ReachData', {
  /** Each with all their accounts. */
  people: Int,
  /** Accounts with a notification socket. */
  online: Int,
  /** Open notification sockets and sockets of chats. */
  sockets: Int,
  levels: Type.Array(
    Dto('ReachOfLevelData', {
      level: OneOf(accessLevels),
      accounts: Int,
      people: Int,
      /** Accounts that had a socket or asked for something in the last minute or two. */
      present: Int,
    }),
  ),
})

/** One thing that was looked at, and what to do about it. */
export type CheckData = Static<typeof CheckData>
export const CheckData = Dto('CheckData', {
  /** A stable word. */
  name: Type.String(),
  state: OneOf(['good', 'warning', 'bad']),
  sentence: Type.String(),
  /** What to do; absent when all is well. */
  mend: Type.Optional(Type.String()),
  /** Both sentences as a word for programs; absent where only the words of an error are known. */
  code: Type.Optional(Type.String()),
  /** JSON: what the sentences name. */
  values: Type.Optional(Type.String()),
})

/** A request at which a server failed. */
export const FaultData = Dto('FaultData', {
  at: DateTime,
  method: Type.String(),
  path: Type.String(),
  status: Int,
  code: Type.String(),
  requestID: Type.String(),
  /** Kind and place of the fault in the program. */
  cause: Type.String(),
  node: Type.String(),
})

export type FaultListData = Static<typeof FaultListData>
export const FaultListData = Dto('FaultListData', { faults: Type.Array(FaultData), complete: Type.Boolean() })

/** A job that is not done. */
export const JobData = Dto('JobData', {
  jobID: Int,
  job: Type.String(),
  state: OneOf(['failed', 'retrying', 'running', 'due', 'later']),
  runAt: DateTime,
  createdAt: DateTime,
  failures: Int,
  lastError: Type.Optional(Type.String()),
  requestID: Type.String(),
})

export type JobListData = Static<typeof JobListData>
export const JobListData = Dto('JobListData', {
  jobs: Type.Array(JobData),
  failed: Int,
  retrying: Int,
  /** With a worker. */
  running: Int,
  due: Int,
  later: Int,
  paginator: Paginator,
})

/** A kind of job: what of it is not done, and what was done in the last hour. */
export type JobKindData = Static<typeof JobKindData>
export const JobKindData = Dto('JobKindData', {
  /** Its name; `image` is the work on pictures, which requests wait for. */
  job: Type.String(),
  mayPause: Type.Boolean(),
  due: Int,
  later: Int,
  running: Int,
  retrying: Int,
  failed: Int,
  doneInHour: Int,
  failedInHour: Int,
  /** Of the last hour. */
  averageMs: Type.Optional(Int),
  longestMs: Type.Optional(Int),
  /** When the last one ended, to five minutes. */
  lastAt: Type.Optional(DateTime),
  /** Nobody works on it since then. */
  pausedAt: Type.Optional(DateTime),
  pausedBy: Type.Optional(UserHeader),
})

/** What jobs have come to, in steps of so many minutes; steps without any are left out. */
export type JobHistoryData = Static<typeof JobHistoryData>
export const JobHistoryData = Dto('JobHistoryData', {
  minutes: Int,
  steps: Type.Array(Dto('JobHistoryStepData', { at: DateTime, done: Int, failed: Int, averageMs: Int, longestMs: Int })),
})

export type JobNumberData = Static<typeof JobNumberData>
export const JobNumberData = Dto('JobNumberData', { number: Int })

/** An entry of the audit trail. */
export const AuditData = Dto('AuditData', {
  auditID: Int,
  actor: UserHeader,
  action: Type.String(),
  subjectType: Type.String(),
  subjectID: Type.String(),
  user: Type.Optional(UserHeader),
  /** JSON. */
  details: Type.String(),
  requestID: Type.String(),
  createdAt: DateTime,
})

export type AuditListData = Static<typeof AuditListData>
export const AuditListData = Dto('AuditListData', {
  entries: Type.Array(AuditData),
  /** All that is ever noted, to filter by. */
  actions: Type.Array(Type.String()),
  paginator: Paginator,
})

/** Figures of a note about long work. */
export const NoteValuesData = Dto('NoteValuesData', {
  files: Type.Optional(Int),
  rows: Type.Optional(Int),
  megabytes: Type.Optional(Type.Number()),
  done: Type.Optional(Int),
  all: Type.Optional(Int),
})

/** Work that takes longer than a request. */
export type OperationData = Static<typeof OperationData>
export const OperationData = Dto('OperationData', {
  operationID: Uuid,
  kind: OneOf(['backup', 'verify', 'everybody']),
  file: Type.String(),
  state: OneOf(['waiting', 'running', 'done', 'failed']),
  /** How far it is, or how it ended. */
  note: Type.String(),
  /** The same for programs, with the figures of the sentence; absent when it is in the words of an error. */
  noteCode: Type.Optional(OneOf(noteCodes)),
  noteValues: Type.Optional(NoteValuesData),
  /** Absent for the backup of the night. */
  askedBy: Type.Optional(UserHeader),
  createdAt: DateTime,
  endedAt: Type.Optional(DateTime),
})

/** A backup in the folder of backups. */
export const BackupData = Dto('BackupData', {
  name: Type.String(),
  bytes: Type.Number(),
  createdAt: DateTime,
  /** When it was last restored into a scratch database; absent: not lately. */
  verifiedAt: Type.Optional(DateTime),
})

/** Whether a backup is made every night. */
export type BackupScheduleData = Static<typeof BackupScheduleData>
export const BackupScheduleData = Dto('BackupScheduleData', {
  nightly: Type.Boolean(),
  /** Of ship time, from 0 to 23. */
  hour: Int,
  /** How many of the night stay, from 1 to 100; older ones are removed. Those that somebody ordered always stay. */
  keep: Int,
})

export type BackupScheduleChangeData = Static<typeof BackupScheduleChangeData>
export const BackupScheduleChangeData = Dto(
  'BackupScheduleChangeData',
  {
    ...BackupScheduleData.properties,
    /** What the caller has seen; 409 when it is something else meanwhile. */
    basedOn: Type.Optional(BackupScheduleData),
  },
  ({ hour, keep }, fail) => {
    if (hour < 0 || hour > 23) fail({ text: 'hour must be from 0 to 23', rule: 'out_of_range', min: 0, max: 23 }, 'hour')
    if (keep < 1 || keep > 100) fail({ text: 'keep must be from 1 to 100', rule: 'out_of_range', min: 1, max: 100 }, 'keep')
  },
)

export type BackupListData = Static<typeof BackupListData>
export const BackupListData = Dto('BackupListData', {
  schedule: BackupScheduleData,
  /** When the next one of the night is made. */
  nextAt: Type.Optional(DateTime),
  /** The last one of a night, however it ended. */
  lastNight: Type.Optional(OperationData),
  backups: Type.Array(BackupData),
  work: Type.Array(OperationData),
})

/** The current password, for what a session alone may not do. */
export const PasswordData = Dto('PasswordData', { currentPassword: Text({ min: 1, max: 200 }) })

/** Lets the caller download one backup, for a minute. */
export type BackupTicketData = Static<typeof BackupTicketData>
export const BackupTicketData = Dto('BackupTicketData', { ticket: Type.String() })

/** The file with everything that the server knows about the caller. */
export type OwnDataState = Static<typeof OwnDataState>
export const OwnDataState = Dto('OwnDataState', {
  /** `none`: not asked for, or more than a day ago. */
  state: OneOf(['none', 'waiting', 'running', 'done', 'failed']),
  createdAt: Type.Optional(DateTime),
  bytes: Type.Optional(Type.Number()),
})

/** The file of a library: JSON of games, or lines of songs. */
export const LibraryUploadData = Dto('LibraryUploadData', { file: Text({ min: 1 }) })

const names = Type.Array(Type.String())

/** A library as a file, as an upload takes it. */
export type LibraryFileData = Static<typeof LibraryFileData>
export const LibraryFileData = Dto('LibraryFileData', { file: Type.String() })

/** What a file changes in a library, by titles. Of each list the first are named. */
export type LibraryDifferenceData = Static<typeof LibraryDifferenceData>
export const LibraryDifferenceData = Dto('LibraryDifferenceData', {
  newCount: Int,
  goneCount: Int,
  changedCount: Int,
  unchangedCount: Int,
  newNames: names,
  goneNames: names,
  changedNames: names,
})

/** Whether the caller may delete their account, and what goes with it. */
export type AccountDeletionStateData = Static<typeof AccountDeletionStateData>
export const AccountDeletionStateData = Dto('AccountDeletionStateData', {
  allowed: Type.Boolean(),
  /** Why they may not. */
  reason: Type.Optional(Type.String()),
  /** The same as an error code. */
  code: Type.Optional(Type.String()),
  /** Names of all accounts of the person. */
  accounts: Type.Array(Type.String()),
  /** Groups of theirs that would be cancelled. */
  groups: Int,
})

/** What deletes an account: its typed name and its password. */
export type AccountDeletionData = Static<typeof AccountDeletionData>
export const AccountDeletionData = Dto('AccountDeletionData', { username: Text({ max: 100 }), currentPassword: Text({ max: 200 }) })
