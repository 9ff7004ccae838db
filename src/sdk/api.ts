// Every endpoint and every schema of the API. Written from the route table (src/core/docs/client-source.ts), not by hand:
// UPDATE_WIRE=1 npm test -- test/core/wire.test.ts
import type { Bytes, BytesBody, CallOptions, FileCall, Nothing, RawSocket } from './transport.ts'
import type { Live, LiveOptions } from './live.ts'

export interface AccountDeletionData {
  username: string
  currentPassword: string
}

export interface AccountDeletionStateData {
  allowed: boolean
  reason?: string
  code?: string
  accounts: string[]
  groups: number
}

export interface AddedUserData {
  userID: string
  username: string
}

export interface AdminSessionData {
  sessionID: string
  device: string
  createdAt: string
  lastSeen: string
}

export interface AdminUserData {
  header: UserHeader
  roomNumber?: string
  accessLevel: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  roles: ('karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager')[]
  createdAt: string
  lastSeen?: string
  isSubAccount: boolean
  tempQuarantineEndTime?: string
  hasCode?: boolean
  openReports: number
}

export interface AdminUserDetailData {
  header: UserHeader
  roomNumber?: string
  accessLevel: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  roles: ('karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager')[]
  createdAt: string
  lastSeen?: string
  isSubAccount: boolean
  tempQuarantineEndTime?: string
  hasCode?: boolean
  openReports: number
  app: boolean
  hasSecondFactor: boolean
  browsers: AdminSessionData[]
}

export interface AdminUserListData {
  users: AdminUserData[]
  paginator: Paginator
}

export interface AlertmanagerAlert {
  status: string
  labels: Record<string, string>
  annotations: Record<string, string>
  startsAt: string | Date
  endsAt: string
  generatorURL: string
  fingerprint: string
}

export interface AlertmanagerWebhookPayload {
  version: string
  groupKey: string
  truncatedAlerts: number
  status: string
  receiver: string
  groupLabels: Record<string, string>
  commonLabels: Record<string, string>
  commonAnnotations: Record<string, string>
  externalURL: string
  alerts: readonly AlertmanagerAlert[]
}

export interface AnnouncementCreateData {
  text: string
  displayUntil: string | Date
  postAsUser?: string
  basedOn?: string | Date
}

export interface AnnouncementData {
  id: number
  author: UserHeader
  text: string
  updatedAt: string
  displayUntil: string
  isDeleted: boolean
}

export interface AnnouncementPlanData {
  text: string
  showAt: string | Date
  displayUntil: string | Date
  postAsUser?: string
}

export interface AuditData {
  auditID: number
  actor: UserHeader
  action: string
  subjectType: string
  subjectID: string
  user?: UserHeader
  details: string
  requestID: string
  createdAt: string
}

export interface AuditListData {
  entries: AuditData[]
  actions: string[]
  paginator: Paginator
}

export interface BackupData {
  name: string
  bytes: number
  createdAt: string
  verifiedAt?: string
}

export interface BackupListData {
  schedule: BackupScheduleData
  nextAt?: string
  lastNight?: OperationData
  backups: BackupData[]
  work: OperationData[]
}

export interface BackupScheduleChangeData {
  nightly: boolean
  hour: number
  keep: number
  basedOn?: BackupScheduleData
}

export interface BackupScheduleData {
  nightly: boolean
  hour: number
  keep: number
}

export interface BackupTicketData {
  ticket: string
}

export interface BanData {
  reason: string
  until?: string
  bannedBy: UserHeader
  createdAt: string
}

export interface BanUploadData {
  reason: string
  until?: string | Date
  basedOn?: string | Date | null
}

export interface BarrelCreateData {
  name: string
  uuidList?: readonly string[]
  stringList?: readonly string[]
}

export interface BarrelData {
  barrelID: string
  name: string
  seamonkeys: UserHeader[]
  stringList?: string[]
}

export interface BarrelListData {
  barrelID: string
  name: string
}

export interface BoardgameData {
  gameID: string
  gameName: string
  numCopies: number
  donatedBy?: string
  notes?: string
  yearPublished?: string
  gameDescription?: string
  gameTypes: string[]
  categories: string[]
  mechanics: string[]
  minPlayers?: number
  maxPlayers?: number
  suggestedPlayers?: number
  minPlayingTime?: number
  maxPlayingTime?: number
  avgPlayingTime?: number
  minAge?: number
  numRatings?: number
  avgRating?: number
  complexity?: number
  isExpansion: boolean
  hasExpansions: boolean
  isFavorite: boolean
}

export interface BoardgameRecommendationData {
  numPlayers: number
  timeToPlay: number
  maxAge: number
  minAge: number
  complexity: number
}

export interface BoardgameReloadData {
  games: number
}

export interface BoardgameResponseData {
  gameArray: BoardgameData[]
  paginator: Paginator
  totalGames: number
  start: number
  limit: number
}

export interface BulkUserImagesData {
  waiting: number
  failed: number
}

export interface BulkUserUpdateCounts {
  totalRecordsProcessed: number
  importedCount: number
  duplicateCount: number
  errorCount: number
}

export interface BulkUserUpdateVerificationData {
  changesApplied: boolean
  userCounts: BulkUserUpdateCounts
  performerCounts: BulkUserUpdateCounts
  needsPhotographerCounts: BulkUserUpdateCounts
  regCodeConflicts: string[]
  usernameConflicts: string[]
  errorNotImported: string[]
  otherErrors: string[]
}

export interface CalendarSubscriptionData {
  createdAt?: string
}

export interface CategoryChangeData {
  title: string
  purpose: string
  accessLevelToView: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  accessLevelToCreate: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  requiredRole?: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager'
  basedOn?: string | Date
}

export interface CategoryCreateData {
  title: string
  purpose: string
  isRestricted?: boolean
  isEventCategory?: boolean
  accessLevelToView?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  accessLevelToCreate?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  requiredRole?: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager'
}

export interface CategoryData {
  categoryID: string
  title: string
  purpose: string
  isRestricted: boolean
  isEventCategory: boolean
  paginator: Paginator
  numThreads: number
  forumThreads?: ForumListData[]
}

export interface CategoryOrderData {
  categoryIDs: readonly string[]
  basedOn?: readonly string[]
}

export interface CheckData {
  name: string
  state: 'good' | 'warning' | 'bad'
  sentence: string
  mend?: string
  code?: string
  values?: string
}

export interface ClientSettingsData {
  canonicalHostnames: string[]
  cruiseStartDate: string
  cruiseLengthInDays: number
  portTimeZoneID: string
  portTimeZoneAbbrev: string
  portTimeZoneOffset: number
  scheduleUpdateURL: string
  shipWifiSSID?: string
  enablePreregistration: boolean
  minAccessLevel: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  maxForumPostImages: number
  maxImageSize: number
  photostreamUploadRateLimit: number
  newPasswordSignsOutApps?: boolean
  identityProvider?: string
  installationID: string
}

export interface ClientStartAnnouncements {
  tag: string
  data: AnnouncementData[]
}

export interface ClientStartChats {
  tag: string
  data: FezListData
}

export interface ClientStartDailyThemes {
  tag: string
  data: DailyThemeData[]
}

export interface ClientStartData {
  tag: string
  settings?: ClientStartSettings
  whoami?: ClientStartWhoami
  numbers?: ClientStartNumbers
  announcements?: ClientStartAnnouncements
  dailyThemes?: ClientStartDailyThemes
  chats?: ClientStartChats
  followedEvents?: ClientStartFollowedEvents
}

export interface ClientStartFollowedEvents {
  tag: string
  data: string[]
}

export interface ClientStartNumbers {
  tag: string
  data: UserNotificationData
}

export interface ClientStartSettings {
  tag: string
  data: ClientSettingsData
}

export interface ClientStartWhoami {
  tag: string
  data: CurrentUserData
}

export interface CodeListData {
  codes: ListedCodeData[]
  paginator: Paginator
  serverURL: string
}

export interface CodesDeletedData {
  deleted: number
  used: number
  unknown: number
}

export interface CodesDeletionData {
  codes?: string
  allUnused?: boolean
}

export interface CodesDifferenceData {
  newCodes: number
  knownCodes: number
  wrongLines: number[]
  wrongCount: number
}

export interface CodesOrderData {
  count: number
  prefix?: string
  forDiscordUsers?: boolean
}

export interface CodesUploadData {
  codes: string
}

export interface ContentData {
  type: 'forum' | 'forumPost' | 'twarrt' | 'userProfile' | 'fez' | 'fezPost' | 'mkSong' | 'mkSongSnippet' | 'streamPhoto' | 'privateEvent' | 'quartermasterItem'
  id: string
}

export interface ContentListData {
  items: readonly ContentData[]
}

export interface ContentOutcomeData {
  done: ContentData[]
  refused: ContentRefusalData[]
}

export interface ContentRefusalData {
  type: 'forum' | 'forumPost' | 'twarrt' | 'userProfile' | 'fez' | 'fezPost' | 'mkSong' | 'mkSongSnippet' | 'streamPhoto' | 'privateEvent' | 'quartermasterItem'
  id: string
  code: string
  reason: string
}

export interface CreatedUserData {
  userID: string
  username: string
  recoveryKey: string
}

export interface CurrentUserData {
  userID: string
  username: string
  isLoggedIn: boolean
  accessLevel: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  roles: ('karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager')[]
  isSubAccount?: boolean
  needsSecondFactor?: boolean
}

export interface DailyThemeData {
  themeID: string
  title: string
  info: string
  image?: string
  imageSize?: ImageSizeData
  cruiseDay: number
  updatedAt: string
}

export interface DailyThemeRowData {
  cruiseDay: number
  title?: string
  info?: string
  basedOn?: string | Date
}

export interface DailyThemeTableData {
  themes: readonly DailyThemeRowData[]
}

export interface DailyThemeUploadData {
  title: string
  info: string
  image?: ImageUploadData
  cruiseDay: number
  basedOn?: string | Date
}

export interface DayEntryData {
  eventID?: string
  text: string
  location?: string
  at: string
}

export interface DayReportData {
  eventName: string
  date: string
  day?: number
  from: string
  to: string
  hours: ReportHourData[]
  mostOnline: number
  posts: number
  requests: number
  errors: number
  newPeople: number
  reportsFiled: number
  reportsHandled: number
  reportsOpen: number
  bans: number
  backups: OperationData[]
  diskFreeMb?: number
  p99?: number
}

export interface DeviceClockData {
  now: string | Date
}

export interface DisabledFeature {
  appName: string
  featureName: string
}

export interface EventData {
  eventID: string
  uid: string
  title: string
  description: string
  startTime: string
  endTime: string
  timeZone: string
  timeZoneID: string
  location: string
  eventType: string
  lastUpdateTime: string
  forum?: string
  isFavorite: boolean
  performers: PerformerHeaderData[]
  shutternautData?: ShutternautEventData
}

export interface EventDayData {
  openReports: number
  failedJobs: number
  lastNight?: OperationData
  nightly: boolean
  eventsToday: number
  nextEvents: DayEntryData[]
  announcementsEnding: DayEntryData[]
}

export interface EventEndData {
  farewells: number
  everybody?: OperationData
  everybodyBytes?: number
  finalBackup?: string
  finalBackupVerifiedAt?: string
}

export interface EventFeedbackData {
  eventUID?: string
  eventTitle: string
  eventLocation: string
  eventTime: string | Date
  hostName: string
  attendance: string
  recapString: string
  issuesString: string
}

export interface EventFeedbackReport {
  id?: string
  reportingUser: UserHeader
  reportModDate?: string
  event?: EventData
  eventTitle: string
  eventLocation: string
  eventTime: string
  hostName: string
  attendance: string
  recapString: string
  issuesString: string
  adminFields?: EventFeedbackReportAdminFields
}

export interface EventFeedbackReportAdminFields {
  actionable: boolean
  followCount: number
  forumID?: string
  forumPostCount: number
}

export interface EventFeedbackSelectionData {
  existingFeedback: EventData[]
  performerAttached: EventData[]
  matchingRoom: EventData[]
  events: EventData[]
}

export interface EventFeedbackStats {
  totalShadowEvents: number
  completedShadowEvents: number
  totalFeedbackReports: number
  uniqueEventsWithFeedback: number
}

export interface EventLifeData {
  trip: TripData
  startsAt: string
  endsAt: string
  phase: 'before' | 'during' | 'after'
  day?: number
  steps: StepData[]
  today: EventDayData
  end: EventEndData
}

export interface EventPerformerValidationData {
  oldPerformerCount: number
  newPerformerCount: number
  missingPerformerCount: number
  noEventsPerformerCount: number
  eventsWithPerformerCount: number
  unmatchedEventCount: number
  errors: string[]
}

export interface EventUpdateDifferenceData {
  deletedEvents: EventData[]
  createdEvents: EventData[]
  timeChangeEvents: EventData[]
  locationChangeEvents: EventData[]
  minorChangeEvents: EventData[]
}

export interface EventUpdateLogData {
  entryID: number
  automaticUpdate: boolean
  changeCount: number
  timestamp: string
  error?: string
  counts: ScheduleCountsData
  undoable: boolean
  undoes?: number
  isUndo: boolean
  by?: UserHeader
}

export interface EventsOrSettingsUpdateData {
  schedule?: string
  minUserAccessLevel?: 'banned' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  enablePreregistration?: boolean
  verifiedReading?: boolean
  moderatorsMayStop?: boolean
  maxAlternateAccounts?: number
  maximumTwarrts?: number
  maximumForums?: number
  maximumForumPosts?: number
  maxImageSize?: number
  maxForumPostImages?: number
  maxPersonMegabytes?: number
  maxStoredMegabytes?: number
  minFreeDiskMegabytes?: number
  forumAutoQuarantineThreshold?: number
  postAutoQuarantineThreshold?: number
  userAutoQuarantineThreshold?: number
  allowAnimatedImages?: boolean
  shipWifiSSID?: string
  scheduleUpdateURL?: string
  upcomingEventNotificationSeconds?: number
  upcomingEventNotificationSetting?: 'disabled' | 'cruiseWeek' | 'current'
  upcomingLFGNotificationSetting?: 'disabled' | 'cruiseWeek' | 'current'
  enableSiteNotificationDataCaching?: boolean
  pushTexts?: boolean
  microblogSlowSeconds?: number
  photostreamUploadRateLimit?: number
  allowAccountDeletion?: boolean
  strictPasswords?: boolean
  newPasswordSignsOutApps?: boolean
  teamSecondFactor?: boolean
  browserSessionDays?: number
  basedOn?: readonly SettingSeenData[]
  enableFeatures?: readonly SettingsAppFeaturePair[]
  disableFeatures?: readonly SettingsAppFeaturePair[]
}

export interface EventsUpdateData {
  schedule: string
}

export interface FactorCodeData {
  code: string
}

export interface FaultData {
  at: string
  method: string
  path: string
  status: number
  code: string
  requestID: string
  cause: string
  node: string
}

export interface FaultListData {
  faults: FaultData[]
  complete: boolean
}

export interface FezContentData {
  fezType: 'closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent'
  title: string
  info: string
  startTime?: string | Date
  endTime?: string | Date
  location?: string
  minCapacity: number
  maxCapacity: number
  initialUsers: readonly string[]
  createdByModerator?: boolean
  createdByServiceTeam?: boolean
  firstPost?: PostContentData
  visibility?: 'private' | 'public' | 'unlisted'
}

export interface FezData {
  fezID: string
  owner: UserHeader
  fezType: 'closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent'
  title: string
  info: string
  startTime?: string
  endTime?: string
  timeZone?: string
  timeZoneID?: string
  location?: string
  participantCount: number
  minParticipants: number
  maxParticipants: number
  cancelled: boolean
  lastModificationTime: string
  visibility: 'private' | 'public' | 'unlisted'
  members?: MembersOnlyData
  slowModeSeconds?: number
}

export interface FezEditLogData {
  fezID: string
  editID: string
  createdAt: string
  author: UserHeader
  title: string
  info: string
  location: string
}

export interface FezFoundPostData {
  author: UserHeader
  text: string
  timestamp: string
  hasImage: boolean
  postID: number
  place: number
}

export interface FezLastPostData {
  author: UserHeader
  text: string
  timestamp: string
  hasImage: boolean
}

export interface FezListData {
  paginator: Paginator
  fezzes: FezData[]
}

export interface FezModerationData {
  fez: FezData
  isDeleted: boolean
  edits: FezEditLogData[]
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface FezPostData {
  postID: number
  author: UserHeader
  text: string
  timestamp: string
  image?: string
  imageSize?: ImageSizeData
}

export interface FezPostModerationData {
  fezPost: FezPostData
  fezID: string
  fezType: 'closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent'
  fezTitle: string
  isDeleted: boolean
  excerpts?: ReportExcerptData[]
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface FezPostsReportData {
  postIDs: readonly number[]
  message: string
}

export interface FezWithPostData {
  fezID: string
  owner: UserHeader
  fezType: 'closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent'
  title: string
  info: string
  startTime?: string
  endTime?: string
  timeZone?: string
  timeZoneID?: string
  location?: string
  participantCount: number
  minParticipants: number
  maxParticipants: number
  cancelled: boolean
  lastModificationTime: string
  visibility: 'private' | 'public' | 'unlisted'
  members?: MembersOnlyData
  slowModeSeconds?: number
  postID: number
  author: UserHeader
  text: string
  timestamp: string
  image?: string
  imageSize?: ImageSizeData
}

export interface FigurePointData {
  at: string
  online: number
  requests: number
  errors: number
  posts: number
  p50?: number
  p99?: number
  lag: number
  memoryMb: number
  waiting?: number
  diskFreeMb?: number
}

export interface FiguresData {
  now: FiguresNowData
  points: FigurePointData[]
  nodes: NodeStateData[]
  complete: boolean
}

export interface FiguresNowData {
  online: number
  sockets: number
  requestsPerSecond: number
  postsPerMinute: number
  errorsInHour: number
  p50?: number
  p99?: number
  lag: number
  waiting: number
  diskFreeMb?: number
  lastBackupAt?: string
}

export interface ForumCreateData {
  title: string
  firstPost: PostContentData
}

export interface ForumData {
  forumID: string
  categoryID: string
  title: string
  creator: UserHeader
  isLocked: boolean
  isFavorite: boolean
  isMuted: boolean
  paginator: Paginator
  posts: PostData[]
  eventID?: string
  isPinned?: boolean
  slowModeSeconds?: number
}

export interface ForumEditLogData {
  forumID: string
  editID: string
  createdAt: string
  author: UserHeader
  title: string
  categoryID?: string
}

export interface ForumListData {
  forumID: string
  categoryID: string
  creator: UserHeader
  title: string
  postCount: number
  readCount: number
  createdAt: string
  lastPoster?: UserHeader
  lastPostAt?: string
  isLocked: boolean
  isFavorite: boolean
  isMuted: boolean
  eventTime?: string
  timeZone?: string
  timeZoneID?: string
  eventID?: string
  isPinned?: boolean
}

export interface ForumModerationData {
  forumID: string
  categoryID: string
  creator: UserHeader
  title: string
  createdAt: string
  isDeleted: boolean
  slowModeSeconds?: number
  edits: ForumEditLogData[]
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface ForumPostModerationData {
  forumPost: PostDetailData
  isDeleted: boolean
  edits: PostEditLogData[]
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface ForumSearchData {
  paginator: Paginator
  forumThreads: ForumListData[]
}

export interface HealthResponse {
  status: number
  reason: string
  error: boolean
}

export interface HuntCreateData {
  title: string
  description: string
  puzzles: readonly HuntPuzzleCreateData[]
}

export interface HuntData {
  huntID: string
  title: string
  description: string
  puzzles: HuntPuzzleData[]
  nextUnlockTime?: string
}

export interface HuntListData {
  hunts: HuntListItemData[]
}

export interface HuntListItemData {
  huntID: string
  title: string
  description: string
}

export interface HuntPatchData {
  title?: string
  description?: string
}

export interface HuntPuzzleCallInResultData {
  creationTime: string
  rawSubmission: string
  correct?: string
  hint?: string
}

export interface HuntPuzzleCreateData {
  title: string
  body: string
  unlockTime?: string | Date
  answer: string
  hints: Record<string, string>
}

export interface HuntPuzzleData {
  puzzleID: string
  title: string
  body: string
  answer?: string
  unlockTime?: string
  hints?: Record<string, string>
}

export interface HuntPuzzleDetailData {
  huntID: string
  huntTitle: string
  puzzleID: string
  title: string
  body: string
  callIns: HuntPuzzleCallInResultData[]
}

export interface HuntPuzzlePatchData {
  title?: string
  body?: string
  answer?: string
  unlockTime?: string | Date | null
  hints?: Record<string, string>
}

export interface ImageDescriptionData {
  image: string
  description: string
}

export interface ImageSizeData {
  width: number
  height: number
}

export interface ImageUploadData {
  filename?: string
  image?: Bytes
  alt?: string
}

export interface IncidentData {
  incidentID: number
  kind: string
  state: 'warning' | 'bad'
  sentence: string
  mend?: string
  code?: string
  values?: string
  beganAt: string
  endedAt?: string
}

export interface IncidentListData {
  open: IncidentData[]
  ended: IncidentData[]
}

export interface JobData {
  jobID: number
  job: string
  state: 'failed' | 'retrying' | 'running' | 'due' | 'later'
  runAt: string
  createdAt: string
  failures: number
  lastError?: string
  requestID: string
}

export interface JobHistoryData {
  minutes: number
  steps: JobHistoryStepData[]
}

export interface JobHistoryStepData {
  at: string
  done: number
  failed: number
  averageMs: number
  longestMs: number
}

export interface JobKindData {
  job: string
  mayPause: boolean
  due: number
  later: number
  running: number
  retrying: number
  failed: number
  doneInHour: number
  failedInHour: number
  averageMs?: number
  longestMs?: number
  lastAt?: string
  pausedAt?: string
  pausedBy?: UserHeader
}

export interface JobListData {
  jobs: JobData[]
  failed: number
  retrying: number
  running: number
  due: number
  later: number
  paginator: Paginator
}

export interface JobNumberData {
  number: number
}

export interface KaraokePerformedSongsData {
  songID: string
  artist: string
  songName: string
  performers: string
  time: string
  isFavorite: boolean
}

export interface KaraokePerformedSongsResult {
  songs: KaraokePerformedSongsData[]
  paginator: Paginator
}

export interface KaraokeReloadData {
  songs: number
}

export interface KaraokeSongData {
  songID: string
  artist: string
  songName: string
  isMidi: boolean
  isVoiceReduced: boolean
  isFavorite: boolean
  performances: KaraokePerformedSongsData[]
}

export interface KaraokeSongResponseData {
  totalSongs: number
  start: number
  limit: number
  songs: KaraokeSongData[]
}

export interface KeywordData {
  keywords: string[]
}

export interface LibraryDifferenceData {
  newCount: number
  goneCount: number
  changedCount: number
  unchangedCount: number
  newNames: string[]
  goneNames: string[]
  changedNames: string[]
}

export interface LibraryFileData {
  file: string
}

export interface LibraryUploadData {
  file: string
}

export interface ListedCodeData {
  regCode: string
  isForDiscordUser: boolean
  discordUsername?: string
  user?: UserHeader
  createdAt: string
}

export interface ManagedCategoryData {
  categoryID: string
  title: string
  purpose: string
  isEventCategory: boolean
  accessLevelToView: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  accessLevelToCreate: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  requiredRole?: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager'
  numThreads: number
  changedAt: string
}

export interface MembersOnlyData {
  participants: UserHeader[]
  waitingList: UserHeader[]
  postCount: number
  readCount: number
  paginator?: Paginator
  posts?: FezPostData[]
  isMuted: boolean
  isFavorite: boolean
  lastPost?: FezLastPostData
  foundPost?: FezFoundPostData
}

export interface MicroKaraokeCompletedSong {
  songID: number
  songName: string
  artistName: string
  totalSnippetSlots: number
  completionTime?: string
  modApproved: boolean
  userContributed: boolean
}

export interface MicroKaraokeOfferPacket {
  offerID: string
  songID: number
  songName: string
  artistName: string
  bpm: number
  portraitMode: boolean
  snippetIndex: number
  lyrics: string
  originalSnippetSoundURL: string
  karaokeSnippetSoundURL: string
  offerExpirationTime: string
}

export interface MicroKaraokeRecordingData {
  offerID: string
  videoData: Bytes
}

export interface MicroKaraokeSnippetModeration {
  snippetID: string
  songID: number
  snippetIndex: number
  user: UserHeader
  videoURL?: string
}

export interface MicroKaraokeSongManifest {
  songID: number
  portraitMode: boolean
  snippetVideoURLs: string[]
  snippetDurations: number[]
  karaokeMusicTrack: string
}

export interface MicroblogPostData {
  twarrtID: number
  createdAt: string
  author: UserHeader
  text: string
  images?: string[]
  imageSizes?: ImageSizeData[]
  replyGroupID?: number
  isBookmarked: boolean
  userLike?: 'laugh' | 'like' | 'love'
  likeCount: number
  reactionCounts?: ReactionCountsData
}

export interface MicroblogPostDetailData {
  twarrtID: number
  createdAt: string
  author: UserHeader
  text: string
  images?: string[]
  imageSizes?: ImageSizeData[]
  replyGroupID?: number
  isBookmarked: boolean
  userLike?: 'laugh' | 'like' | 'love'
  laughs: UserHeader[]
  likes: UserHeader[]
  loves: UserHeader[]
}

export interface ModeratorActData {
  moderator: UserHeader
  action: 'setState' | 'handleReports' | 'closeReports' | 'setSlowMode' | 'edit' | 'delete' | 'move'
  state?: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  at: string
}

export interface ModeratorActionLogData {
  id: string
  actionType: 'post' | 'edit' | 'delete' | 'move' | 'quarantine' | 'markReviewed' | 'lock' | 'unlock' | 'pin' | 'unpin' | 'accessLevelUnverified' | 'accessLevelBanned' | 'accessLevelQuarantined' | 'accessLevelVerified' | 'accessLevelModerator' | 'accessLevelServiceTeam' | 'accessLevelTHO' | 'tempQuarantine' | 'tempQuarantineCleared'
  contentType: 'forum' | 'forumPost' | 'twarrt' | 'userProfile' | 'fez' | 'fezPost' | 'mkSong' | 'mkSongSnippet' | 'streamPhoto' | 'privateEvent' | 'quartermasterItem'
  contentID: string
  timestamp: string
  moderator: UserHeader
  targetUser: UserHeader
}

export interface ModeratorActionLogResponseData {
  actions: ModeratorActionLogData[]
  paginator: Paginator
}

export interface ModeratorNotificationData {
  openReportCount: number
  newModeratorSeamailMessageCount: number
  newTTSeamailMessageCount?: number
  newModeratorForumMentionCount: number
  newTTForumMentionCount?: number
}

export interface NewCalendarSubscriptionData {
  path: string
  createdAt: string
}

export interface NewCodesData {
  codes: string[]
  serverURL: string
}

export interface NewTokenData {
  tokenID: string
  name: string
  scope: 'all' | 'read'
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  token: string
}

export interface NewWebhookEndpointData {
  endpoint: WebhookEndpointData
  secret: string
}

export interface NodeStateData {
  name: string
  startedAt: string
  online: number
  memoryMb: number
  cpu: number
  lag: number
}

export interface NoteCreateData {
  note: string
}

export interface NoteData {
  noteID: string
  createdAt: string
  updatedAt: string
  targetUser: UserHeader
  note: string
}

export interface NoteUpdateData {
  noteID: string
  note: string
}

export interface NoteValuesData {
  files?: number
  rows?: number
  megabytes?: number
  done?: number
  all?: number
}

export interface OidcIdentityData {
  identityID: string
  issuer: string
  name: string
  createdAt: string
  lastUsedAt: string
}

export interface OidcIdentityListData {
  identities: OidcIdentityData[]
}

export interface OidcLoginData {
  code?: string
}

export interface OidcReturnData {
  provider: string
  name: string
  username?: string
  suggestedUsername: string
  verifies: boolean
  to: string
}

export interface OperationData {
  operationID: string
  kind: 'backup' | 'verify' | 'everybody'
  file: string
  state: 'waiting' | 'running' | 'done' | 'failed'
  note: string
  noteCode?: 'writing' | 'restoring' | 'people' | 'backed-up' | 'restored' | 'pictures' | 'no-scratch' | 'lost' | 'see-log'
  noteValues?: NoteValuesData
  askedBy?: UserHeader
  createdAt: string
  endedAt?: string
}

export interface OwnDataState {
  state: 'none' | 'waiting' | 'running' | 'done' | 'failed'
  createdAt?: string
  bytes?: number
}

export interface OwnPasswordData {
  currentPassword: string
}

export interface Paginator {
  total: number
  start: number
  limit: number
}

export interface PasskeyChallengeData {
  challenge: string
  state: string
}

export interface PasskeyCreateData {
  state: string
  name: string
  credential: { id: string; response: { clientDataJSON: string; attestationObject: string } }
}

export interface PasskeyData {
  passkeyID: string
  name: string
  host: string
  createdAt: string
  lastUsedAt?: string
}

export interface PasskeyListData {
  passkeys: PasskeyData[]
}

export interface PasskeyLoginData {
  state: string
  credential: { id: string; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string } }
}

export interface PasskeyOptionsData {
  challenge: string
  state: string
  userHandle: string
  known: string[]
}

export interface PasskeyOrderData {
  currentPassword: string
  code?: string
}

export interface PasswordAndCodeData {
  currentPassword: string
  code: string
}

export interface PasswordData {
  currentPassword: string
}

export interface PerformerData {
  header: PerformerHeaderData
  pronouns?: string
  bio?: string
  organization?: string
  title?: string
  website?: string
  facebookURL?: string
  xURL?: string
  instagramURL?: string
  youtubeURL?: string
  yearsAttended: number[]
  alternativeNames?: string[]
  scrapedEventRefs: ScrapedPerformerEventReferenceData[]
  events: EventData[]
  user?: UserHeader
}

export interface PerformerEventLinkPreviewData {
  performerName: string
  eventTitle: string
  eventStartTime: string
  eventLocation?: string
}

export interface PerformerHeaderData {
  id?: string
  name: string
  photo?: string
  isOfficialPerformer: boolean
}

export interface PerformerImportData {
  header: { name: string; photo?: string; isOfficialPerformer: boolean }
  pronouns?: string
  bio?: string
  organization?: string
  title?: string
  website?: string
  facebookURL?: string
  xURL?: string
  instagramURL?: string
  youtubeURL?: string
  yearsAttended: readonly number[]
  alternativeNames?: readonly string[]
  scrapedEventRefs: readonly ScrapedPerformerEventReferenceData[]
}

export interface PerformerProfileFieldChangeData {
  fieldName: string
  oldValue: string
  newValue: string
}

export interface PerformerResponseData {
  performers: PerformerHeaderData[]
  paginator: Paginator
}

export interface PerformerUpdateDifferenceData {
  newPerformers: PerformerData[]
  updatedPerformers: UpdatedPerformerData[]
  unchangedCount: number
  eventLinksToAdd: PerformerEventLinkPreviewData[]
  unmatchedScrapedEvents: PerformerEventLinkPreviewData[]
  notInSourcePerformers: PerformerHeaderData[]
}

export interface PerformerUploadData {
  performerID?: string
  name: string
  photo: ImageUploadData
  isOfficialPerformer: boolean
  pronouns?: string
  bio?: string
  organization?: string
  title?: string
  website?: string
  facebookURL?: string
  xURL?: string
  instagramURL?: string
  youtubeURL?: string
  yearsAttended: readonly number[]
  alternativeNames?: readonly string[]
  eventUIDs: readonly string[]
}

export interface PersonRecordData {
  ban?: BanData
  actions: ModeratorActionLogData[]
  filedReports: number
  mayStop: boolean
}

export interface PersonalEventContentData {
  title: string
  description?: string
  startTime: string | Date
  endTime: string | Date
  location?: string
  participants: readonly string[]
  visibility?: 'private' | 'public' | 'unlisted'
}

export interface PersonalEventData {
  personalEventID: string
  title: string
  description?: string
  startTime: string
  endTime: string
  timeZone: string
  timeZoneID: string
  location?: string
  lastUpdateTime: string
  owner: UserHeader
  participants: UserHeader[]
  visibility: 'private' | 'public' | 'unlisted'
}

export interface PersonalEventModerationData {
  personalEvent: PersonalEventData
  isDeleted: boolean
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface PhoneSocketServerAddress {
  ipV4Addr?: string
  ipV6Addr?: string
}

export interface PhoneSocketStartData {
  phonecallStartTime: string
}

export interface PhotographerReportData {
  items: ShutternautScheduleReportData[]
  paginator: Paginator
}

export interface PhotostreamImageData {
  postID: number
  createdAt: string
  author: UserHeader
  image: string
  imageSize?: ImageSizeData
  event?: EventData
  location?: 'Main Stage' | 'Second Stage' | 'Main Dining' | 'Specialty Dining' | 'Pool Area' | 'On Boat' | 'Ashore'
}

export interface PhotostreamListData {
  photos: PhotostreamImageData[]
  paginator: Paginator
}

export interface PhotostreamLocationData {
  events: EventData[]
  locations: string[]
}

export interface PhotostreamModerationData {
  photo: PhotostreamImageData
  isDeleted: boolean
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface PhotostreamUploadData {
  image: Bytes
  alt?: string
  createdAt: string | Date
  eventID?: string
  locationName?: string
}

export interface PlannedAnnouncementData {
  plannedID: string
  author: UserHeader
  plannedBy: UserHeader
  text: string
  showAt: string
  displayUntil: string
}

export interface PollChoiceData {
  text: string
  votes: number
  isChosen: boolean
  voters?: UserHeader[]
}

export interface PollContentData {
  place: 'fez' | 'forum' | 'microblog'
  placeID?: string
  question: string
  choices: readonly string[]
  several?: boolean
  anonymous?: boolean
  endsAt?: string | Date
  postAsModerator?: boolean
  postAsServiceTeam?: boolean
}

export interface PollData {
  pollID: string
  place: 'fez' | 'forum' | 'microblog'
  placeID?: string
  postID: number
  author: UserHeader
  question: string
  choices: PollChoiceData[]
  several: boolean
  anonymous: boolean
  endsAt?: string
  hasEnded: boolean
  voterCount: number
  text: string
}

export interface PollVoteData {
  choices: readonly number[]
}

export interface PostContentData {
  text: string
  images: readonly ImageUploadData[]
  postAsModerator?: boolean
  postAsServiceTeam?: boolean
}

export interface PostData {
  postID: number
  createdAt: string
  author: UserHeader
  text: string
  images?: string[]
  imageSizes?: ImageSizeData[]
  isBookmarked: boolean
  userLike?: 'laugh' | 'like' | 'love'
  likeCount: number
  reactionCounts?: ReactionCountsData
  isPinned?: boolean
}

export interface PostDetailData {
  postID: number
  forumID: string
  createdAt: string
  author: UserHeader
  text: string
  images?: string[]
  imageSizes?: ImageSizeData[]
  isBookmarked: boolean
  userLike?: 'laugh' | 'like' | 'love'
  laughs: UserHeader[]
  likes: UserHeader[]
  loves: UserHeader[]
}

export interface PostEditLogData {
  postID: number
  editID: string
  createdAt: string
  author: UserHeader
  text: string
  images?: string[]
}

export interface PostSearchData {
  queryString: string
  posts: PostData[]
  paginator: Paginator
  totalPosts: number
  start: number
  limit: number
}

export interface ProfileEditData {
  header: UserHeader
  realName: string
  homeLocation: string
  roomNumber: string
  email: string
  about: string
  message: string
  dinnerTeam?: 'red' | 'gold' | 'sro'
  note?: string
  isFavorite: boolean
  discordUsername?: string
  displayName?: string
  preferredPronoun?: string
}

export interface ProfileEditLogData {
  editID: string
  createdAt: string
  author: UserHeader
  profileData?: UserProfileUploadData
  profileImage?: string
}

export interface ProfileModerationData {
  profile: UserProfileUploadData
  edits: ProfileEditLogData[]
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface ProfilePublicData {
  header: UserHeader
  realName: string
  homeLocation: string
  roomNumber: string
  email: string
  about: string
  message: string
  dinnerTeam?: 'red' | 'gold' | 'sro'
  note?: string
  isFavorite: boolean
  discordUsername?: string
}

export interface ProgramTokenData {
  tokenID: string
  name: string
  scope: 'all' | 'read'
  createdAt: string
  lastSeenAt: string
  expiresAt: string
}

export interface ProgramTokenListData {
  tokens: ProgramTokenData[]
}

export interface PublicTextContentData {
  content: string
  basedOn?: string | Date | null
}

export interface PublicTextData {
  name: 'codeofconduct.md' | 'faq.md' | 'twitarrhelptext.md' | 'welcome.md'
  content: string
  delivered: string
  isOwn: boolean
  changedAt?: string
  changedBy?: UserHeader
}

export interface PushDeviceData {
  endpoint: string
  p256dh: string
  auth: string
  types: readonly ('announcement' | 'fezUnreadMsg' | 'seamailUnreadMsg' | 'privateEventUnreadMsg' | 'addedToSeamail' | 'addedToLFG' | 'addedToPrivateEvent' | 'lfgCanceled' | 'privateEventCanceled' | 'followedEventStarting' | 'joinedLFGStarting' | 'personalEventStarting' | 'alertwordTwarrt' | 'twarrtMention' | 'alertwordPost' | 'forumMention' | 'moderatorForumMention' | 'serviceTeamForumMention' | 'microKaraokeSongReady' | 'incomingPhoneCall' | 'phoneCallAnswered' | 'phoneCallEnded' | 'reportsChanged' | 'slowModeChanged' | 'pollChanged' | 'incident' | 'incidentsChanged' | 'figures')[]
  quietFrom?: string
  quietTo?: string
  timeZone?: string
}

export interface PushOfferData {
  publicKey?: string
  hasTexts: boolean
}

export interface QuartermasterContentData {
  category: 'have' | 'need'
  itemName: string
  itemDescription?: string
  location?: string
  hideOwnerName?: boolean
  image?: ImageUploadData
}

export interface QuartermasterCreateData {
  category: 'have' | 'need'
  location?: string
  hideOwnerName?: boolean
  items: readonly QuartermasterItemEntry[]
}

export interface QuartermasterData {
  itemID: string
  category: 'have' | 'need'
  itemName: string
  itemDescription?: string
  location?: string
  image?: string
  imageSize?: ImageSizeData
  owner?: UserHeader
  hideOwnerName: boolean
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  lastModificationTime: string
}

export interface QuartermasterEditLogData {
  itemID: string
  editID: string
  createdAt: string
  author: UserHeader
  itemName: string
  itemDescription: string
  location: string
  image: string
  hideOwnerName: boolean
}

export interface QuartermasterItemEntry {
  itemName: string
  itemDescription?: string
  image?: ImageUploadData
}

export interface QuartermasterListData {
  paginator: Paginator
  items: QuartermasterData[]
}

export interface QuartermasterModerationData {
  item: QuartermasterData
  isDeleted: boolean
  edits: QuartermasterEditLogData[]
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface QuietHoursData {
  quietFrom?: string
  quietTo?: string
}

export interface ReachData {
  people: number
  online: number
  sockets: number
  levels: ReachOfLevelData[]
}

export interface ReachOfLevelData {
  level: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  accounts: number
  people: number
  present: number
}

export interface ReactionCountsData {
  laugh: number
  like: number
  love: number
}

export interface RecoveryCodesData {
  recoveryCodes: string[]
}

export interface RecoveryKeyData {
  recoveryKey: string
}

export interface RecoveryKeyQueryData {
  currentPassword: string
}

export interface RegistrationCodeStatsData {
  allocatedCodes: number
  usedCodes: number
  unusedCodes: number
  adminCodes: number
  allocatedDiscordCodes: number
  assignedDiscordCodes: number
  usedDiscordCodes: number
}

export interface RegistrationCodeUserData {
  users: UserHeader[]
  regCode: string
  isForDiscordUser: boolean
  discordUsername?: string
  hasUsedRegCodeForPasswordRecovery: boolean
  accountCreatedAt?: string
}

export interface ReportData {
  message: string
}

export interface ReportExcerptData {
  reportID: string
  title: string
  members: UserHeader[]
  posts: FezPostData[]
}

export interface ReportGroupData {
  type: 'forum' | 'forumPost' | 'twarrt' | 'userProfile' | 'fez' | 'fezPost' | 'mkSong' | 'mkSongSnippet' | 'streamPhoto' | 'privateEvent' | 'quartermasterItem'
  reportedID: string
  reportedUser: UserHeader
  state: 'open' | 'taken' | 'closed'
  handledBy?: UserHeader
  firstReport: string
  lastReport: string
  reports: ReportModerationData[]
  excerpt?: string
  image?: string
  place?: ReportPlaceData
  moderationStatus?: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  isDeleted: boolean
  lastAct?: ModeratorActData
  version: string
}

export interface ReportHourData {
  at: string
  online: number
  posts: number
  requests: number
  errors: number
}

export interface ReportModerationData {
  id: string
  type: 'forum' | 'forumPost' | 'twarrt' | 'userProfile' | 'fez' | 'fezPost' | 'mkSong' | 'mkSongSnippet' | 'streamPhoto' | 'privateEvent' | 'quartermasterItem'
  reportedID: string
  reportedUser: UserHeader
  submitterMessage?: string
  author: UserHeader
  handledBy?: UserHeader
  isClosed: boolean
  creationTime: string
  updateTime: string
}

export interface ReportPlaceData {
  kind: 'forum' | 'lfg' | 'open' | 'closed' | 'privateEvent' | 'personalEvent' | 'event' | 'location' | 'song'
  title: string
}

export interface ReportQueueData {
  groups: ReportGroupData[]
  openCount: number
  takenCount: number
  closedCount: number
  paginator: Paginator
}

export interface RetentionChangeData {
  deleted: number
  versions: number
  reports: number
  trails: number
  chats: number
  basedOn?: RetentionDaysData
}

export interface RetentionData {
  kinds: RetentionKindData[]
}

export interface RetentionDaysData {
  deleted: number
  versions: number
  reports: number
  trails: number
  chats: number
}

export interface RetentionKindData {
  kind: 'deleted' | 'versions' | 'reports' | 'trails' | 'chats'
  days: number
  leastDays: number
  old: number
}

export interface ScheduleApplyData {
  created: number
  changed: number
  deleted: number
  entryID: number
}

export interface ScheduleChangeData {
  uid: string
  kinds: ('new' | 'gone' | 'time' | 'place' | 'text')[]
  before?: EventData
  after?: EventData
  followers: number
}

export interface ScheduleChangesData {
  changes: ScheduleChangeData[]
  unchanged: number
  scheduled: number
  events: number
  elsewhere: number
  ofAnotherTrip: boolean
  version: string
}

export interface ScheduleCountsData {
  new: number
  gone: number
  time: number
  place: number
  text: number
}

export interface ScheduleUploadData {
  events: number
  elsewhere: number
}

export interface ScrapedPerformerEventReferenceData {
  uid?: string
  title: string
  startTime: string
}

export interface SeamailTemplateContentData {
  title: string
  content: string
  basedOn?: string | Date
}

export interface SeamailTemplateData {
  templateID: string
  title: string
  content: string
  changedBy: UserHeader
  changedAt: string
}

export interface SecondFactorData {
  isOn: boolean
  isNeeded: boolean
  confirmedAt?: string
  recoveryCodesLeft: number
}

export interface SecondFactorSetupData {
  secret: string
  address: string
}

export interface ServerRollupData {
  counts: number[]
}

export interface SessionData {
  sessionID: string
  device: string
  createdAt: string
  lastSeenAt: string
  isCurrent: boolean
}

export interface SessionEndData {
  isSignedOut: boolean
}

export interface SessionListData {
  sessions: SessionData[]
  appsSignedIn: boolean
}

export interface SettingSeenData {
  name: 'minAccessUserLevel' | 'enablePreregistration' | 'verifiedReading' | 'moderatorsMayStop' | 'maxAlternateAccounts' | 'maximumTwarrts' | 'maximumForums' | 'maximumForumPosts' | 'maxImageSize' | 'maxForumPostImages' | 'maxPersonMegabytes' | 'maxStoredMegabytes' | 'minFreeDiskMegabytes' | 'forumAutoQuarantineThreshold' | 'postAutoQuarantineThreshold' | 'userAutoQuarantineThreshold' | 'allowAnimatedImages' | 'disabledFeatures' | 'shipWifiSSID' | 'scheduleUpdateURL' | 'upcomingEventNotificationSeconds' | 'upcomingEventNotificationSetting' | 'upcomingLFGNotificationSetting' | 'enableSiteNotificationDataCaching' | 'pushTexts' | 'microblogSlowSeconds' | 'photostreamUploadRateLimit' | 'allowAccountDeletion' | 'strictPasswords' | 'newPasswordSignsOutApps' | 'teamSecondFactor' | 'browserSessionDays' | 'nightlyBackups' | 'nightlyBackupHour' | 'nightlyBackupsKept' | 'retention' | 'eventName' | 'tripStartDate' | 'tripLengthInDays'
  value: string
}

export interface SettingStateData {
  name: string
  value: string
  defaultValue: string
  lowest?: number
  highest?: number
  features?: string[]
  apps?: string[]
  changedAt?: string
  changedBy?: UserHeader
}

export interface SettingsAdminData {
  minAccessUserLevel: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  enablePreregistration: boolean
  verifiedReading: boolean
  moderatorsMayStop: boolean
  maxAlternateAccounts: number
  maximumTwarrts: number
  maximumForums: number
  maximumForumPosts: number
  maxImageSize: number
  maxForumPostImages: number
  maxPersonMegabytes: number
  maxStoredMegabytes: number
  minFreeDiskMegabytes: number
  forumAutoQuarantineThreshold: number
  postAutoQuarantineThreshold: number
  userAutoQuarantineThreshold: number
  allowAnimatedImages: boolean
  disabledFeatures: SettingsAppFeaturePair[]
  shipWifiSSID?: string
  scheduleUpdateURL: string
  upcomingEventNotificationSeconds: number
  upcomingEventNotificationSetting: 'disabled' | 'cruiseWeek' | 'current'
  upcomingLFGNotificationSetting: 'disabled' | 'cruiseWeek' | 'current'
  enableSiteNotificationDataCaching: boolean
  pushTexts: boolean
  microblogSlowSeconds: number
  photostreamUploadRateLimit: number
  allowAccountDeletion: boolean
  strictPasswords: boolean
  newPasswordSignsOutApps: boolean
  teamSecondFactor: boolean
  browserSessionDays: number
}

export interface SettingsAppFeaturePair {
  app: string
  feature: string
}

export interface SettingsUpdateData {
  minUserAccessLevel?: 'banned' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  enablePreregistration?: boolean
  verifiedReading?: boolean
  moderatorsMayStop?: boolean
  maxAlternateAccounts?: number
  maximumTwarrts?: number
  maximumForums?: number
  maximumForumPosts?: number
  maxImageSize?: number
  maxForumPostImages?: number
  maxPersonMegabytes?: number
  maxStoredMegabytes?: number
  minFreeDiskMegabytes?: number
  forumAutoQuarantineThreshold?: number
  postAutoQuarantineThreshold?: number
  userAutoQuarantineThreshold?: number
  allowAnimatedImages?: boolean
  shipWifiSSID?: string
  scheduleUpdateURL?: string
  upcomingEventNotificationSeconds?: number
  upcomingEventNotificationSetting?: 'disabled' | 'cruiseWeek' | 'current'
  upcomingLFGNotificationSetting?: 'disabled' | 'cruiseWeek' | 'current'
  enableSiteNotificationDataCaching?: boolean
  pushTexts?: boolean
  microblogSlowSeconds?: number
  photostreamUploadRateLimit?: number
  allowAccountDeletion?: boolean
  strictPasswords?: boolean
  newPasswordSignsOutApps?: boolean
  teamSecondFactor?: boolean
  browserSessionDays?: number
  enableFeatures: readonly SettingsAppFeaturePair[]
  disableFeatures: readonly SettingsAppFeaturePair[]
  basedOn?: readonly SettingSeenData[]
}

export interface ShutternautEventData {
  needsPhotographer: boolean
  photographers: UserHeader[]
  userIsPhotographer: boolean
}

export interface ShutternautScheduleReportData {
  eventID: string
  title: string
  startTime: string
  endTime: string
  timeZone: string
  location: string
  needsPhotographer: boolean
  photographers: UserHeader[]
}

export interface SlowModeData {
  seconds: number
}

export interface SocketFezMemberChangeData {
  user: UserHeader
  joined: boolean
}

export interface SocketFezPostData {
  postID: number
  author: UserHeader
  text: string
  timestamp: string
  image?: string
  imageSize?: ImageSizeData
}

export interface SocketFezWatchingData {
  watching: UserHeader[]
}

export interface SocketNotificationData {
  type: { announcement?: Record<string, never>; fezUnreadMsg?: Record<string, never>; seamailUnreadMsg?: Record<string, never>; privateEventUnreadMsg?: Record<string, never>; addedToSeamail?: Record<string, never>; addedToLFG?: Record<string, never>; addedToPrivateEvent?: Record<string, never>; lfgCanceled?: Record<string, never>; privateEventCanceled?: Record<string, never>; followedEventStarting?: Record<string, never>; joinedLFGStarting?: Record<string, never>; personalEventStarting?: Record<string, never>; alertwordTwarrt?: Record<string, never>; twarrtMention?: Record<string, never>; alertwordPost?: Record<string, never>; forumMention?: Record<string, never>; moderatorForumMention?: Record<string, never>; serviceTeamForumMention?: Record<string, never>; microKaraokeSongReady?: Record<string, never>; incomingPhoneCall?: Record<string, never>; phoneCallAnswered?: Record<string, never>; phoneCallEnded?: Record<string, never>; reportsChanged?: Record<string, never>; slowModeChanged?: Record<string, never>; pollChanged?: Record<string, never>; incident?: Record<string, never>; incidentsChanged?: Record<string, never>; figures?: Record<string, never> }
  info: string
  contentID: string
  caller?: UserHeader
  callerAddress?: PhoneSocketServerAddress
}

export interface StepData {
  name: 'trip' | 'schedule' | 'games' | 'songs' | 'codes' | 'team' | 'texts' | 'passwords' | 'backup'
  isDone: boolean
  count: number
}

export interface StopUploadData {
  reason: string
  hours: number
}

export interface TimeZoneChangeData {
  records: TimeZoneChangeRecord[]
  currentTimeZoneAbbrev: string
  currentTimeZoneID: string
  currentOffsetSeconds: number
}

export interface TimeZoneChangeRecord {
  activeDate: string
  timeZoneAbbrev: string
  timeZoneID: string
}

export interface TimeZoneReloadData {
  changes: number
}

export interface TokenRequestData {
  name: string
  scope: 'all' | 'read'
  days: number
}

export interface TokenStringData {
  userID: string
  accessLevel: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  token?: string
}

export interface TripData {
  eventName: string
  startDate: string
  lengthInDays: number
}

export interface TripUploadData {
  eventName: string
  startDate: string
  lengthInDays: number
  basedOn?: TripData
}

export interface TwarrtModerationData {
  twarrt: MicroblogPostData
  isDeleted: boolean
  edits: PostEditLogData[]
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

export interface UnusedCodesData {
  codes: string[]
  paginator: Paginator
}

export interface UpdatedPerformerData {
  header: PerformerHeaderData
  changedFields: PerformerProfileFieldChangeData[]
}

export interface UserAuthorizedToCreateKaraokeLogs {
  isAuthorized: boolean
}

export interface UserCreateData {
  username: string
  password: string
  verification?: string
}

export interface UserHeader {
  userID: string
  username: string
  displayName?: string
  userImage?: string
  preferredPronoun?: string
}

export interface UserMatchData {
  userID: string
  username: string
  displayName?: string
  userImage?: string
  preferredPronoun?: string
  userSearch: string
}

export interface UserModerationData {
  header: UserHeader
  subAccounts: UserHeader[]
  accessLevel: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'
  tempQuarantineEndTime?: string
  reports: ReportModerationData[]
}

export interface UserNotificationAlertwordData {
  alertword: string
  twarrtMentionCount: number
  newTwarrtMentionCount: number
  forumMentionCount: number
  newForumMentionCount: number
}

export interface UserNotificationData {
  serverTime: string
  serverTimeOffset: number
  serverTimeZoneID: string
  serverTimeZone: string
  disabledFeatures: DisabledFeature[]
  shipWifiSSID?: string
  activeAnnouncementIDs: number[]
  newAnnouncementCount: number
  twarrtMentionCount: number
  newTwarrtMentionCount: number
  forumMentionCount: number
  newForumMentionCount: number
  addedToSeamailCount: number
  addedToLFGCount: number
  addedToPrivateEventCount: number
  addedToSeamailIDs: string[]
  addedToLFGIDs: string[]
  addedToPrivateEventIDs: string[]
  newSeamailMessageCount: number
  newFezMessageCount: number
  newPrivateEventMessageCount: number
  nextFollowedEventTime?: string
  nextFollowedEventID?: string
  microKaraokeFinishedSongCount: number
  nextJoinedLFGTime?: string
  nextJoinedLFGID?: string
  alertWords: UserNotificationAlertwordData[]
  moderatorData?: ModeratorNotificationData
}

export interface UserPasswordData {
  currentPassword: string
  newPassword: string
  signOutApps?: boolean
}

export interface UserProfileUploadData {
  header?: UserHeader
  displayName?: string
  realName?: string
  preferredPronoun?: string
  homeLocation?: string
  roomNumber?: string
  email?: string
  message?: string
  about?: string
  dinnerTeam?: 'red' | 'gold' | 'sro' | ''
  discordUsername?: string
}

export interface UserRecoveryData {
  username: string
  recoveryKey: string
  newPassword: string
  signOutApps?: boolean
}

export interface UserRefusedData {
  userID: string
  reason: string
  code: string
}

export interface UserSearch {
  userID: string
  userSearch: string
}

export interface UserUsernameData {
  username: string
}

export interface UserVerifyData {
  verification: string
}

export interface UsernameQueryData {
  registrationCode: string
  recoveryKey?: string
}

export interface UsersBulkData {
  userIDs: readonly string[]
  action: 'verify' | 'unverify' | 'addRole' | 'removeRole' | 'signOut'
  role?: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager'
}

export interface UsersBulkResultData {
  done: string[]
  refused: UserRefusedData[]
}

export interface WebhookData {
  host?: string
  quietFrom?: string
  quietTo?: string
}

export interface WebhookDeliveryData {
  deliveryID: string
  kind: 'announcement.created' | 'fez.created' | 'forum.created' | 'report.created' | 'schedule.updated' | 'user.created' | 'test'
  createdAt: string
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  lastTriedAt?: string
  status?: number
  reason?: string
  body: string
}

export interface WebhookDeliveryListData {
  deliveries: WebhookDeliveryData[]
}

export interface WebhookEndpointCreateData {
  name: string
  url: string
  kinds: readonly ('announcement.created' | 'fez.created' | 'forum.created' | 'report.created' | 'schedule.updated' | 'user.created')[]
}

export interface WebhookEndpointData {
  endpointID: string
  name: string
  host: string
  kinds: ('announcement.created' | 'fez.created' | 'forum.created' | 'report.created' | 'schedule.updated' | 'user.created')[]
  isPaused: boolean
  createdAt: string
  waiting: number
  failed: number
  lastSentAt?: string
}

export interface WebhookEndpointListData {
  endpoints: WebhookEndpointData[]
  allowedHosts: string[]
}

export interface WebhookEndpointUpdateData {
  name?: string
  kinds?: readonly ('announcement.created' | 'fez.created' | 'forum.created' | 'report.created' | 'schedule.updated' | 'user.created')[]
  isPaused?: boolean
}

export interface WebhookUploadData {
  url: string
}

export interface WipeLeftData {
  what: string
  rows: number
}

export interface WipeOrderData {
  eventName: string
  currentPassword: string
  keepCodes?: boolean
}

export interface WipeProofData {
  left: WipeLeftData[]
  accounts: string[]
  isClean: boolean
}

export interface WipeStateData {
  state: 'none' | 'ordered' | 'done' | 'failed'
  backups: number
  orderedAt?: string
  endedAt?: string
  reason?: string
  proof?: WipeProofData
}

export interface WrittenData {
  type: 'forum' | 'forumPost' | 'twarrt' | 'userProfile' | 'fez' | 'fezPost' | 'mkSong' | 'mkSongSnippet' | 'streamPhoto' | 'privateEvent' | 'quartermasterItem'
  id: string
  author: UserHeader
  text: string
  images: string[]
  place?: string
  moderationStatus: 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
  createdAt: string
}

export interface WrittenListData {
  items: WrittenData[]
  next?: string
}

/** One function for every endpoint, by the first word of its path. */
export interface Api {
  admin: {
    /** Makes a user an admin. Only another admin takes that back. From level admin on. `POST /admin/admin/promote/:user_id` */
    adminPromote(input: { user_id: string; basedOn?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin' }, options?: CallOptions): Promise<void>
    /** Planned announcements, the next first. From level serviceteam on. `GET /admin/announcements/planned` */
    announcementsPlanned(input?: Nothing, options?: CallOptions): Promise<PlannedAnnouncementData[]>
    /** Who did what to whom with a right that others do not have, newest first. Names as well as ids. From level admin on. `GET /admin/audit` */
    audit(input?: { actor?: string; user?: string; action?: string; subject?: string; from?: string | Date; to?: string | Date; requestID?: string; start?: number; limit?: number }, options?: CallOptions): Promise<AuditListData>
    /** The same as a table for a spreadsheet. From level admin on. `GET /admin/audit/csv` */
    auditCsv: FileCall<{ actor?: string; user?: string; action?: string; subject?: string; from?: string | Date; to?: string | Date; requestID?: string }>
    /** The backups that are there, newest first, and the work on them. From level admin on. `GET /admin/backups` */
    backups(input?: Nothing, options?: CallOptions): Promise<BackupListData>
    /** The file of a backup, with a ticket. From level admin on. `GET /admin/backups/:backup_name` */
    backupsOf: FileCall<{ backup_name: string; ticket: string }>
    /** Has a backup made every night at an hour of ship time, and says how many of these stay. From level admin on. `POST /admin/backups/schedule` */
    backupsSchedule(input: BackupScheduleChangeData, options?: CallOptions): Promise<BackupListData>
    /** Lets the caller download a backup for a minute, once they have given their password again. From level admin on. `POST /admin/backups/:backup_name/ticket` */
    backupsTicket(input: { backup_name: string } & PasswordData, options?: CallOptions): Promise<BackupTicketData>
    /** Tries a backup by restoring it into a scratch database, which is removed again. From level admin on. `POST /admin/backups/:backup_name/verify` */
    backupsVerify(input: { backup_name: string }, options?: CallOptions): Promise<OperationData>
    /** This library as a file that can be uploaded again. From level admin on. `GET /admin/boardgames/file` */
    boardgamesFile(input?: Nothing, options?: CallOptions): Promise<LibraryFileData>
    /** Makes this library what a file says. What stays in it keeps its id and stays a favorite; a bad file changes nothing. From level admin on. `POST /admin/boardgames/upload` */
    boardgamesUpload(input: LibraryUploadData, options?: CallOptions): Promise<LibraryDifferenceData>
    /** What a file would change in this library. From level admin on. `POST /admin/boardgames/verify` */
    boardgamesVerify(input: LibraryUploadData, options?: CallOptions): Promise<LibraryDifferenceData>
    /** All users with a registration code and their pictures, as a zip file. Browsers with a session need a ticket. From level admin on. `GET /admin/bulkuserfile/download` */
    bulkuserfileDownload: FileCall<{ ticket?: string }>
    /** How many pictures of imported users are still to be processed. From level admin on. `GET /admin/bulkuserfile/images` */
    bulkuserfileImages(input?: Nothing, options?: CallOptions): Promise<BulkUserImagesData>
    /** Lets the caller download the file of users for a minute, once they have given their password again. From level admin on. `POST /admin/bulkuserfile/ticket` */
    bulkuserfileTicket(input: PasswordData, options?: CallOptions): Promise<BackupTicketData>
    /** Imports the users of the uploaded file; their pictures follow. From level admin on. `POST /admin/bulkuserfile/update/apply` */
    bulkuserfileUpdateApply(input?: Nothing, options?: CallOptions): Promise<BulkUserUpdateVerificationData>
    /** Takes such a file in place of an earlier one; nothing of it is applied yet. From level admin on. `POST /admin/bulkuserfile/upload` */
    bulkuserfileUpload(input: { body: BytesBody }, options?: CallOptions): Promise<void>
    /** What an import of the uploaded file would do. From level admin on. `GET /admin/bulkuserfile/verify` */
    bulkuserfileVerify(input?: Nothing, options?: CallOptions): Promise<BulkUserUpdateVerificationData>
    /** What a host should look at, with what to do; the worst first. From level serviceteam on. `GET /admin/checks` */
    checks(input?: Nothing, options?: CallOptions): Promise<CheckData[]>
    /** Gives a day its theme. From level tho on. `POST /admin/dailytheme/create` */
    dailythemeCreate(input: DailyThemeUploadData, options?: CallOptions): Promise<void>
    /** Replaces all of a theme; without an image it has none any more. From level tho on. `POST /admin/dailytheme/:themeID/edit` */
    dailythemeEdit(input: { themeID: string } & DailyThemeUploadData, options?: CallOptions): Promise<void>
    /** Writes the words of several days, all or none, and answers with all themes. Images stay; a day without a title loses its theme. From level tho on. `POST /admin/dailytheme/table` */
    dailythemeTable(input: DailyThemeTableData, options?: CallOptions): Promise<DailyThemeData[]>
    /** The newest requests at which a server failed, by a part of their id or path. From level serviceteam on. `GET /admin/errors` */
    errors(input?: { search?: string }, options?: CallOptions): Promise<FaultListData>
    /** The event from its preparation to its end: what is ready, what the day brings, what is left to do. From level serviceteam on. `GET /admin/event` */
    event(input?: Nothing, options?: CallOptions): Promise<EventLifeData>
    /** Sets the name and the dates of the event, in force on all servers when it is answered. From level admin on. `POST /admin/event/trip` */
    eventTrip(input: TripUploadData, options?: CallOptions): Promise<TripData>
    /** That file, a zip, with a ticket; it stays for a day. From level admin on. `GET /admin/everybody` */
    everybody: FileCall<{ ticket: string }>
    /** Lets the caller download that file for a minute, once they have given their password again. From level admin on. `POST /admin/everybody/ticket` */
    everybodyTicket(input: PasswordData, options?: CallOptions): Promise<BackupTicketData>
    /** One feedback. From level serviceteam on. `GET /admin/feedback/report/:feedback_id` */
    feedbackReport(input: { feedback_id: string }, options?: CallOptions): Promise<EventFeedbackReport>
    /** Marks feedback as something to act on, for the whole team; 200 if it is marked already. From level serviceteam on. `POST /admin/feedback/report/:feedback_id/mark` */
    feedbackReportMark(input: { feedback_id: string }, options?: CallOptions): Promise<void>
    /** All feedback, last changed first. From level serviceteam on. `GET /admin/feedback/reports` */
    feedbackReports(input?: Nothing, options?: CallOptions): Promise<EventFeedbackReport[]>
    /** The rooms of shadow events and workshops, by name. From level serviceteam on. `GET /admin/feedback/roomlist` */
    feedbackRoomlist(input?: Nothing, options?: CallOptions): Promise<string[]>
    /** Numbers of shadow events and workshops, and of feedback. From level serviceteam on. `GET /admin/feedback/stats` */
    feedbackStats(input?: Nothing, options?: CallOptions): Promise<EventFeedbackStats>
    /** How all servers are doing, and how they did. With `since`, only later points of the last hour. For a minute from then on, browsers of the caller get newer points over the notification socket. From level serviceteam on. `GET /admin/figures` */
    figures(input?: { span?: 'hour' | 'day' | 'event'; since?: string | Date }, options?: CallOptions): Promise<FiguresData>
    /** What is wrong with the machine and since when, and what was. From level moderator on. `GET /admin/incidents` */
    incidents(input?: Nothing, options?: CallOptions): Promise<IncidentListData>
    /** The host of the webhook, or the mail address, that incidents are sent to, and the hours in which warnings wait. From level tho on. `GET /admin/incidents/webhook` */
    incidentsWebhook(input?: Nothing, options?: CallOptions): Promise<WebhookData>
    /** Lets warnings wait in these hours of each night; what is bad is told at once. Without hours nothing waits. From level admin on. `POST /admin/incidents/webhook/quiet` */
    incidentsWebhookQuiet(input?: QuietHoursData, options?: CallOptions): Promise<WebhookData>
    /** Sends a test to the webhook, the mail address or the program; 400 when it is not taken. From level admin on. `POST /admin/incidents/webhook/test` */
    incidentsWebhookTest(input?: Nothing, options?: CallOptions): Promise<void>
    /** Jobs that are not done; those that need a hand first. From level serviceteam on. `GET /admin/jobs` */
    jobs(input?: { state?: 'failed' | 'retrying' | 'running' | 'due' | 'later'; job?: string; start?: number; limit?: number }, options?: CallOptions): Promise<JobListData>
    /** What jobs of a kind, or of all, have come to. From level serviceteam on. `GET /admin/jobs/history` */
    jobsHistory(input?: { job?: string; span?: 'day' | 'week' }, options?: CallOptions): Promise<JobHistoryData>
    /** Each kind of job: what waits, what was done in the last hour and how long it took, whether it is paused. From level serviceteam on. `GET /admin/jobs/kinds` */
    jobsKinds(input?: Nothing, options?: CallOptions): Promise<JobKindData[]>
    /** Lets jobs of a kind wait, until they go on. From level tho on. `POST /admin/jobs/kinds/:job_kind/pause` */
    jobsKindsPause(input: { job_kind: string }, options?: CallOptions): Promise<void>
    /** Lets jobs of a kind go on. From level tho on. `POST /admin/jobs/kinds/:job_kind/resume` */
    jobsKindsResume(input: { job_kind: string }, options?: CallOptions): Promise<void>
    /** Tries all jobs of a kind again that have failed for good. From level tho on. `POST /admin/jobs/kinds/:job_kind/retry` */
    jobsKindsRetry(input: { job_kind: string }, options?: CallOptions): Promise<JobNumberData>
    /** Tries a job again at once. From level tho on. `POST /admin/jobs/:job_id/retry` */
    jobsRetry(input: { job_id: number }, options?: CallOptions): Promise<void>
    /** This library as a file that can be uploaded again. From level admin on. `GET /admin/karaoke/file` */
    karaokeFile(input?: Nothing, options?: CallOptions): Promise<LibraryFileData>
    /** Makes this library what a file says. What stays in it keeps its id and stays a favorite; a bad file changes nothing. From level admin on. `POST /admin/karaoke/upload` */
    karaokeUpload(input: LibraryUploadData, options?: CallOptions): Promise<LibraryDifferenceData>
    /** What a file would change in this library. From level admin on. `POST /admin/karaoke/verify` */
    karaokeVerify(input: LibraryUploadData, options?: CallOptions): Promise<LibraryDifferenceData>
    /** Has all servers and workers read again what they keep in memory of the database, after somebody has written to it past them. Once a minute. From level admin on. `POST /admin/memory/reload` */
    memoryReload(input?: Nothing, options?: CallOptions): Promise<void>
    /** Makes a verified user a moderator. From level tho on. `POST /admin/moderator/promote/:user_id` */
    moderatorPromote(input: { user_id: string; basedOn?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin' }, options?: CallOptions): Promise<void>
    /** Accounts with exactly the level moderator. From level tho on. `GET /admin/moderators` */
    moderators(input?: Nothing, options?: CallOptions): Promise<UserHeader[]>
    /** Reads the numbers of all connected users again from their rows; the log says what differed. From level serviceteam on. `POST /admin/notifications/reload` */
    notificationsReload(input?: Nothing, options?: CallOptions): Promise<void>
    /** Makes the official performers what the uploaded list says. Those that it lacks are deleted with processDeletes=true; processUpdates=false and linkEvents=false leave out changes and events. Photos of new ones are fetched one after another from then on. From level serviceteam on. `POST /admin/performer/bulk/apply` */
    performerBulkApply(input?: { processDeletes?: string; processUpdates?: string; linkEvents?: string }, options?: CallOptions): Promise<void>
    /** Keeps a list of official performers to be compared and applied, in place of the one before. From level serviceteam on. `POST /admin/performer/bulk/upload` */
    performerBulkUpload(input: { body: readonly PerformerImportData[] }, options?: CallOptions): Promise<void>
    /** What the list that was uploaded would change. From level serviceteam on. `GET /admin/performer/bulk/verify` */
    performerBulkVerify(input?: Nothing, options?: CallOptions): Promise<PerformerUpdateDifferenceData>
    /** Lets official performers appear at the events that the spreadsheet says, and at no others. From level serviceteam on. `POST /admin/performer/link/apply` */
    performerLinkApply(input?: Nothing, options?: CallOptions): Promise<void>
    /** Keeps a spreadsheet (.xlsx, as a JSON string in base64) to be compared and applied, in place of the one before. Its sheet "Full Schedule" has the columns Day, Start, EventName and Featuring. From level serviceteam on. `POST /admin/performer/link/upload` */
    performerLinkUpload(input: { body: Bytes }, options?: CallOptions): Promise<void>
    /** What the spreadsheet that was uploaded would do. From level serviceteam on. `GET /admin/performer/link/verify` */
    performerLinkVerify(input?: Nothing, options?: CallOptions): Promise<EventPerformerValidationData>
    /** Creates a performer, or changes the one with this id, or else the one with exactly this name. Their events stay. From level serviceteam on. `POST /admin/performer/upsert` */
    performerUpsert(input: PerformerUploadData, options?: CallOptions): Promise<void>
    /** How many people there are, by level, and how many of them are here: whom a switch for everybody touches. From level moderator on. `GET /admin/reach` */
    reach(input?: Nothing, options?: CallOptions): Promise<ReachData>
    /** Deletes registration codes that nobody has used: those of a list, or all. A list with a wrong line is refused whole. From level admin on. `POST /admin/regcodes/delete` */
    regcodesDelete(input?: CodesDeletionData, options?: CallOptions): Promise<CodesDeletedData>
    /** Gives a free registration code to a user of the outside chat. From level serviceteam on. `GET /admin/regcodes/discord/allocate/:username` */
    regcodesDiscordAllocate(input: { username: string }, options?: CallOptions): Promise<RegistrationCodeUserData>
    /** The accounts of the person with a registration code; none while it is unused. From level serviceteam on. `GET /admin/regcodes/find/:search_string` */
    regcodesFind(input: { search_string: string }, options?: CallOptions): Promise<UserHeader[]>
    /** The registration code of the person that an account belongs to. From level serviceteam on. `GET /admin/regcodes/findbyuser/:user_id` */
    regcodesFindbyuser(input: { user_id: string }, options?: CallOptions): Promise<RegistrationCodeUserData>
    /** Registration codes, the newest first: all, or by their beginning, by a name, free or used, of the outside chat or not. From level admin on. `GET /admin/regcodes/list` */
    regcodesList(input?: { search?: string; state?: 'free' | 'used'; kind?: 'people' | 'discord'; start?: number; limit?: number }, options?: CallOptions): Promise<CodeListData>
    /** Makes registration codes of letters and digits that nobody takes for others. From level admin on. `POST /admin/regcodes/make` */
    regcodesMake(input: CodesOrderData, options?: CallOptions): Promise<NewCodesData>
    /** How many registration codes there are and are used. From level serviceteam on. `GET /admin/regcodes/stats` */
    regcodesStats(input?: Nothing, options?: CallOptions): Promise<RegistrationCodeStatsData>
    /** Lets the registration code of a person be used for a recovery once more, after however many failures. From level serviceteam on. `POST /admin/regcodes/unlock/:userID` */
    regcodesUnlock(input: { userID: string }, options?: CallOptions): Promise<RegistrationCodeUserData>
    /** Registration codes that nobody has used, to be printed. From level admin on. `GET /admin/regcodes/unused` */
    regcodesUnused(input?: { start?: number; limit?: number }, options?: CallOptions): Promise<UnusedCodesData>
    /** Adds registration codes, one on a line. A list with a wrong line is refused whole. From level admin on. `POST /admin/regcodes/upload` */
    regcodesUpload(input: CodesUploadData, options?: CallOptions): Promise<CodesDifferenceData>
    /** What a list of registration codes would add. From level admin on. `POST /admin/regcodes/verify` */
    regcodesVerify(input: CodesUploadData, options?: CallOptions): Promise<CodesDifferenceData>
    /** Deletes a planned announcement. From level serviceteam on. `DELETE /admin/announcements/planned/:planned_id` */
    removeAnnouncementsPlanned(input: { planned_id: string }, options?: CallOptions): Promise<void>
    /** Leaves a day without a theme. From level tho on. `DELETE /admin/dailytheme/:themeID` */
    removeDailytheme(input: { themeID: string; basedOn?: string | Date }, options?: CallOptions): Promise<void>
    /** Takes the mark away; 200 if there is none. From level serviceteam on. `DELETE /admin/feedback/report/:feedback_id/mark` */
    removeFeedbackReportMark(input: { feedback_id: string }, options?: CallOptions): Promise<void>
    /** Disconnects an identity from the account of somebody who has no part in it any more, or never had. From level tho on. `DELETE /admin/identities/:identity_id` */
    removeIdentities(input: { identity_id: string }, options?: CallOptions): Promise<void>
    /** Sends incidents to no webhook, mail address or program any more. From level admin on. `DELETE /admin/incidents/webhook` */
    removeIncidentsWebhook(input?: Nothing, options?: CallOptions): Promise<void>
    /** Gives a job up. From level tho on. `DELETE /admin/jobs/:job_id` */
    removeJobs(input: { job_id: number }, options?: CallOptions): Promise<void>
    /** Gives all jobs of a kind up that have failed for good. From level tho on. `DELETE /admin/jobs/kinds/:job_kind/failed` */
    removeJobsKindsFailed(input: { job_kind: string }, options?: CallOptions): Promise<JobNumberData>
    /** Removes a passkey of somebody, who has lost the device, or did not make it. From level tho on. `DELETE /admin/passkeys/:passkey_id` */
    removePasskeys(input: { passkey_id: string }, options?: CallOptions): Promise<void>
    /** Deletes a performer and takes them off all events; 204 when there is none. From level serviceteam on. `DELETE /admin/performer/:performer_id` */
    removePerformer(input: { performer_id: string }, options?: CallOptions): Promise<void | undefined>
    /** Goes back to the text that comes with the program. From level tho on. `DELETE /admin/texts/:text_name` */
    removeTexts(input: { text_name: 'codeofconduct.md' | 'faq.md' | 'twitarrhelptext.md' | 'welcome.md'; basedOn?: string | Date }, options?: CallOptions): Promise<PublicTextData>
    /** Removes a webhook, its log, and what waits to be sent there. From level admin on. `DELETE /admin/webhooks/:endpoint_id` */
    removeWebhooks(input: { endpoint_id: string }, options?: CallOptions): Promise<void>
    /** A day aboard in figures, by its date; without one, today. From level serviceteam on. `GET /admin/report` */
    report(input?: { date?: string }, options?: CallOptions): Promise<DayReportData>
    /** For how many days what is old stays, and how much would go: with these days, or with others that are asked about. From level admin on. `GET /admin/retention` */
    retention(input?: { deleted?: number; versions?: number; reports?: number; trails?: number; chats?: number }, options?: CallOptions): Promise<RetentionData>
    /** Numbers of rows, deleted ones too: users, profile edits, user notes, alert words, mute words, stream photos, LFGs, their participants and posts, private threads and their posts, private events, personal events, forums, forum posts, their edits and reactions, karaoke performances, micro karaoke snippets, favorite users, followed events, favorite forums, bookmarked posts, favorite games, favorite songs, reports, moderator actions, items of the board, their edits. From level serviceteam on. `GET /admin/rollup` */
    rollup(input?: Nothing, options?: CallOptions): Promise<ServerRollupData>
    /** What the calendar that was uploaded would change, event by event, with what each was before and how many follow it. From level serviceteam on. `GET /admin/schedule/changes` */
    scheduleChanges(input?: Nothing, options?: CallOptions): Promise<ScheduleChangesData>
    /** Orders an update from the address in the settings; the log shows its outcome. From level serviceteam on. `POST /admin/schedule/reload` */
    scheduleReload(input?: Nothing, options?: CallOptions): Promise<void>
    /** Keeps a calendar to be compared and applied, in place of the one before. One that cannot be read is refused with its line. From level serviceteam on. `POST /admin/schedule/update` */
    scheduleUpdate(input: EventsUpdateData, options?: CallOptions): Promise<ScheduleUploadData>
    /** Brings the schedule to what the uploaded calendar says. Events that it lacks are deleted with processDeletes=true, forums get a post about changes with forumPosts=true. With otherDays=false a calendar is refused of which few events are in the trip. With basedOn, 409 when the calendar or the schedule is another by now. From level serviceteam on. `POST /admin/schedule/update/apply` */
    scheduleUpdateApply(input?: { processDeletes?: string; forumPosts?: string; otherDays?: boolean; basedOn?: string }, options?: CallOptions): Promise<ScheduleApplyData>
    /** What the calendar that was uploaded would change. From level serviceteam on. `GET /admin/schedule/verify` */
    scheduleVerify(input?: Nothing, options?: CallOptions): Promise<EventUpdateDifferenceData>
    /** The latest updates of the schedule, newest first. From level serviceteam on. `GET /admin/schedule/viewlog` */
    scheduleViewlog(input?: Nothing, options?: CallOptions): Promise<EventUpdateLogData[]>
    /** What an update changed. From level serviceteam on. `GET /admin/schedule/viewlog/:schedule_log_id` */
    scheduleViewlogOf(input: { schedule_log_id: number }, options?: CallOptions): Promise<EventUpdateDifferenceData>
    /** Undoes an update, once all later ones are undone: events come back with those who follow them, their photographers and their forums. Posts about changes stay, and so do forums of new events in which somebody has written. Undoing an undo applies its update again. From level serviceteam on. `POST /admin/schedule/viewlog/:schedule_log_id/undo` */
    scheduleViewlogUndo(input: { schedule_log_id: number; forumPosts?: boolean }, options?: CallOptions): Promise<ScheduleApplyData>
    /** The settings in force. From level serviceteam on. `GET /admin/serversettings` */
    serversettings(input?: Nothing, options?: CallOptions): Promise<SettingsAdminData>
    /** Changes settings, in force on all servers when it is answered. From level admin on. `POST /admin/serversettings/update` */
    serversettingsUpdate(input: SettingsUpdateData, options?: CallOptions): Promise<void>
    /** Accounts with exactly the level serviceteam. From level tho on. `GET /admin/serviceteam` */
    serviceteam(input?: Nothing, options?: CallOptions): Promise<UserHeader[]>
    /** Makes a verified user or a moderator a member of the service team. From level tho on. `POST /admin/serviceteam/promote/:user_id` */
    serviceteamPromote(input: { user_id: string; basedOn?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin' }, options?: CallOptions): Promise<void>
    /** Plans an announcement: it is published at `showAt`. From level serviceteam on. `POST /admin/announcements/planned` */
    setAnnouncementsPlanned(input: AnnouncementPlanData, options?: CallOptions): Promise<PlannedAnnouncementData>
    /** Makes a backup of everything; a worker does it, and the list says how far it is. From level admin on. `POST /admin/backups` */
    setBackups(input?: Nothing, options?: CallOptions): Promise<OperationData>
    /** Makes a file with what belongs to each user, in a folder for each; a worker does it, and `GET /admin/event` says how far it is. From level admin on. `POST /admin/everybody` */
    setEverybody(input?: Nothing, options?: CallOptions): Promise<OperationData>
    /** Sends incidents to a webhook, as JSON that chat services show, to a mail address (`mailto:`), or to the program that the operator has set (`script:`): each at its beginning and at its end. From level admin on. `POST /admin/incidents/webhook` */
    setIncidentsWebhook(input: WebhookUploadData, options?: CallOptions): Promise<WebhookData>
    /** Gives a free registration code to a user of the outside chat. From level serviceteam on. `POST /admin/regcodes/discord/allocate/:username` */
    setRegcodesDiscordAllocate(input: { username: string }, options?: CallOptions): Promise<RegistrationCodeUserData>
    /** Sets for how many days what is old stays. What is older goes within minutes, for good. From level admin on. `POST /admin/retention` */
    setRetention(input: RetentionChangeData, options?: CallOptions): Promise<RetentionData>
    /** Keeps a calendar and says what it would change. From level serviceteam on. `POST /admin/schedule/verify` */
    setScheduleVerify(input: EventsUpdateData, options?: CallOptions): Promise<EventUpdateDifferenceData>
    /** Replaces a text for everybody, at once on all servers. From level tho on. `POST /admin/texts/:text_name` */
    setTexts(input: { text_name: 'codeofconduct.md' | 'faq.md' | 'twitarrhelptext.md' | 'welcome.md' } & PublicTextContentData, options?: CallOptions): Promise<PublicTextData>
    /** Changes name or kinds of a webhook, pauses it, or lets it go on; what waits for it is tried at once. From level admin on. `POST /admin/webhooks/:endpoint_id` */
    setWebhooks(input: { endpoint_id: string } & WebhookEndpointUpdateData, options?: CallOptions): Promise<WebhookEndpointData>
    /** Removes all users and everything they have written. All servers restart for it, and everybody is signed out, the caller too. From level admin on. `POST /admin/wipe` */
    setWipe(input: WipeOrderData, options?: CallOptions): Promise<void>
    /** Each setting with its default, and who changed it last. From level serviceteam on. `GET /admin/settings` */
    settings(input?: Nothing, options?: CallOptions): Promise<SettingStateData[]>
    /** Puts one setting back to its default, in force on all servers when it is answered. From level admin on. `POST /admin/settings/:setting_name/reset` */
    settingsReset(input: { setting_name: 'minAccessUserLevel' | 'enablePreregistration' | 'verifiedReading' | 'moderatorsMayStop' | 'maxAlternateAccounts' | 'maximumTwarrts' | 'maximumForums' | 'maximumForumPosts' | 'maxImageSize' | 'maxForumPostImages' | 'maxPersonMegabytes' | 'maxStoredMegabytes' | 'minFreeDiskMegabytes' | 'forumAutoQuarantineThreshold' | 'postAutoQuarantineThreshold' | 'userAutoQuarantineThreshold' | 'allowAnimatedImages' | 'disabledFeatures' | 'shipWifiSSID' | 'scheduleUpdateURL' | 'upcomingEventNotificationSeconds' | 'upcomingEventNotificationSetting' | 'upcomingLFGNotificationSetting' | 'enableSiteNotificationDataCaching' | 'pushTexts' | 'microblogSlowSeconds' | 'photostreamUploadRateLimit' | 'allowAccountDeletion' | 'strictPasswords' | 'newPasswordSignsOutApps' | 'teamSecondFactor' | 'browserSessionDays' | 'nightlyBackups' | 'nightlyBackupHour' | 'nightlyBackupsKept' | 'retention' | 'eventName' | 'tripStartDate' | 'tripLengthInDays'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** Texts for everybody that the host may replace: the code of conduct, questions and answers, help, a welcome. From level serviceteam on. `GET /admin/texts` */
    texts(input?: Nothing, options?: CallOptions): Promise<PublicTextData[]>
    /** Accounts with exactly the level tho. From level tho on. `GET /admin/tho` */
    tho(input?: Nothing, options?: CallOptions): Promise<UserHeader[]>
    /** Gives a user the level tho. From level admin on. `POST /admin/tho/promote/:user_id` */
    thoPromote(input: { user_id: string; basedOn?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin' }, options?: CallOptions): Promise<void>
    /** When the ship changes its time zone, and the zone in force. For everybody. `GET /admin/timezonechanges` */
    timezonechanges(input?: Nothing, options?: CallOptions): Promise<TimeZoneChangeData>
    /** Reads the file of zone changes again. From level admin on. `POST /admin/timezonechanges/reloadtzdata` */
    timezonechangesReloadtzdata(input?: Nothing, options?: CallOptions): Promise<TimeZoneReloadData>
    /** Makes a member of the team a verified user again. From level tho on. `POST /admin/user/demote/:user_id` */
    userDemote(input: { user_id: string; basedOn?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin' }, options?: CallOptions): Promise<void>
    /** Users with a role. From level tho on. `GET /admin/userroles/:user_role` */
    userroles(input: { user_role: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager' }, options?: CallOptions): Promise<UserHeader[]>
    /** Gives a user a role. From level tho on. `POST /admin/userroles/:user_role/addrole/:user_id` */
    userrolesAddrole(input: { user_role: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager'; user_id: string }, options?: CallOptions): Promise<void>
    /** Takes a role from a user. From level tho on. `POST /admin/userroles/:user_role/removerole/:user_id` */
    userrolesRemoverole(input: { user_role: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager'; user_id: string }, options?: CallOptions): Promise<void>
    /** Accounts of people, by name or room, level, role, when they were last seen, and whether they have used a code. From level moderator on. `GET /admin/users` */
    users(input?: { search?: string; level?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'; role?: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager'; seen?: 'today' | 'notToday' | 'never'; code?: 'used' | 'none'; reported?: boolean; sort?: 'name' | 'seen' | 'created'; start?: number; limit?: number }, options?: CallOptions): Promise<AdminUserListData>
    /** Does the same to several accounts: a level, a role, signing out. Says to whom it was done, and why not to the others. From level tho on. `POST /admin/users/bulk` */
    usersBulk(input: UsersBulkData, options?: CallOptions): Promise<UsersBulkResultData>
    /** The same as a table for a spreadsheet, with all that are found. From level serviceteam on. `GET /admin/users/csv` */
    usersCsv: FileCall<{ search?: string; level?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'; role?: 'karaokemanager' | 'shutternautmanager' | 'shutternaut' | 'karaokeambassador' | 'performerselfeditor' | 'accountmanager' | 'huntmanager'; seen?: 'today' | 'notToday' | 'never'; code?: 'used' | 'none'; reported?: boolean; sort?: 'name' | 'seen' | 'created' }>
    /** The identities at a provider that somebody can sign in with. From level serviceteam on. `GET /admin/users/:user_id/identities` */
    usersIdentities(input: { user_id: string }, options?: CallOptions): Promise<OidcIdentityListData>
    /** One account with the devices it is signed in on. From level serviceteam on. `GET /admin/users/:user_id` */
    usersOf(input: { user_id: string }, options?: CallOptions): Promise<AdminUserDetailData>
    /** The passkeys that somebody can sign in with. From level serviceteam on. `GET /admin/users/:user_id/passkeys` */
    usersPasskeys(input: { user_id: string }, options?: CallOptions): Promise<PasskeyListData>
    /** Removes the second factor of an account, for somebody who has lost their phone and their codes. From level tho on. `POST /admin/users/:user_id/secondfactor/remove` */
    usersSecondfactorRemove(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Signs an account out on all its devices. From level tho on. `POST /admin/users/:user_id/signout` */
    usersSignout(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** The programs elsewhere that are told of what happens, and the hosts that the operator allows. From level admin on. `GET /admin/webhooks` */
    webhooks(input?: Nothing, options?: CallOptions): Promise<WebhookEndpointListData>
    /** Tells an address of these kinds of events from now on, signed as the Standard Webhooks say; answers with the key of the signatures, this once. From level admin on. `POST /admin/webhooks/create` */
    webhooksCreate(input: WebhookEndpointCreateData, options?: CallOptions): Promise<NewWebhookEndpointData>
    /** The last 50 deliveries of a webhook, the newest first: what was sent, when, and how the address has answered. From level admin on. `GET /admin/webhooks/:endpoint_id/deliveries` */
    webhooksDeliveries(input: { endpoint_id: string }, options?: CallOptions): Promise<WebhookDeliveryListData>
    /** Sends a delivery again that was sent or given up. 400 for one that still waits. From level admin on. `POST /admin/webhooks/:endpoint_id/deliveries/:delivery_id/again` */
    webhooksDeliveriesAgain(input: { endpoint_id: string; delivery_id: string }, options?: CallOptions): Promise<void>
    /** Sends a webhook a delivery of the kind `test`; what became of it is in the log. From level admin on. `POST /admin/webhooks/:endpoint_id/test` */
    webhooksTest(input: { endpoint_id: string }, options?: CallOptions): Promise<void>
    /** The last wipe, and what it left. From level admin on. `GET /admin/wipe` */
    wipe(input?: Nothing, options?: CallOptions): Promise<WipeStateData>
  }
  auth: {
    /** Keeps a passkey that a device has made for the caller. `POST /auth/passkeys` */
    addPasskey(input: PasskeyCreateData, options?: CallOptions): Promise<PasskeyData>
    /** Gives out the token of the account; all its devices share one. Where the account has a second factor, its six digits, or one of the codes in their place, have to stand directly behind the password. `POST /auth/login` */
    login(input: { username: string; password: string }, options?: CallOptions): Promise<TokenStringData>
    /** Ends the token on all devices and closes their sockets; from a browser, ends the session of that browser alone. `POST /auth/logout` */
    logout(input?: Nothing, options?: CallOptions): Promise<void>
    /** Ends the token and the sessions of all browsers, and closes their sockets. `POST /auth/logout/everywhere` */
    logoutEverywhere(input?: Nothing, options?: CallOptions): Promise<void>
    /** The passkeys that the caller can sign in with in a browser. `GET /auth/passkeys` */
    passkeys(input?: Nothing, options?: CallOptions): Promise<PasskeyListData>
    /** What a device needs to make a passkey for the caller, against their password, and the code of their second factor. `POST /auth/passkeys/begin` */
    passkeysBegin(input: PasskeyOrderData, options?: CallOptions): Promise<PasskeyOptionsData>
    /** What a passkey has to sign to sign somebody in. For everybody. `POST /auth/passkeys/challenge` */
    passkeysChallenge(input?: Nothing, options?: CallOptions): Promise<PasskeyChallengeData>
    /** Signs in as the owner of a passkey, without a password, and without the code of a second factor. For everybody. `POST /auth/passkeys/login` */
    passkeysLogin(input: PasskeyLoginData, options?: CallOptions): Promise<TokenStringData>
    /** Sets a new password with a registration code, the old password or the recovery key, and logs in. The token that the account has stays valid, unless `signOutApps` or the setting `newPasswordSignsOutApps` ends it. Where the account has a second factor, its code has to stand directly behind the `recoveryKey`. For everybody. `POST /auth/recovery` */
    recovery(input: UserRecoveryData, options?: CallOptions): Promise<TokenStringData>
    /** Removes a passkey of the caller. `DELETE /auth/passkeys/:passkey_id` */
    removePasskeys(input: { passkey_id: string }, options?: CallOptions): Promise<void>
    /** Signs one of the caller's browsers out. `DELETE /auth/sessions/:session_id` */
    removeSessions(input: { session_id: string }, options?: CallOptions): Promise<void>
    /** Ends a token of the caller for a program, and closes its sockets. `DELETE /auth/tokens/:token_id` */
    removeTokens(input: { token_id: string }, options?: CallOptions): Promise<void>
    /** The second factor of the caller's account. `GET /auth/secondfactor` */
    secondfactor(input?: Nothing, options?: CallOptions): Promise<SecondFactorData>
    /** Makes other codes that can take the place of the digits, and ends those before. `POST /auth/secondfactor/codes` */
    secondfactorCodes(input: PasswordAndCodeData, options?: CallOptions): Promise<RecoveryCodesData>
    /** Puts the second factor in force with its digits, and signs the account out everywhere but in the browser that asks. From then on the digits, or one of the codes that it answers with this once, have to stand directly behind the password. `POST /auth/secondfactor/confirm` */
    secondfactorConfirm(input: FactorCodeData, options?: CallOptions): Promise<RecoveryCodesData>
    /** Removes the second factor of the caller's account. `POST /auth/secondfactor/remove` */
    secondfactorRemove(input: PasswordAndCodeData, options?: CallOptions): Promise<void>
    /** Where the caller is signed in: browsers, the latest first, and apps. `GET /auth/sessions` */
    sessions(input?: Nothing, options?: CallOptions): Promise<SessionListData>
    /** Whether the session of this browser, which counts no more, was ended on purpose from elsewhere. For everybody. `GET /auth/sessions/ended` */
    sessionsEnded(input?: Nothing, options?: CallOptions): Promise<SessionEndData>
    /** Makes the secret of a second factor, to be shared with an app for six digits (TOTP). It counts for nothing until it is confirmed. `POST /auth/secondfactor` */
    setSecondfactor(input: OwnPasswordData, options?: CallOptions): Promise<SecondFactorSetupData>
    /** Makes a token for a program, with a name, an end and what it may do; it is shown this once. From level verified on. `POST /auth/tokens` */
    setTokens(input: TokenRequestData, options?: CallOptions): Promise<NewTokenData>
    /** The caller's tokens for programs of their own, the latest first. `GET /auth/tokens` */
    tokens(input?: Nothing, options?: CallOptions): Promise<ProgramTokenListData>
    /** The name of the person with a registration code, who forgot it: needs their recovery key or password too. The team and account managers need the code alone. For everybody. `POST /auth/username` */
    username(input: UsernameQueryData, options?: CallOptions): Promise<UserHeader>
  }
  boardgames: {
    /** A base game and all of its expansions, by the id of any of them: a list, or a page when `start` or `limit` is given. For everybody. `GET /boardgames/expansions/:boardgame_id` */
    expansions(input: { boardgame_id: string; start?: number; limit?: number }, options?: CallOptions): Promise<BoardgameData[] | BoardgameResponseData>
    /** Favorites a game; 200 when it was. `POST /boardgames/:boardgame_id/favorite` */
    favorite(input: { boardgame_id: string }, options?: CallOptions): Promise<void>
    /** One game. For everybody. `GET /boardgames/:boardgame_id` */
    get(input: { boardgame_id: string }, options?: CallOptions): Promise<BoardgameData>
    /** The games of the library, by title; those whose library title has the words of `search`, and the caller's favorites with `favorite=true`. For everybody. `GET /boardgames` */
    list(input?: { start?: number; limit?: number; search?: string; favorite?: string }, options?: CallOptions): Promise<BoardgameResponseData>
    /** Games that suit a group, best first. For everybody. `POST /boardgames/recommend` */
    recommend(input: { start?: number; limit?: number } & BoardgameRecommendationData, options?: CallOptions): Promise<BoardgameResponseData>
    /** Reads the library's file again. Games keep their ids and stay favorites; a file that is wrong changes nothing, and the answer says where. From level admin on. `POST /boardgames/reload` */
    reload(input?: Nothing, options?: CallOptions): Promise<BoardgameReloadData>
    /** Takes a game off the favorites; 200 when it was none. `DELETE /boardgames/:boardgame_id/favorite` */
    removeFavorite(input: { boardgame_id: string }, options?: CallOptions): Promise<void>
  }
  client: {
    /** Takes alerts of the Alertmanager and sends each to the users it names, as a private chat. For service accounts. `POST /client/alert` */
    alert(input: { username: string; password: string } & AlertmanagerWebhookPayload, options?: CallOptions): Promise<void>
    /** Says what the clock of the caller's device says: when those of many differ, the server's is wrong, and the team is told. `POST /client/clock` */
    clock(input: DeviceClockData, options?: CallOptions): Promise<void>
    /** Whether the server and its stores answer. For everybody. `GET /client/health` */
    health(input?: Nothing, options?: CallOptions): Promise<HealthResponse>
    /** Metrics of all servers on this port in the Prometheus text format. For service accounts. `GET /client/metrics` */
    metrics: FileCall<{ username: string; password: string }>
    /** Constants of the trip and of this server. For everybody. `GET /client/settings` */
    settings(input?: Nothing, options?: CallOptions): Promise<ClientSettingsData>
    /** All that an app asks for when it starts: the answers of other endpoints, each with its tag. With the `tag` of an earlier answer as `since`, parts that are still the same are left out. A part that the caller may not ask for is not there either. Announcements do not count as read by this. `GET /client/start` */
    start(input?: { since?: string }, options?: CallOptions): Promise<ClientStartData>
    /** Users whose profile has changed since a date, for the user named in x-service-user. For client accounts alone. From level client on. `GET /client/user/headers/since/:date` */
    userHeadersSince(input: { date: string }, options?: CallOptions): Promise<UserHeader[]>
    /** Users whose profile has changed since a date, for the user named in x-service-user. For client accounts alone. From level client on. `GET /client/user/updates/since/:date` */
    userUpdatesSince(input: { date: string }, options?: CallOptions): Promise<UserHeader[]>
    /** The names of all users, for the user named in x-service-user. For client accounts alone. From level client on. `GET /client/usersearch` */
    usersearch(input?: Nothing, options?: CallOptions): Promise<UserSearch[]>
  }
  events: {
    /** One event as an iCalendar file. For everybody. `GET /events/:event_id/calendarevent.ics` */
    calendareventIcs: FileCall<{ event_id: string }>
    /** Follows an event; 200 when the caller did. `POST /events/:event_id/favorite` */
    favorite(input: { event_id: string }, options?: CallOptions): Promise<void>
    /** The events that the caller follows, by start. `GET /events/favorites` */
    favorites(input?: Nothing, options?: CallOptions): Promise<EventData[]>
    /** The forum of an event with a page of its posts, as GET /forum/:forum_id. `GET /events/:event_id/forum` */
    forum(input: { event_id: string; start?: number; limit?: number; startPost?: number }, options?: CallOptions): Promise<ForumData>
    /** One event, by its id or its uid. For everybody. `GET /events/:event_id` */
    get(input: { event_id: string }, options?: CallOptions): Promise<EventData>
    /** The events that pass all filters, by start. Of cruiseday (1 is embarkation day), day, date and time the first counts; a day ends at 3 in the morning. For everybody. `GET /events` */
    list(input?: { cruiseday?: number; day?: string; date?: string | Date; time?: string | Date; type?: string; search?: string; location?: string; following?: boolean; dayplanner?: boolean; needsPhotographer?: boolean; hasPhotographer?: boolean }, options?: CallOptions): Promise<EventData[]>
    /** Notes that an event needs a photographer. For the role shutternautmanager. `POST /events/:event_id/needsphotographer` */
    needsphotographer(input: { event_id: string }, options?: CallOptions): Promise<void>
    /** Makes the caller a photographer of an event; 200 when they were. For the role shutternaut. `POST /events/:event_id/photographer` */
    photographer(input: { event_id: string }, options?: CallOptions): Promise<void>
    /** The events that need a photographer or have one, by start; of a day (1 is embarkation day), or of all. At first 50. From level serviceteam on. `GET /events/photographerreport` */
    photographerreport(input?: { cruiseday?: number; start?: number; limit?: number }, options?: CallOptions): Promise<PhotographerReportData>
    /** The same as a file for spreadsheets, whole. From level serviceteam on. `GET /events/photographerreport/download` */
    photographerreportDownload: FileCall<{ cruiseday?: number }>
    /** Follows an event no longer; 200 when the caller did not. `DELETE /events/:event_id/favorite` */
    removeFavorite(input: { event_id: string }, options?: CallOptions): Promise<void>
    /** Notes that an event needs no photographer any more. For the role shutternautmanager. `DELETE /events/:event_id/needsphotographer` */
    removeNeedsphotographer(input: { event_id: string }, options?: CallOptions): Promise<void>
    /** Hands an event back to other photographers; 200 when the caller was none. `DELETE /events/:event_id/photographer` */
    removePhotographer(input: { event_id: string }, options?: CallOptions): Promise<void>
    /** Adds and changes the events of a calendar at once and removes none; returns them. Without a calendar, changes server settings. From level admin on. `POST /events/update` */
    update(input?: EventsOrSettingsUpdateData, options?: CallOptions): Promise<EventData[]>
  }
  feedback: {
    /** Shadow events and workshops that have begun, the last first: all, those in a room, and those of the caller. `GET /feedback/eventlist` */
    eventlist(input?: { room?: string }, options?: CallOptions): Promise<EventFeedbackSelectionData>
    /** Gives feedback on an event, in place of what the caller gave before. From level verified on. `POST /feedback` */
    give(input: EventFeedbackData, options?: CallOptions): Promise<void>
    /** The caller's feedback on an event; 204 when there is none. `GET /feedback/id/:event_id` */
    id(input: { event_id: string }, options?: CallOptions): Promise<EventFeedbackReport | undefined>
    /** The caller's feedback on an event, or a form with what is known of the event. `GET /feedback/uid/:event_uid` */
    uid(input: { event_uid: string }, options?: CallOptions): Promise<EventFeedbackReport>
  }
  fez: {
    /** Calls a group off. `POST /fez/:fezID/cancel` */
    cancel(input: { fezID: string }, options?: CallOptions): Promise<FezData>
    /** Creates an LFG group or a private thread, with its first post if there is one. From level verified on. `POST /fez/create` */
    create(input: FezContentData, options?: CallOptions): Promise<FezData>
    /** Makes a chat a favorite of the caller; 200 when it was one already. `POST /fez/:fezID/favorite` */
    favorite(input: { fezID: string }, options?: CallOptions): Promise<void>
    /** Chats that the caller has left or was removed from, deleted ones too; newest first. `GET /fez/former` */
    former(input?: { start?: number; limit?: number; foruser?: string }, options?: CallOptions): Promise<FezListData>
    /** A chat with a page of its posts, which count as read afterwards unless the caller only peeks. `GET /fez/:fezID` */
    get(input: { fezID: string; start?: number; limit?: number; peek?: boolean }, options?: CallOptions): Promise<FezData>
    /** Joins an LFG group or an unlisted event, or its waiting list when it is full. `POST /fez/:fezID/join` */
    join(input: { fezID: string }, options?: CallOptions): Promise<FezData>
    /** Chats that the caller is a member of; muted ones last, then by latest change. `GET /fez/joined` */
    joined(input?: { start?: number; limit?: number; type?: readonly ('closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent' | 'private')[]; lfgtypes?: boolean; cruiseday?: number; hidePast?: boolean; search?: string; excludetype?: readonly ('closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent' | 'private')[]; favorite?: boolean; lastpost?: boolean; onlynew?: boolean; foruser?: string; matchID?: string }, options?: CallOptions): Promise<FezListData>
    /** The caller has read all posts of a chat, or those up to the one named; 200 when none of them was unread. `POST /fez/:fezID/markRead` */
    markRead(input: { fezID: string; upTo?: number }, options?: CallOptions): Promise<void>
    /** No more unread numbers and notices from this chat; 200 when it was muted already. `POST /fez/:fezID/mute` */
    mute(input: { fezID: string }, options?: CallOptions): Promise<void>
    /** LFG groups that the caller could join. `GET /fez/open` */
    open(input?: { start?: number; limit?: number; type?: readonly ('closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent' | 'private')[]; lfgtypes?: boolean; cruiseday?: number; hidePast?: boolean; search?: string }, options?: CallOptions): Promise<FezListData>
    /** Chats that the caller owns, newest first. `GET /fez/owner` */
    owner(input?: { start?: number; limit?: number; type?: readonly ('closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent' | 'private')[]; lfgtypes?: boolean; cruiseday?: number; hidePast?: boolean; search?: string; excludetype?: readonly ('closed' | 'open' | 'activity' | 'dining' | 'gaming' | 'meetup' | 'music' | 'other' | 'shore' | 'personalEvent' | 'privateEvent' | 'private')[]; favorite?: boolean; lastpost?: boolean }, options?: CallOptions): Promise<FezListData>
    /** Posts in a chat. From level verified on. `POST /fez/:fezID/post` */
    post(input: { fezID: string } & PostContentData, options?: CallOptions): Promise<FezWithPostData>
    /** Deletes a post and answers with its chat. `POST /fez/:fezID/post/:postID/delete` */
    postDelete(input: { fezID: string; postID: number }, options?: CallOptions): Promise<FezData>
    /** Reports a post to the moderators. `POST /fez/post/:postID/report` */
    postReport(input: { postID: number } & ReportData, options?: CallOptions): Promise<void>
    /** Deletes a chat. For moderators; owners can delete a personal event. `DELETE /fez/:fezID` */
    remove(input: { fezID: string }, options?: CallOptions): Promise<void>
    /** A chat is no favorite of the caller any more; 200 when it was none. `DELETE /fez/:fezID/favorite` */
    removeFavorite(input: { fezID: string }, options?: CallOptions): Promise<void>
    /** Ends the muting of a chat; 200 when it was not muted. `DELETE /fez/:fezID/mute` */
    removeMute(input: { fezID: string }, options?: CallOptions): Promise<void>
    /** Deletes a post. `DELETE /fez/post/:postID` */
    removePost(input: { postID: number }, options?: CallOptions): Promise<void>
    /** Reports a chat to the moderators. `POST /fez/:fezID/report` */
    report(input: { fezID: string } & ReportData, options?: CallOptions): Promise<void>
    /** Reports messages of a chat that the caller is in, also of a private one: the moderators get a copy of these messages, the title and who is in the chat, and nothing else of it. `POST /fez/:fezID/reportposts` */
    reportposts(input: { fezID: string } & FezPostsReportData, options?: CallOptions): Promise<void>
    /** New posts of a chat, and who comes and goes. With after, the id of the last post that the client has, first the posts it has missed; 400 when there are more than 500. With watching=true also the other members who have such a socket open, whenever that changes; not in chats of more than 50 members. `/fez/:fezID/socket` */
    socket(input: { fezID: string; after?: number; watching?: boolean }, options?: LiveOptions): Live<SocketFezPostData | SocketFezMemberChangeData | SocketFezWatchingData>
    /** Names of the kinds of chat, for people. For everybody. `GET /fez/types` */
    types(input?: Nothing, options?: CallOptions): Promise<string[]>
    /** Leaves a chat; the first in the waiting list moves up. `POST /fez/:fezID/unjoin` */
    unjoin(input: { fezID: string }, options?: CallOptions): Promise<FezData>
    /** Replaces the texts, times and capacity of a chat, and un-cancels it. `POST /fez/:fezID/update` */
    update(input: { fezID: string } & FezContentData, options?: CallOptions): Promise<FezData>
    /** The owner adds a user. `POST /fez/:fezID/user/:userID/add` */
    userAdd(input: { fezID: string; userID: string }, options?: CallOptions): Promise<FezData>
    /** The owner or a moderator removes a user. `POST /fez/:fezID/user/:userID/remove` */
    userRemove(input: { fezID: string; userID: string }, options?: CallOptions): Promise<FezData>
  }
  forum: {
    /** Posts that the caller has bookmarked, newest first. `GET /forum/bookmarks` */
    bookmarks(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentionid?: string; mentionname?: string; mentionself?: boolean; ownreacts?: boolean; bookmarked?: boolean; byself?: boolean; creatorid?: string; category?: string; forum?: string }, options?: CallOptions): Promise<PostData[]>
    /** The categories that the caller can see, without their forums. For everybody. `GET /forum/categories` */
    categories(input?: { cat?: string }, options?: CallOptions): Promise<CategoryData[]>
    /** A category with a page of its forums: muted ones last, pinned ones first. `GET /forum/categories/:category_id` */
    category(input: { category_id: string; start?: number; limit?: number; sort?: string; order?: string; beforedate?: string | Date; afterdate?: string | Date }, options?: CallOptions): Promise<CategoryData>
    /** Starts a forum with its first post. From level verified on. `POST /forum/categories/:category_id/create` */
    create(input: { category_id: string } & ForumCreateData, options?: CallOptions): Promise<ForumData>
    /** Favorites a forum; 200 when it was. `POST /forum/:forum_id/favorite` */
    favorite(input: { forum_id: string }, options?: CallOptions): Promise<void>
    /** Forums that the caller has favorited. `GET /forum/favorites` */
    favorites(input?: { start?: number; limit?: number; sort?: string; order?: string; cat?: string }, options?: CallOptions): Promise<ForumSearchData>
    /** The forum of an event with a page of its posts, as GET /forum/:forum_id. `GET /forum/forevent/:event_id` */
    forevent(input: { event_id: string; start?: number; limit?: number; startPost?: number }, options?: CallOptions): Promise<ForumData>
    /** A forum with a page of its posts, which count as read afterwards. Without start and startPost, the page with the last post that was read. `GET /forum/:forum_id` */
    get(input: { forum_id: string; start?: number; limit?: number; startPost?: number }, options?: CallOptions): Promise<ForumData>
    /** A post with everybody who has reacted to it. `GET /forum/post/:post_id` */
    getPost(input: { post_id: number }, options?: CallOptions): Promise<PostDetailData>
    /** Posts that the caller has reacted to, newest first. `GET /forum/likes` */
    likes(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentionid?: string; mentionname?: string; mentionself?: boolean; ownreacts?: boolean; bookmarked?: boolean; byself?: boolean; creatorid?: string; category?: string; forum?: string }, options?: CallOptions): Promise<PostData[]>
    /** Marks everything in a forum as read; 200 when it was. `POST /forum/:forum_id/markRead` */
    markRead(input: { forum_id: string }, options?: CallOptions): Promise<void>
    /** Posts that mention the caller, newest first. `GET /forum/mentions` */
    mentions(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentionid?: string; mentionname?: string; mentionself?: boolean; ownreacts?: boolean; bookmarked?: boolean; byself?: boolean; creatorid?: string; category?: string; forum?: string }, options?: CallOptions): Promise<PostData[]>
    /** Mutes a forum; 200 when it was. `POST /forum/:forum_id/mute` */
    mute(input: { forum_id: string }, options?: CallOptions): Promise<void>
    /** Forums that the caller has muted. `GET /forum/mutes` */
    mutes(input?: { start?: number; limit?: number; sort?: string; order?: string; cat?: string }, options?: CallOptions): Promise<ForumSearchData>
    /** Forums that the caller has started, by title. `GET /forum/owner` */
    owner(input?: { start?: number; limit?: number; sort?: string; order?: string; cat?: string }, options?: CallOptions): Promise<ForumSearchData>
    /** Pins a forum first in its category; 200 when it was. From level moderator on. `POST /forum/:forum_id/pin` */
    pin(input: { forum_id: string }, options?: CallOptions): Promise<void>
    /** The pinned posts of a forum, in order. `GET /forum/:forum_id/pinnedposts` */
    pinnedposts(input: { forum_id: string }, options?: CallOptions): Promise<PostData[]>
    /** Posts in a forum. From level verified on. `POST /forum/:forum_id/create` */
    post(input: { forum_id: string } & PostContentData, options?: CallOptions): Promise<PostData>
    /** Bookmarks a post; 200 when it was. `POST /forum/post/:post_id/bookmark` */
    postBookmark(input: { post_id: number }, options?: CallOptions): Promise<void>
    /** The forum of a post, from that post on. `GET /forum/post/:post_id/forum` */
    postForum(input: { post_id: number; start?: number; limit?: number; startPost?: number }, options?: CallOptions): Promise<ForumData>
    /** Posts with this hashtag, which begins with #, newest first. `GET /forum/post/hashtag/:hashtag` */
    postHashtag(input?: { hashtag?: string; start?: number; limit?: number; search?: string; mentionid?: string; mentionname?: string; mentionself?: boolean; ownreacts?: boolean; bookmarked?: boolean; byself?: boolean; creatorid?: string; category?: string; forum?: string }, options?: CallOptions): Promise<PostData[]>
    /** Makes this the only image of a post. From level verified on. `POST /forum/post/:post_id/image` */
    postImage(input: { post_id: number } & ImageUploadData, options?: CallOptions): Promise<PostData>
    /** Removes all images of a post. From level verified on. `POST /forum/post/:post_id/image/remove` */
    postImageRemove(input: { post_id: number }, options?: CallOptions): Promise<PostData>
    /** Reacts to a post of somebody else, in place of an earlier reaction. `POST /forum/post/:post_id/laugh` */
    postLaugh(input: { post_id: number }, options?: CallOptions): Promise<PostData>
    /** Reacts to a post of somebody else, in place of an earlier reaction. `POST /forum/post/:post_id/like` */
    postLike(input: { post_id: number }, options?: CallOptions): Promise<PostData>
    /** Reacts to a post of somebody else, in place of an earlier reaction. `POST /forum/post/:post_id/love` */
    postLove(input: { post_id: number }, options?: CallOptions): Promise<PostData>
    /** Pins a post in its forum; 200 when it was. For the creator of the forum and moderators. From level verified on. `POST /forum/post/:post_id/pin` */
    postPin(input: { post_id: number }, options?: CallOptions): Promise<void>
    /** Reports a post to the moderators. `POST /forum/post/:post_id/report` */
    postReport(input: { post_id: number } & ReportData, options?: CallOptions): Promise<void>
    /** Posts that match all of the given filters, newest first. `GET /forum/post/search` */
    postSearch(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentionid?: string; mentionname?: string; mentionself?: boolean; ownreacts?: boolean; bookmarked?: boolean; byself?: boolean; creatorid?: string; category?: string; forum?: string }, options?: CallOptions): Promise<PostSearchData>
    /** Posts with these words, newest first. `GET /forum/post/search/:search_string` */
    postSearchOf(input: { search_string: string; start?: number; limit?: number; search?: string; hashtag?: string; mentionid?: string; mentionname?: string; mentionself?: boolean; ownreacts?: boolean; bookmarked?: boolean; byself?: boolean; creatorid?: string; category?: string; forum?: string }, options?: CallOptions): Promise<PostData[]>
    /** Takes a reaction back, whichever it is. `POST /forum/post/:post_id/unreact` */
    postUnreact(input: { post_id: number }, options?: CallOptions): Promise<PostData>
    /** Posts by the caller, newest first. `GET /forum/posts` */
    posts(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentionid?: string; mentionname?: string; mentionself?: boolean; ownreacts?: boolean; bookmarked?: boolean; byself?: boolean; creatorid?: string; category?: string; forum?: string }, options?: CallOptions): Promise<PostData[]>
    /** Forums that the caller has had to do with, the latest first. `GET /forum/recent` */
    recent(input?: { start?: number; limit?: number }, options?: CallOptions): Promise<ForumSearchData>
    /** Deletes a forum with all its posts. From level moderator on. `DELETE /forum/:forum_id` */
    remove(input: { forum_id: string }, options?: CallOptions): Promise<void>
    /** Takes a forum off the favorites; 200 when it was none. `DELETE /forum/:forum_id/favorite` */
    removeFavorite(input: { forum_id: string }, options?: CallOptions): Promise<void>
    /** Ends the muting of a forum; 200 when it was not muted. `DELETE /forum/:forum_id/mute` */
    removeMute(input: { forum_id: string }, options?: CallOptions): Promise<void>
    /** Unpins a forum; 200 when it was not pinned. From level moderator on. `DELETE /forum/:forum_id/pin` */
    removePin(input: { forum_id: string }, options?: CallOptions): Promise<void>
    /** Deletes a post. For its author and moderators. From level verified on. `DELETE /forum/post/:post_id` */
    removePost(input: { post_id: number }, options?: CallOptions): Promise<void>
    /** Ends a bookmark, if there is one. `DELETE /forum/post/:post_id/bookmark` */
    removePostBookmark(input: { post_id: number }, options?: CallOptions): Promise<void>
    /** Takes a reaction back, whichever it is. `DELETE /forum/post/:post_id/laugh` */
    removePostLaugh(input: { post_id: number }, options?: CallOptions): Promise<PostData>
    /** Takes a reaction back, whichever it is. `DELETE /forum/post/:post_id/like` */
    removePostLike(input: { post_id: number }, options?: CallOptions): Promise<PostData>
    /** Takes a reaction back, whichever it is. `DELETE /forum/post/:post_id/love` */
    removePostLove(input: { post_id: number }, options?: CallOptions): Promise<PostData>
    /** Unpins a post; 200 when it was not pinned. From level verified on. `DELETE /forum/post/:post_id/pin` */
    removePostPin(input: { post_id: number }, options?: CallOptions): Promise<void>
    /** Gives a forum another title. For its creator and moderators. From level verified on. `POST /forum/:forum_id/rename/:new_name` */
    rename(input: { forum_id: string; new_name: string }, options?: CallOptions): Promise<void>
    /** Reports a forum to the moderators. `POST /forum/:forum_id/report` */
    report(input: { forum_id: string } & ReportData, options?: CallOptions): Promise<void>
    /** Forums that match all of the given filters. `GET /forum/search` */
    search(input?: { start?: number; limit?: number; sort?: string; order?: string; search?: string; searchposts?: string; creator?: readonly string[]; creatorid?: readonly string[]; category?: readonly string[]; creatorself?: boolean; favorite?: boolean; mute?: boolean; posted?: boolean; unread?: boolean }, options?: CallOptions): Promise<ForumSearchData>
    /** Posts of a forum with these words, newest first. `GET /forum/:forum_id/search/:search_string` */
    searchIn(input: { forum_id: string; search_string: string; start?: number; limit?: number; search?: string; hashtag?: string; mentionid?: string; mentionname?: string; mentionself?: boolean; ownreacts?: boolean; bookmarked?: boolean; byself?: boolean; creatorid?: string; category?: string; forum?: string }, options?: CallOptions): Promise<PostData[]>
    /** Forums with posts that the caller has not read, without muted ones. `GET /forum/unread` */
    unread(input?: { start?: number; limit?: number; sort?: string; order?: string; cat?: string }, options?: CallOptions): Promise<ForumSearchData>
    /** Replaces text and images of a post. For its author and moderators. From level verified on. `POST /forum/post/:post_id/update` */
    updatePost(input: { post_id: number } & PostContentData, options?: CallOptions): Promise<PostData>
  }
  hunts: {
    /** A hunt with all puzzles, answers and hints. From level serviceteam on. `GET /hunts/:hunt_id/admin` */
    admin(input: { hunt_id: string }, options?: CallOptions): Promise<HuntData>
    /** Creates a hunt with its puzzles. From level serviceteam on. `POST /hunts/create` */
    create(input: HuntCreateData, options?: CallOptions): Promise<void>
    /** A hunt with its unlocked puzzles, in the order in which they unlock. Puzzles that the caller has solved have their answers. For everybody. `GET /hunts/:hunt_id` */
    get(input: { hunt_id: string }, options?: CallOptions): Promise<HuntData>
    /** All hunts by title. For everybody. `GET /hunts` */
    list(input?: Nothing, options?: CallOptions): Promise<HuntListData>
    /** An unlocked puzzle with the caller's call-ins, oldest first. For everybody. `GET /hunts/puzzles/:puzzle_id` */
    puzzles(input: { puzzle_id: string }, options?: CallOptions): Promise<HuntPuzzleDetailData>
    /** Calls in an answer, as plain text. Case, spaces and punctuation do not matter. 200 with the first result for the same answer again; 409 if the caller has solved the puzzle. `POST /hunts/puzzles/:puzzle_id/callin` */
    puzzlesCallin(input: { puzzle_id: string } & { body: string }, options?: CallOptions): Promise<HuntPuzzleCallInResultData>
    /** Removes a hunt with its puzzles and call-ins. From level serviceteam on. `DELETE /hunts/:hunt_id` */
    remove(input: { hunt_id: string }, options?: CallOptions): Promise<void>
    /** Changes title or description of a hunt. From level serviceteam on. `PATCH /hunts/:hunt_id` */
    setGet(input: { hunt_id: string } & HuntPatchData, options?: CallOptions): Promise<void>
    /** Changes a puzzle. Hints are added or replaced. Earlier call-ins of the new answer become correct, and wrong ones that have a hint now get it. From level serviceteam on. `PATCH /hunts/puzzles/:puzzle_id` */
    setPuzzles(input: { puzzle_id: string } & HuntPuzzlePatchData, options?: CallOptions): Promise<void>
  }
  image: {
    /** The thumbnail of an image that was replaced or deleted. For moderators. From level moderator on. `GET /image/archive/:image_filename` */
    archive: FileCall<{ image_filename: string }>
    /** What is to be seen in stored images, in the words of whoever has uploaded them; of those that were described. `GET /image/descriptions` */
    descriptions(input: { image: readonly string[] }, options?: CallOptions): Promise<ImageDescriptionData[]>
    /** A stored image. For everybody. `GET /image/full/:image_filename` */
    full: FileCall<{ image_filename: string }>
    /** A text as a QR code: a PNG of 400 by 400 pixels. For everybody. `GET /image/qrcode` */
    qrcode: FileCall<{ string: string }>
    /** The thumbnail of a stored image, at most 200 pixels high. For everybody. `GET /image/thumb/:image_filename` */
    thumb: FileCall<{ image_filename: string }>
    /** The picture of a user, or their identicon. For everybody. `GET /image/user/full/:user_id` */
    userFull: FileCall<{ user_id: string }>
    /** The picture that is made from the id of a user. For everybody. `GET /image/user/identicon/:user_id` */
    userIdenticon: FileCall<{ user_id: string }>
    /** The thumbnail of the picture of a user, or their identicon. For everybody. `GET /image/user/thumb/:user_id` */
    userThumb: FileCall<{ user_id: string }>
  }
  karaoke: {
    /** Favorites a song; 200 when it was. `POST /karaoke/:song_id/favorite` */
    favorite(input: { song_id: string }, options?: CallOptions): Promise<void>
    /** One song with everybody who has sung it. For everybody. `GET /karaoke/:song_id` */
    get(input: { song_id: string }, options?: CallOptions): Promise<KaraokeSongData>
    /** What was sung, newest first. For everybody. `GET /karaoke/latest` */
    latest(input?: { start?: number; limit?: number; search?: string }, options?: CallOptions): Promise<KaraokePerformedSongsResult>
    /** Songs by artist and title. Needs `favorite=true` or a `search`: words of artist and title, one letter that the artist begins with, or `#` for a number. For everybody. `GET /karaoke` */
    list(input?: { start?: number; limit?: number; search?: string; favorite?: string }, options?: CallOptions): Promise<KaraokeSongResponseData>
    /** Logs that a song was sung; the note says by whom. For karaoke managers. `POST /karaoke/:song_id/logperformance` */
    logperformance(input: { song_id: string } & NoteCreateData, options?: CallOptions): Promise<void>
    /** What was sung, newest first, as a list. For everybody. `GET /karaoke/performance` */
    performance(input?: { start?: number; limit?: number; search?: string }, options?: CallOptions): Promise<KaraokePerformedSongsData[]>
    /** Reads the library's file again. Songs keep their ids and stay favorites, and the log stays; a file that is wrong changes nothing, and the answer says where. From level admin on. `POST /karaoke/reload` */
    reload(input?: Nothing, options?: CallOptions): Promise<KaraokeReloadData>
    /** Takes a song off the favorites; 200 when it was none. `DELETE /karaoke/:song_id/favorite` */
    removeFavorite(input: { song_id: string }, options?: CallOptions): Promise<void>
    /** Whether the caller may log performances. `GET /karaoke/userIsManager` */
    userIsManager(input?: Nothing, options?: CallOptions): Promise<UserAuthorizedToCreateKaraokeLogs>
  }
  microblog: {
    /** Posts by the users of a list, whoever has made it. `GET /microblog/barrel/:barrel_id` */
    barrel(input: { barrel_id: string; start?: number; limit?: number; search?: string; hashtag?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
    /** Bookmarks a post; 201 also when it was. `POST /microblog/:post_id/bookmark` */
    bookmark(input: { post_id: number }, options?: CallOptions): Promise<void>
    /** Posts that the caller has bookmarked. `GET /microblog/bookmarks` */
    bookmarks(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
    /** Writes a post. From level verified on. `POST /microblog/create` */
    create(input: PostContentData, options?: CallOptions): Promise<MicroblogPostData>
    /** A post with everybody who has reacted to it. `GET /microblog/:post_id` */
    get(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostDetailData>
    /** Posts with this hashtag, which begins with #. `GET /microblog/hashtag/:hashtag` */
    hashtag(input?: { hashtag?: string; start?: number; limit?: number; search?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
    /** Makes this the only image of a post. From level verified on. `POST /microblog/:post_id/image` */
    image(input: { post_id: number } & ImageUploadData, options?: CallOptions): Promise<MicroblogPostData>
    /** Removes all images of a post. From level verified on. `POST /microblog/:post_id/image/remove` */
    imageRemove(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostData>
    /** Reacts to a post of somebody else, in place of an earlier reaction. `POST /microblog/:post_id/laugh` */
    laugh(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostData>
    /** Reacts to a post of somebody else, in place of an earlier reaction. `POST /microblog/:post_id/like` */
    like(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostData>
    /** Posts that the caller has reacted to. `GET /microblog/likes` */
    likes(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
    /** Posts that match all of the given filters, newest first; a group of answers oldest first. `GET /microblog` */
    list(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
    /** Reacts to a post of somebody else, in place of an earlier reaction. `POST /microblog/:post_id/love` */
    love(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostData>
    /** Posts that mention the caller. `GET /microblog/mentions` */
    mentions(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
    /** Deletes a post. For its author and moderators. From level verified on. `DELETE /microblog/:post_id` */
    remove(input: { post_id: number }, options?: CallOptions): Promise<void>
    /** Ends a bookmark, if there is one. `DELETE /microblog/:post_id/bookmark` */
    removeBookmark(input: { post_id: number }, options?: CallOptions): Promise<void>
    /** Takes a reaction back, whichever it is. `DELETE /microblog/:post_id/laugh` */
    removeLaugh(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostData>
    /** Takes a reaction back, whichever it is. `DELETE /microblog/:post_id/like` */
    removeLike(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostData>
    /** Takes a reaction back, whichever it is. `DELETE /microblog/:post_id/love` */
    removeLove(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostData>
    /** Answers a post. From level verified on. `POST /microblog/:post_id/reply` */
    reply(input: { post_id: number } & PostContentData, options?: CallOptions): Promise<MicroblogPostData>
    /** Reports a post to the moderators. `POST /microblog/:post_id/report` */
    report(input: { post_id: number } & ReportData, options?: CallOptions): Promise<void>
    /** Posts with these words. `GET /microblog/search/:search_string` */
    search(input: { search_string: string; start?: number; limit?: number; search?: string; hashtag?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
    /** Slow mode of the microblog: how many seconds there are between two posts of a person; 0 without it. `GET /microblog/slowmode` */
    slowmode(input?: Nothing, options?: CallOptions): Promise<SlowModeData>
    /** Takes a reaction back, whichever it is. `POST /microblog/:post_id/unreact` */
    unreact(input: { post_id: number }, options?: CallOptions): Promise<MicroblogPostData>
    /** Replaces text and images of a post. For its author and moderators. From level verified on. `POST /microblog/:post_id/update` */
    update(input: { post_id: number } & PostContentData, options?: CallOptions): Promise<MicroblogPostData>
    /** Posts by the caller. `GET /microblog/user` */
    user(input?: { start?: number; limit?: number; search?: string; hashtag?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
    /** Posts by a user. `GET /microblog/user/:user_id` */
    userOf(input: { user_id: string; start?: number; limit?: number; search?: string; hashtag?: string; mentions?: string; mentionSelf?: boolean; byUser?: string; byUsername?: string; inBarrel?: string; bookmarked?: boolean; likeType?: 'laugh' | 'like' | 'love' | 'all'; replyGroup?: number; hideReplies?: boolean; after?: number; before?: number; afterDate?: string | Date; beforeDate?: string | Date; from?: 'first' | 'last' }, options?: CallOptions): Promise<MicroblogPostData[]>
  }
  microkaraoke: {
    /** Reserves a slot of a song for half an hour. Who has one already gets the same again. From level verified on. `POST /microkaraoke/offer` */
    offer(input?: Nothing, options?: CallOptions): Promise<MicroKaraokeOfferPacket>
    /** Fills a reserved slot with a video of more than 500,000 and less than 40,000,000 bytes. From level verified on. `POST /microkaraoke/recording` */
    recording(input: MicroKaraokeRecordingData, options?: CallOptions): Promise<void>
    /** Reports a part of a song to the moderators. `POST /microkaraoke/snippet/:micro_karaoke_snippet_id/report` */
    snippetReport(input: { micro_karaoke_snippet_id: string } & ReportData, options?: CallOptions): Promise<void>
    /** The videos and the music of a song. `GET /microkaraoke/song/:micro_karaoke_song_id` */
    song(input: { micro_karaoke_song_id: number }, options?: CallOptions): Promise<MicroKaraokeSongManifest>
    /** Reports a song to the moderators. `POST /microkaraoke/song/:micro_karaoke_song_id/report` */
    songReport(input: { micro_karaoke_song_id: number } & ReportData, options?: CallOptions): Promise<void>
    /** Songs that are complete and approved, by id. The caller has seen then that they are ready. `GET /microkaraoke/songlist` */
    songlist(input?: Nothing, options?: CallOptions): Promise<MicroKaraokeCompletedSong[]>
    /** The video of a slot, or a range of its bytes. For everybody. `GET /microkaraoke/video/:filename` */
    video: FileCall<{ filename: string }>
  }
  mod: {
    /** The categories of forums that the caller can see, in order, with the levels that see them and that start forums in them. From level moderator on. `GET /mod/categories` */
    categories(input?: Nothing, options?: CallOptions): Promise<ManagedCategoryData[]>
    /** Puts the categories of forums in order, for everybody. From level moderator on. `POST /mod/categories/order` */
    categoriesOrder(input: CategoryOrderData, options?: CallOptions): Promise<void>
    /** Creates a category of forums. From level moderator on. `POST /mod/category/create` */
    categoryCreate(input: CategoryCreateData, options?: CallOptions): Promise<CategoryData>
    /** Changes the words of a category, who sees it, and who starts forums in it. From level moderator on. `POST /mod/category/:category_id/update` */
    categoryUpdate(input: { category_id: string } & CategoryChangeData, options?: CallOptions): Promise<ManagedCategoryData>
    /** Deletes up to fifty things at once. From level moderator on. `POST /mod/content/delete` */
    contentDelete(input: ContentListData, options?: CallOptions): Promise<ContentOutcomeData>
    /** Hides, locks or opens up to fifty things at once. From level moderator on. `POST /mod/content/setstate/:mod_state` */
    contentSetstate(input: { mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked' } & ContentListData, options?: CallOptions): Promise<ContentOutcomeData>
    /** A chat with nothing hidden, deleted or not, its reports and earlier texts. From level moderator on. `GET /mod/fez/:fez_id` */
    fez(input: { fez_id: string }, options?: CallOptions): Promise<FezModerationData>
    /** Hides or locks a chat, or lets it be. From level moderator on. `POST /mod/fez/:fez_id/setstate/:mod_state` */
    fezSetstate(input: { fez_id: string; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** Slow mode of a chat that people may join: each person posts once in so many seconds. Moderators are exempt. From level moderator on. `POST /mod/fez/:fez_id/slowmode` */
    fezSlowmode(input: { fez_id: string; basedOn?: number } & SlowModeData, options?: CallOptions): Promise<void>
    /** A post of a chat with nothing hidden, deleted or not, and its reports. From level moderator on. `GET /mod/fezpost/:post_id` */
    fezpost(input: { post_id: number }, options?: CallOptions): Promise<FezPostModerationData>
    /** Hides or locks a post of a chat, or lets it be. From level moderator on. `POST /mod/fezpost/:post_id/setstate/:mod_state` */
    fezpostSetstate(input: { post_id: number; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** A forum with its real title, deleted or not, its reports and what it was before. From level moderator on. `GET /mod/forum/:forum_id` */
    forum(input: { forum_id: string }, options?: CallOptions): Promise<ForumModerationData>
    /** Puts a forum into another category. From level moderator on. `POST /mod/forum/:forum_id/setcategory/:category_id` */
    forumSetcategory(input: { forum_id: string; category_id: string }, options?: CallOptions): Promise<void>
    /** Hides the title of a forum, locks the forum, or lets it be. From level moderator on. `POST /mod/forum/:forum_id/setstate/:mod_state` */
    forumSetstate(input: { forum_id: string; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** Slow mode of a forum: each person posts once in so many seconds. Moderators are exempt. From level moderator on. `POST /mod/forum/:forum_id/slowmode` */
    forumSlowmode(input: { forum_id: string; basedOn?: number } & SlowModeData, options?: CallOptions): Promise<void>
    /** A post of a forum with nothing hidden, deleted or not, its reports and what it was before. From level moderator on. `GET /mod/forumpost/:post_id` */
    forumpost(input: { post_id: number }, options?: CallOptions): Promise<ForumPostModerationData>
    /** Hides or locks a post of a forum, or lets it be. From level moderator on. `POST /mod/forumpost/:post_id/setstate/:mod_state` */
    forumpostSetstate(input: { post_id: number; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** A post of the microblog with nothing hidden, deleted or not, its reports and what it was before. From level moderator on. `GET /mod/microblog/:post_id` */
    microblog(input: { post_id: number }, options?: CallOptions): Promise<TwarrtModerationData>
    /** Hides or locks a post of the microblog, or lets it be. From level moderator on. `POST /mod/microblog/:post_id/setstate/:mod_state` */
    microblogSetstate(input: { post_id: number; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** Slow mode of the microblog: each person posts once in so many seconds, answers included. Moderators are exempt. From level moderator on. `POST /mod/microblog/slowmode` */
    microblogSlowmode(input: { basedOn?: number } & SlowModeData, options?: CallOptions): Promise<void>
    /** Shows a complete song to everybody and tells those who have sung in it. From level moderator on. `POST /mod/microkaraoke/approve/:micro_karaoke_song_id` */
    microkaraokeApprove(input: { micro_karaoke_song_id: number }, options?: CallOptions): Promise<void>
    /** The slots of a song that are sung or reserved, in order. From level moderator on. `GET /mod/microkaraoke/snippets/:micro_karaoke_song_id` */
    microkaraokeSnippets(input: { micro_karaoke_song_id: number }, options?: CallOptions): Promise<MicroKaraokeSnippetModeration[]>
    /** One song, finished or not. From level moderator on. `GET /mod/microkaraoke/song/:micro_karaoke_song_id` */
    microkaraokeSong(input: { micro_karaoke_song_id: number }, options?: CallOptions): Promise<MicroKaraokeCompletedSong>
    /** All songs, finished or not, by id. From level moderator on. `GET /mod/microkaraoke/songlist` */
    microkaraokeSonglist(input?: Nothing, options?: CallOptions): Promise<MicroKaraokeCompletedSong[]>
    /** What moderators did with what others own, newest first. From level moderator on. `GET /mod/moderationlog` */
    moderationlog(input?: { start?: number; limit?: number }, options?: CallOptions): Promise<ModeratorActionLogResponseData>
    /** A private or personal event with nothing hidden, deleted or not, and its reports. From level moderator on. `GET /mod/personalevent/:personal_event_id` */
    personalevent(input: { personal_event_id: string }, options?: CallOptions): Promise<PersonalEventModerationData>
    /** A photo with nothing hidden, deleted or not, and its reports. From level moderator on. `GET /mod/photostream/:stream_photoID` */
    photostream(input: { stream_photoID: number }, options?: CallOptions): Promise<PhotostreamModerationData>
    /** Hides or locks a photo, or lets it be. From level moderator on. `POST /mod/photostream/:stream_photoID/setstate/:mod_state` */
    photostreamSetstate(input: { stream_photoID: number; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** A private or personal event with nothing hidden, deleted or not, and its reports. From level moderator on. `GET /mod/privateevent/:personal_event_id` */
    privateevent(input: { personal_event_id: string }, options?: CallOptions): Promise<PersonalEventModerationData>
    /** A profile with nothing hidden, its reports and what it was like before. From level moderator on. `GET /mod/profile/:user_id` */
    profile(input: { user_id: string }, options?: CallOptions): Promise<ProfileModerationData>
    /** Hides or locks a profile, or lets it be. From level moderator on. `POST /mod/profile/:user_id/setstate/:mod_state` */
    profileSetstate(input: { user_id: string; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** An item with nothing hidden, deleted or not, what it was before, and its reports. From level moderator on. `GET /mod/quartermaster/:item_id` */
    quartermaster(input: { item_id: string }, options?: CallOptions): Promise<QuartermasterModerationData>
    /** Hides or locks an item, or lets it be. From level moderator on. `POST /mod/quartermaster/:item_id/setstate/:mod_state` */
    quartermasterSetstate(input: { item_id: string; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** Deletes a category that no forum is or was in. From level moderator on. `DELETE /mod/category/:category_id` */
    removeCategory(input: { category_id: string; basedOn?: string | Date }, options?: CallOptions): Promise<void>
    /** Takes a part out of its song, which is neither complete nor approved then; also answers when it is gone already. From level moderator on. `DELETE /mod/microkaraoke/snippet/:micro_karaoke_snippet_id` */
    removeMicrokaraokeSnippet(input: { micro_karaoke_snippet_id: string }, options?: CallOptions): Promise<void>
    /** Takes a photo out of the stream. From level moderator on. `DELETE /mod/photostream/:stream_photoID` */
    removePhotostream(input: { stream_photoID: number }, options?: CallOptions): Promise<void>
    /** Deletes a template. From level moderator on. `DELETE /mod/templates/:template_id` */
    removeTemplates(input: { template_id: string; basedOn?: string | Date }, options?: CallOptions): Promise<void>
    /** Ends the ban of a person, who has their level again. From level tho on. `DELETE /mod/user/:user_id/ban` */
    removeUserBan(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** All reports, open and closed, newest first. From level moderator on. `GET /mod/reports` */
    reports(input?: Nothing, options?: CallOptions): Promise<ReportModerationData[]>
    /** Closes all reports on the same content. With basedOn, 409 when another moderator has acted since, or there is a new report. From level moderator on. `POST /mod/reports/:report_id/closeall` */
    reportsCloseall(input: { report_id: string; basedOn?: string }, options?: CallOptions): Promise<void>
    /** Takes all reports on the same content that are not closed. With basedOn, 409 when another moderator has acted since. From level moderator on. `POST /mod/reports/:report_id/handleall` */
    reportsHandleall(input: { report_id: string; basedOn?: string }, options?: CallOptions): Promise<void>
    /** What was reported, grouped by content: first what waits longest. Without a state, all that is not closed; with `mine`, what the caller has taken. From level moderator on. `GET /mod/reports/queue` */
    reportsQueue(input?: { state?: 'open' | 'taken' | 'closed'; type?: 'forum' | 'forumPost' | 'twarrt' | 'userProfile' | 'fez' | 'fezPost' | 'mkSong' | 'mkSongSnippet' | 'streamPhoto' | 'privateEvent' | 'quartermasterItem'; mine?: boolean; sort?: 'waiting' | 'newest' | 'reports'; start?: number; limit?: number }, options?: CallOptions): Promise<ReportQueueData>
    /** Adds a template. From level moderator on. `POST /mod/templates` */
    setTemplates(input: SeamailTemplateContentData, options?: CallOptions): Promise<SeamailTemplateData>
    /** Letters that moderators write again and again, by title. From level moderator on. `GET /mod/templates` */
    templates(input?: Nothing, options?: CallOptions): Promise<SeamailTemplateData[]>
    /** Replaces the text of a template. From level moderator on. `POST /mod/templates/:template_id` */
    templatesOf(input: { template_id: string } & SeamailTemplateContentData, options?: CallOptions): Promise<SeamailTemplateData>
    /** A post of the microblog with nothing hidden, deleted or not, its reports and what it was before. From level moderator on. `GET /mod/twarrt/:post_id` */
    twarrt(input: { post_id: number }, options?: CallOptions): Promise<TwarrtModerationData>
    /** Hides or locks a post of the microblog, or lets it be. From level moderator on. `POST /mod/twarrt/:post_id/setstate/:mod_state` */
    twarrtSetstate(input: { post_id: number; mod_state: 'normal' | 'quarantined' | 'reviewed' | 'locked'; basedOn?: string }, options?: CallOptions): Promise<void>
    /** The person that an account belongs to, with all accounts and all reports. From level moderator on. `GET /mod/user/:user_id` */
    user(input: { user_id: string }, options?: CallOptions): Promise<UserModerationData>
    /** Bans a person with a reason, until a moment or for good, and signs all their accounts out. From level tho on. `POST /mod/user/:user_id/ban` */
    userBan(input: { user_id: string } & BanUploadData, options?: CallOptions): Promise<void>
    /** The ban of a person, what moderators did with their content, and how many reports they have filed. From level moderator on. `GET /mod/user/:user_id/record` */
    userRecord(input: { user_id: string }, options?: CallOptions): Promise<PersonRecordData>
    /** Gives all accounts of a person another level, ends their tokens and closes their sockets. From level moderator on. `POST /mod/user/:user_id/setaccesslevel/:access_level` */
    userSetaccesslevel(input: { user_id: string; access_level: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin'; basedOn?: 'banned' | 'unverified' | 'quarantined' | 'verified' | 'client' | 'moderator' | 'serviceteam' | 'tho' | 'admin' }, options?: CallOptions): Promise<void>
    /** Bans a person for up to a day, by a moderator on duty: where the setting moderatorsMayStop allows it. From level moderator on. `POST /mod/user/:user_id/stop` */
    userStop(input: { user_id: string } & StopUploadData, options?: CallOptions): Promise<void>
    /** Keeps a person from creating and changing content for some hours; 0 ends it. From level moderator on. `POST /mod/user/:user_id/tempquarantine/:quarantine_length` */
    userTempquarantine(input: { user_id: string; quarantine_length: number; basedOn?: string }, options?: CallOptions): Promise<void>
    /** What a person has written where others see it, with all accounts, newest first: forums and posts, the microblog, groups, photos, items, parts of songs. With `search`, what has these words in it. From level moderator on. `GET /mod/user/:user_id/written` */
    userWritten(input: { user_id: string; before?: string; search?: string; limit?: number }, options?: CallOptions): Promise<WrittenListData>
  }
  notification: {
    /** One announcement, also when it is expired or deleted. From level serviceteam on. `GET /notification/announcement/:announcementID` */
    announcement(input: { announcementID: number }, options?: CallOptions): Promise<AnnouncementData>
    /** Announces something to everybody. From level serviceteam on. `POST /notification/announcement/create` */
    announcementCreate(input: AnnouncementCreateData, options?: CallOptions): Promise<void>
    /** Corrects an announcement without telling anybody. A deleted one is shown again. From level serviceteam on. `POST /notification/announcement/:announcementID/edit` */
    announcementEdit(input: { announcementID: number } & AnnouncementCreateData, options?: CallOptions): Promise<AnnouncementData>
    /** Announcements that are shown now, newest first; the caller has read them then. With inactives, the service team gets expired and deleted ones too. For everybody. `GET /notification/announcements` */
    announcements(input?: { inactives?: boolean }, options?: CallOptions): Promise<AnnouncementData[]>
    /** The themes of all days, in order. For everybody. `GET /notification/dailythemes` */
    dailythemes(input?: Nothing, options?: CallOptions): Promise<DailyThemeData[]>
    /** The state of the server and what waits for the caller. Meant to be polled: the ETag stands for all but the time. For everybody. `GET /notification/global` */
    global(input?: Nothing, options?: CallOptions): Promise<UserNotificationData>
    /** Up to ten hashtags that begin with the text, in order and without #. For everybody. `GET /notification/hashtags/:search_string` */
    hashtags(input: { search_string: string }, options?: CallOptions): Promise<string[]>
    /** Whether the host offers notices while the app is closed, with the key for the push service. `GET /notification/push` */
    push(input?: Nothing, options?: CallOptions): Promise<PushOfferData>
    /** Takes an announcement back. From level serviceteam on. `DELETE /notification/announcement/:announcementID` */
    removeAnnouncement(input: { announcementID: number; basedOn?: string | Date }, options?: CallOptions): Promise<void>
    /** Sends a device no notices any more while the app is closed. `DELETE /notification/push` */
    removePush(input: { endpoint: string }, options?: CallOptions): Promise<void>
    /** Sends notices to a device while the app is closed, until its session ends; again: other ones. `POST /notification/push` */
    setPush(input: PushDeviceData, options?: CallOptions): Promise<void>
    /** Everything that concerns the user, as it happens. `/notification/socket` */
    socket(input?: Nothing, options?: LiveOptions): Live<SocketNotificationData>
    /** The state of the server and what waits for the caller. Meant to be polled: the ETag stands for all but the time. For everybody. `GET /notification/user` */
    user(input?: Nothing, options?: CallOptions): Promise<UserNotificationData>
  }
  oidc: {
    /** Creates an account for whom the provider has sent back, connects it with them, and shows its recovery key, this once. Where the operator trusts the provider (`OIDC_VERIFIES`), it is verified without a registration code. For everybody. `POST /oidc/account` */
    account(input: UserCreateData, options?: CallOptions): Promise<CreatedUserData>
    /** Connects an account, whose name and password it takes, with whom the provider has sent back, and signs the browser in. `POST /oidc/connect` */
    connect(input: { username: string; password: string }, options?: CallOptions): Promise<TokenStringData>
    /** The identities at a provider that the caller can sign in with. `GET /oidc/identities` */
    identities(input?: Nothing, options?: CallOptions): Promise<OidcIdentityListData>
    /** Signs a browser in as whom the provider has sent back, with the code of the second factor where the account has one. For everybody. `POST /oidc/login` */
    login(input?: OidcLoginData, options?: CallOptions): Promise<TokenStringData>
    /** Disconnects an identity from the account of the caller. `DELETE /oidc/identities/:identity_id` */
    removeIdentities(input: { identity_id: string }, options?: CallOptions): Promise<void>
    /** Whom the provider has sent back to this browser a short while ago, and the account that is connected with them; 204 without one. For everybody. `GET /oidc/return` */
    returned(input?: Nothing, options?: CallOptions): Promise<OidcReturnData | undefined>
  }
  performer: {
    /** Makes the caller a performer at a shadow event or workshop, and changes their page. During pre-registration, or with the role performerselfeditor. `POST /performer/forevent/:event_id` */
    forevent(input: { event_id: string } & PerformerUploadData, options?: CallOptions): Promise<void>
    /** A performer with their events. Moderators, and the user whose page it is, see which user that is. For everybody. `GET /performer/:performer_id` */
    get(input: { performer_id: string }, options?: CallOptions): Promise<PerformerData>
    /** Official performers by the last word of their names, at first 50; with `search`, those who have these words. For everybody. `GET /performer/official` */
    official(input?: { start?: number; limit?: number; search?: string }, options?: CallOptions): Promise<PerformerResponseData>
    /** Deletes a performer and takes them off all events; 204 when there is none. From level moderator on. `DELETE /performer/:performer_id` */
    remove(input: { performer_id: string }, options?: CallOptions): Promise<void | undefined>
    /** Takes the caller off an event that they appear at. `DELETE /performer/forevent/:event_id` */
    removeForevent(input: { event_id: string }, options?: CallOptions): Promise<void>
    /** Deletes the page of the caller and takes them off all events. Moderators may do so at any time. `DELETE /performer/self` */
    removeSelf(input?: Nothing, options?: CallOptions): Promise<void>
    /** The page of the caller; one with an empty name when they have none. `GET /performer/self` */
    self(input?: Nothing, options?: CallOptions): Promise<PerformerData>
    /** Users who organise shadow events and workshops, by the last word of their names, at first 100; with `search`, those who have these words. For everybody. `GET /performer/shadow` */
    shadow(input?: { start?: number; limit?: number; search?: string }, options?: CallOptions): Promise<PerformerResponseData>
  }
  personalevents: {
    /** Creates a private event and invites its participants. From level verified on. `POST /personalevents/create` */
    create(input: PersonalEventContentData, options?: CallOptions): Promise<PersonalEventData>
    /** One event of the caller. `GET /personalevents/:fezID` */
    get(input: { fezID: string }, options?: CallOptions): Promise<PersonalEventData>
    /** The private and personal events that the caller owns or was invited to, by start; of `owned` and `joined` one at most. `GET /personalevents` */
    list(input?: { start?: number; limit?: number; cruiseday?: number; search?: string; hidePast?: boolean; owned?: boolean; joined?: boolean }, options?: CallOptions): Promise<PersonalEventData[]>
    /** The owner cancels an event; a personal one is deleted. `DELETE /personalevents/:fezID` */
    remove(input: { fezID: string }, options?: CallOptions): Promise<void>
    /** The caller leaves an event, or the owner or a moderator removes a participant. `DELETE /personalevents/:fezID/user/:userID` */
    removeUser(input: { fezID: string; userID: string }, options?: CallOptions): Promise<void>
    /** Reports an event to the moderators. `POST /personalevents/:fezID/report` */
    report(input: { fezID: string } & ReportData, options?: CallOptions): Promise<void>
    /** Replaces texts and times of an event, and un-cancels it. Participants stay as they are. `POST /personalevents/:fezID` */
    setGet(input: { fezID: string } & PersonalEventContentData, options?: CallOptions): Promise<PersonalEventData>
    /** Replaces texts and times of an event, and un-cancels it. Participants stay as they are. `POST /personalevents/:fezID/update` */
    update(input: { fezID: string } & PersonalEventContentData, options?: CallOptions): Promise<PersonalEventData>
  }
  phone: {
    /** Stops the other devices of the user called from ringing. `POST /phone/answer/:callID` */
    answer(input: { callID: string }, options?: CallOptions): Promise<void>
    /** Answers a call through the server. PhoneSocketStartData comes first, in a binary frame. `/phone/socket/answer/:callID` */
    answerSocket(input: { callID: string }, ): RawSocket
    /** Declines, cancels or ends a call of the caller. `POST /phone/decline/:callID` */
    decline(input: { callID: string }, options?: CallOptions): Promise<void>
    /** Calls a user who will connect to the phone of the caller directly. `POST /phone/initiate/:callID/to/:userID` */
    initiate(input: { callID: string; userID: string } & PhoneSocketServerAddress, options?: CallOptions): Promise<void>
    /** The caller's side of a call through the server. PhoneSocketStartData comes in a binary frame when the user called has answered. `/phone/socket/initiate/:callID/to/:userID` */
    initiateSocket(input: { callID: string; userID: string }, ): RawSocket
  }
  photostream: {
    /** The newest photos, with at most one of the filters; for moderators all, in pages. `GET /photostream` */
    list(input?: { start?: number; limit?: number; eventID?: string; locationName?: string; byUser?: string; userID?: string }, options?: CallOptions): Promise<PhotostreamListData>
    /** What a photo that is taken now can be of: the events of at most two hours that are on, and the places. `GET /photostream/placenames` */
    placenames(input?: Nothing, options?: CallOptions): Promise<PhotostreamLocationData>
    /** Reports a photo to the moderators. `POST /photostream/:stream_photoID/report` */
    report(input: { stream_photoID: number } & ReportData, options?: CallOptions): Promise<void>
    /** Adds a photo to the stream. 429 until five minutes after the last one was taken. From level verified on. `POST /photostream/upload` */
    upload(input: PhotostreamUploadData, options?: CallOptions): Promise<PhotostreamImageData>
  }
  poll: {
    /** Writes a post with a poll. Its text is the question, a line for each choice, and the address of the poll. From level verified on. `POST /poll/create` */
    create(input: PollContentData, options?: CallOptions): Promise<PollData>
    /** Ends a poll of the caller now. 403 for others; 400 when it has ended. `POST /poll/:poll_id/end` */
    end(input: { poll_id: string }, options?: CallOptions): Promise<PollData>
    /** One poll. `GET /poll/:poll_id` */
    get(input: { poll_id: string }, options?: CallOptions): Promise<PollData>
    /** Polls by their ids, in that order, without those that are not there for the caller: a poll is where its post is. `GET /poll` */
    list(input: { id: readonly string[] }, options?: CallOptions): Promise<PollData[]>
    /** Votes, in place of how any account of the person has voted before. From level verified on. `POST /poll/:poll_id/vote` */
    vote(input: { poll_id: string } & PollVoteData, options?: CallOptions): Promise<PollData>
  }
  quartermaster: {
    /** Posts up to ten items, all or none; they are answered in their order. From level verified on. `POST /quartermaster/create` */
    create(input: QuartermasterCreateData, options?: CallOptions): Promise<QuartermasterData[]>
    /** One item. `GET /quartermaster/:item_id` */
    get(input: { item_id: string }, options?: CallOptions): Promise<QuartermasterData>
    /** What people have and what they need, last changed first; all of it, one half, what has some words, or the own. `GET /quartermaster` */
    list(input?: { start?: number; limit?: number; category?: 'have' | 'need'; search?: string; mine?: boolean }, options?: CallOptions): Promise<QuartermasterListData>
    /** Takes an item of the caller off the board; moderators may take off any. `DELETE /quartermaster/:item_id` */
    remove(input: { item_id: string }, options?: CallOptions): Promise<void>
    /** Reports an item to the moderators. `POST /quartermaster/:item_id/report` */
    report(input: { item_id: string } & ReportData, options?: CallOptions): Promise<void>
    /** Puts something else in the place of an item of the caller; moderators may change any. `POST /quartermaster/:item_id/update` */
    update(input: { item_id: string } & QuartermasterContentData, options?: CallOptions): Promise<QuartermasterData>
  }
  user: {
    /** Adds a sub-account of the same person. From level verified on. `POST /user/add` */
    add(input: UserCreateData, options?: CallOptions): Promise<AddedUserData>
    /** The alertwords of the caller. `GET /user/alertwords` */
    alertwords(input?: Nothing, options?: CallOptions): Promise<KeywordData>
    /** Adds one word of at least four letters. `POST /user/alertwords/add/:alert_word` */
    alertwordsAdd(input: { alert_word: string }, options?: CallOptions): Promise<KeywordData>
    /** Removes one word. `POST /user/alertwords/remove/:alert_word` */
    alertwordsRemove(input: { alert_word: string }, options?: CallOptions): Promise<KeywordData>
    /** What is in one of the own barrels. `GET /user/barrels/:barrel_id` */
    barrel(input: { barrel_id: string }, options?: CallOptions): Promise<BarrelData>
    /** The own barrels: built-in ones, word lists, user lists. `GET /user/barrels` */
    barrels(input?: Nothing, options?: CallOptions): Promise<BarrelListData[]>
    /** Adds a word to a word list, or a user by id to a user list. `POST /user/barrels/:barrel_id/add/:string` */
    barrelsAdd(input: { barrel_id: string; string: string }, options?: CallOptions): Promise<BarrelData>
    /** Removes a word from a word list, or a user by id from a user list. `POST /user/barrels/:barrel_id/remove/:string` */
    barrelsRemove(input: { barrel_id: string; string: string }, options?: CallOptions): Promise<BarrelData>
    /** Gives a barrel another name. `POST /user/barrels/:barrel_id/rename/:barrel_name` */
    barrelsRename(input: { barrel_id: string; barrel_name: string }, options?: CallOptions): Promise<BarrelData>
    /** The own lists of users. `GET /user/barrels/seamonkey` */
    barrelsSeamonkey(input?: Nothing, options?: CallOptions): Promise<BarrelListData[]>
    /** Whether the caller has an address under which calendar programs read what they have planned. `GET /user/calendar` */
    calendar(input?: Nothing, options?: CallOptions): Promise<CalendarSubscriptionData>
    /** Creates an account and shows its recovery key, this once. For everybody. `POST /user/create` */
    create(input: UserCreateData, options?: CallOptions): Promise<CreatedUserData>
    /** Makes a list of words, or of users. `POST /user/barrel` */
    createBarrel(input: BarrelCreateData, options?: CallOptions): Promise<BarrelData>
    /** Deletes all accounts of the caller, where the settings let people do so. Posts stay under the name of a deleted account; the registration code stays used. `POST /user/delete` */
    delete(input: AccountDeletionData, options?: CallOptions): Promise<void>
    /** Whether the caller may delete their account, and what would go with it. `GET /user/deletion` */
    deletion(input?: Nothing, options?: CallOptions): Promise<AccountDeletionStateData>
    /** How far the file is with everything that the server knows about the caller. `GET /user/export` */
    export(input?: Nothing, options?: CallOptions): Promise<OwnDataState>
    /** That file, a zip of JSON and pictures; it stays for a day. `GET /user/export/file` */
    exportFile: FileCall<void>
    /** Forums that the caller has started, by title. `GET /user/forums` */
    forums(input?: { start?: number; limit?: number; sort?: string; order?: string; cat?: string }, options?: CallOptions): Promise<ForumListData[]>
    /** Gives the caller a picture: the square in the middle of an image. `POST /user/image` */
    image(input?: ImageUploadData, options?: CallOptions): Promise<UserHeader>
    /** The words in content that the caller does not want to see. `GET /user/mutewords` */
    mutewords(input?: Nothing, options?: CallOptions): Promise<KeywordData>
    /** Adds one word of at least four letters. `POST /user/mutewords/add/:mute_word` */
    mutewordsAdd(input: { mute_word: string }, options?: CallOptions): Promise<KeywordData>
    /** Removes one word. `POST /user/mutewords/remove/:mute_word` */
    mutewordsRemove(input: { mute_word: string }, options?: CallOptions): Promise<KeywordData>
    /** Replaces the text of one of the own notes. `POST /user/note` */
    note(input: NoteUpdateData, options?: CallOptions): Promise<NoteData>
    /** The own notes about users, oldest first. `GET /user/notes` */
    notes(input?: Nothing, options?: CallOptions): Promise<NoteData[]>
    /** Changes the password and signs out all other browsers. The token stays valid, unless `signOutApps` or the setting `newPasswordSignsOutApps` ends it. A logout afterwards ends a stolen token on all devices and all nodes, with its sockets. `POST /user/password` */
    password(input: UserPasswordData, options?: CallOptions): Promise<void>
    /** The own profile. `GET /user/profile` */
    profile(input?: Nothing, options?: CallOptions): Promise<ProfileEditData>
    /** Replaces the profile of a user. For moderators. `POST /user/:user_id/profile` */
    profileOf(input: { user_id: string } & UserProfileUploadData, options?: CallOptions): Promise<ProfileEditData>
    /** Makes a new recovery key for all accounts of the person, in place of the one they had. From the person's first account alone. `POST /user/recoverykey` */
    recoverykey(input: RecoveryKeyQueryData, options?: CallOptions): Promise<RecoveryKeyData>
    /** Removes a barrel. `DELETE /user/barrels/:barrel_id` */
    removeBarrel(input: { barrel_id: string }, options?: CallOptions): Promise<void>
    /** Ends that address. `DELETE /user/calendar` */
    removeCalendar(input?: Nothing, options?: CallOptions): Promise<void>
    /** Takes away the own picture. `DELETE /user/image` */
    removeImage(input?: Nothing, options?: CallOptions): Promise<void>
    /** Takes away the picture of a user. For moderators. `DELETE /user/:user_id/image` */
    removeImageOf(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Makes such an address. Whoever has it can read the plan, without a password; the one before ends. `POST /user/calendar` */
    setCalendar(input?: Nothing, options?: CallOptions): Promise<NewCalendarSubscriptionData>
    /** Makes a file with everything that the server knows about the caller and their other accounts; a worker does it. `POST /user/export` */
    setExport(input?: Nothing, options?: CallOptions): Promise<OwnDataState>
    /** Replaces the own profile. `POST /user/profile` */
    setProfile(input?: UserProfileUploadData, options?: CallOptions): Promise<ProfileEditData>
    /** Changes the username of a user. For moderators. `POST /user/:user_id/username` */
    setUsername(input: { user_id: string } & UserUsernameData, options?: CallOptions): Promise<void>
    /** Changes the own username. `POST /user/username` */
    username(input: UserUsernameData, options?: CallOptions): Promise<void>
    /** Makes the caller verified with a registration code. `POST /user/verify` */
    verify(input: UserVerifyData, options?: CallOptions): Promise<void>
    /** Who the caller is. `GET /user/whoami` */
    whoami(input?: Nothing, options?: CallOptions): Promise<CurrentUserData>
  }
  users: {
    /** Hides all accounts of two people from each other; 200 when the user is blocked already. The user by their id or name. `POST /users/:user_id/block` */
    block(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Users that the caller has blocked, from any account. `GET /users/blocks` */
    blocks(input?: Nothing, options?: CallOptions): Promise<UserHeader[]>
    /** Makes a user a favorite of this account. `POST /users/:user_id/favorite` */
    favorite(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Users that this account has favorited. `GET /users/favorites` */
    favorites(input?: Nothing, options?: CallOptions): Promise<UserHeader[]>
    /** The user with this name or id. `GET /users/find/:user_search_string` */
    find(input: { user_search_string: string }, options?: CallOptions): Promise<UserHeader>
    /** How a user appears in other answers. `GET /users/:user_id` */
    get(input: { user_id: string }, options?: CallOptions): Promise<UserHeader>
    /** How a user appears in other answers. `GET /users/:user_id/header` */
    header(input: { user_id: string }, options?: CallOptions): Promise<UserHeader>
    /** The first users with a text in their username, display name or real name; with `favorers`, only those who have favorited the caller; with `people=true`, no accounts of the team and of programs; with `sort=favorites`, the favorites of the caller first. `GET /users/match/allnames/:search_string` */
    matchAllnames(input: { search_string: string; favorers?: boolean; people?: boolean; sort?: 'favorites' }, options?: CallOptions): Promise<UserMatchData[]>
    /** Usernames with a text in them, in order, 10,000 at most. `GET /users/match/username/:search_string` */
    matchUsername(input: { search_string: string }, options?: CallOptions): Promise<string[]>
    /** Hides the public content of a user from this account. `POST /users/:user_id/mute` */
    mute(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Users that this account has muted. `GET /users/mutes` */
    mutes(input?: Nothing, options?: CallOptions): Promise<UserHeader[]>
    /** The own note about a user. `GET /users/:user_id/note` */
    note(input: { user_id: string }, options?: CallOptions): Promise<NoteData>
    /** The profile of a user. `GET /users/:user_id/profile` */
    profile(input: { user_id: string }, options?: CallOptions): Promise<ProfilePublicData>
    /** Takes a user off the favorites of this account. `DELETE /users/:user_id/favorite` */
    removeFavorite(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Removes the own note about a user. `DELETE /users/:user_id/note` */
    removeNote(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Reports a user to the moderators. `POST /users/:user_id/report` */
    report(input: { user_id: string } & ReportData, options?: CallOptions): Promise<void>
    /** Writes the own note about a user, in place of an earlier one. `POST /users/:user_id/note` */
    setNote(input: { user_id: string } & NoteCreateData, options?: CallOptions): Promise<NoteData>
    /** Takes a user off the block list. `POST /users/:user_id/unblock` */
    unblock(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Shows the public content of a user again. `POST /users/:user_id/unmute` */
    unmute(input: { user_id: string }, options?: CallOptions): Promise<void>
    /** Users with a role. `GET /users/userrole/:user_role` */
    userrole(input: { user_role: 'shutternaut' }, options?: CallOptions): Promise<UserHeader[]>
    /** Gives a user a role. `POST /users/userrole/:user_role/addrole/:user_id` */
    userroleAddrole(input: { user_role: 'shutternaut'; user_id: string }, options?: CallOptions): Promise<void>
    /** Takes a role from a user. `POST /users/userrole/:user_role/removerole/:user_id` */
    userroleRemoverole(input: { user_role: 'shutternaut'; user_id: string }, options?: CallOptions): Promise<void>
    /** The profile of a user as a vCard 3.0, for the contacts of a phone. `GET /users/:user_id/vcard` */
    vcard: FileCall<{ user_id: string }>
  }
}

/** How each is called: method, path, names in the query of a POST, flags of `Flag` in transport.ts. */
export const endpoints = {
  admin: {
    adminPromote: 'POST /admin/admin/promote/:user_id?basedOn',
    announcementsPlanned: 'GET /admin/announcements/planned',
    audit: 'GET /admin/audit',
    auditCsv: 'GET /admin/audit/csv f',
    backups: 'GET /admin/backups',
    backupsOf: 'GET /admin/backups/:backup_name f',
    backupsSchedule: 'POST /admin/backups/schedule b',
    backupsTicket: 'POST /admin/backups/:backup_name/ticket b',
    backupsVerify: 'POST /admin/backups/:backup_name/verify',
    boardgamesFile: 'GET /admin/boardgames/file',
    boardgamesUpload: 'POST /admin/boardgames/upload b',
    boardgamesVerify: 'POST /admin/boardgames/verify b',
    bulkuserfileDownload: 'GET /admin/bulkuserfile/download f',
    bulkuserfileImages: 'GET /admin/bulkuserfile/images',
    bulkuserfileTicket: 'POST /admin/bulkuserfile/ticket b',
    bulkuserfileUpdateApply: 'POST /admin/bulkuserfile/update/apply',
    bulkuserfileUpload: 'POST /admin/bulkuserfile/upload o',
    bulkuserfileVerify: 'GET /admin/bulkuserfile/verify',
    checks: 'GET /admin/checks',
    dailythemeCreate: 'POST /admin/dailytheme/create bk',
    dailythemeEdit: 'POST /admin/dailytheme/:themeID/edit b',
    dailythemeTable: 'POST /admin/dailytheme/table b',
    errors: 'GET /admin/errors',
    event: 'GET /admin/event',
    eventTrip: 'POST /admin/event/trip b',
    everybody: 'GET /admin/everybody f',
    everybodyTicket: 'POST /admin/everybody/ticket b',
    feedbackReport: 'GET /admin/feedback/report/:feedback_id',
    feedbackReportMark: 'POST /admin/feedback/report/:feedback_id/mark',
    feedbackReports: 'GET /admin/feedback/reports',
    feedbackRoomlist: 'GET /admin/feedback/roomlist',
    feedbackStats: 'GET /admin/feedback/stats',
    figures: 'GET /admin/figures',
    incidents: 'GET /admin/incidents',
    incidentsWebhook: 'GET /admin/incidents/webhook',
    incidentsWebhookQuiet: 'POST /admin/incidents/webhook/quiet b',
    incidentsWebhookTest: 'POST /admin/incidents/webhook/test',
    jobs: 'GET /admin/jobs',
    jobsHistory: 'GET /admin/jobs/history',
    jobsKinds: 'GET /admin/jobs/kinds',
    jobsKindsPause: 'POST /admin/jobs/kinds/:job_kind/pause',
    jobsKindsResume: 'POST /admin/jobs/kinds/:job_kind/resume',
    jobsKindsRetry: 'POST /admin/jobs/kinds/:job_kind/retry',
    jobsRetry: 'POST /admin/jobs/:job_id/retry',
    karaokeFile: 'GET /admin/karaoke/file',
    karaokeUpload: 'POST /admin/karaoke/upload b',
    karaokeVerify: 'POST /admin/karaoke/verify b',
    memoryReload: 'POST /admin/memory/reload',
    moderatorPromote: 'POST /admin/moderator/promote/:user_id?basedOn',
    moderators: 'GET /admin/moderators',
    notificationsReload: 'POST /admin/notifications/reload',
    performerBulkApply: 'POST /admin/performer/bulk/apply?processDeletes&processUpdates&linkEvents',
    performerBulkUpload: 'POST /admin/performer/bulk/upload B',
    performerBulkVerify: 'GET /admin/performer/bulk/verify',
    performerLinkApply: 'POST /admin/performer/link/apply',
    performerLinkUpload: 'POST /admin/performer/link/upload B',
    performerLinkVerify: 'GET /admin/performer/link/verify',
    performerUpsert: 'POST /admin/performer/upsert b',
    reach: 'GET /admin/reach',
    regcodesDelete: 'POST /admin/regcodes/delete b',
    regcodesDiscordAllocate: 'GET /admin/regcodes/discord/allocate/:username',
    regcodesFind: 'GET /admin/regcodes/find/:search_string',
    regcodesFindbyuser: 'GET /admin/regcodes/findbyuser/:user_id',
    regcodesList: 'GET /admin/regcodes/list',
    regcodesMake: 'POST /admin/regcodes/make bk',
    regcodesStats: 'GET /admin/regcodes/stats',
    regcodesUnlock: 'POST /admin/regcodes/unlock/:userID',
    regcodesUnused: 'GET /admin/regcodes/unused',
    regcodesUpload: 'POST /admin/regcodes/upload b',
    regcodesVerify: 'POST /admin/regcodes/verify b',
    removeAnnouncementsPlanned: 'DELETE /admin/announcements/planned/:planned_id',
    removeDailytheme: 'DELETE /admin/dailytheme/:themeID',
    removeFeedbackReportMark: 'DELETE /admin/feedback/report/:feedback_id/mark',
    removeIdentities: 'DELETE /admin/identities/:identity_id',
    removeIncidentsWebhook: 'DELETE /admin/incidents/webhook',
    removeJobs: 'DELETE /admin/jobs/:job_id',
    removeJobsKindsFailed: 'DELETE /admin/jobs/kinds/:job_kind/failed',
    removePasskeys: 'DELETE /admin/passkeys/:passkey_id',
    removePerformer: 'DELETE /admin/performer/:performer_id',
    removeTexts: 'DELETE /admin/texts/:text_name',
    removeWebhooks: 'DELETE /admin/webhooks/:endpoint_id',
    report: 'GET /admin/report',
    retention: 'GET /admin/retention',
    rollup: 'GET /admin/rollup',
    scheduleChanges: 'GET /admin/schedule/changes',
    scheduleReload: 'POST /admin/schedule/reload',
    scheduleUpdate: 'POST /admin/schedule/update b',
    scheduleUpdateApply: 'POST /admin/schedule/update/apply?processDeletes&forumPosts&otherDays&basedOn',
    scheduleVerify: 'GET /admin/schedule/verify',
    scheduleViewlog: 'GET /admin/schedule/viewlog',
    scheduleViewlogOf: 'GET /admin/schedule/viewlog/:schedule_log_id',
    scheduleViewlogUndo: 'POST /admin/schedule/viewlog/:schedule_log_id/undo?forumPosts',
    serversettings: 'GET /admin/serversettings',
    serversettingsUpdate: 'POST /admin/serversettings/update b',
    serviceteam: 'GET /admin/serviceteam',
    serviceteamPromote: 'POST /admin/serviceteam/promote/:user_id?basedOn',
    setAnnouncementsPlanned: 'POST /admin/announcements/planned bk',
    setBackups: 'POST /admin/backups',
    setEverybody: 'POST /admin/everybody',
    setIncidentsWebhook: 'POST /admin/incidents/webhook b',
    setRegcodesDiscordAllocate: 'POST /admin/regcodes/discord/allocate/:username',
    setRetention: 'POST /admin/retention b',
    setScheduleVerify: 'POST /admin/schedule/verify b',
    setTexts: 'POST /admin/texts/:text_name b',
    setWebhooks: 'POST /admin/webhooks/:endpoint_id b',
    setWipe: 'POST /admin/wipe b',
    settings: 'GET /admin/settings',
    settingsReset: 'POST /admin/settings/:setting_name/reset?basedOn',
    texts: 'GET /admin/texts',
    tho: 'GET /admin/tho',
    thoPromote: 'POST /admin/tho/promote/:user_id?basedOn',
    timezonechanges: 'GET /admin/timezonechanges',
    timezonechangesReloadtzdata: 'POST /admin/timezonechanges/reloadtzdata',
    userDemote: 'POST /admin/user/demote/:user_id?basedOn',
    userroles: 'GET /admin/userroles/:user_role',
    userrolesAddrole: 'POST /admin/userroles/:user_role/addrole/:user_id',
    userrolesRemoverole: 'POST /admin/userroles/:user_role/removerole/:user_id',
    users: 'GET /admin/users',
    usersBulk: 'POST /admin/users/bulk b',
    usersCsv: 'GET /admin/users/csv f',
    usersIdentities: 'GET /admin/users/:user_id/identities',
    usersOf: 'GET /admin/users/:user_id',
    usersPasskeys: 'GET /admin/users/:user_id/passkeys',
    usersSecondfactorRemove: 'POST /admin/users/:user_id/secondfactor/remove',
    usersSignout: 'POST /admin/users/:user_id/signout',
    webhooks: 'GET /admin/webhooks',
    webhooksCreate: 'POST /admin/webhooks/create b',
    webhooksDeliveries: 'GET /admin/webhooks/:endpoint_id/deliveries',
    webhooksDeliveriesAgain: 'POST /admin/webhooks/:endpoint_id/deliveries/:delivery_id/again',
    webhooksTest: 'POST /admin/webhooks/:endpoint_id/test',
    wipe: 'GET /admin/wipe',
  },
  auth: {
    addPasskey: 'POST /auth/passkeys b',
    login: 'POST /auth/login pt',
    logout: 'POST /auth/logout',
    logoutEverywhere: 'POST /auth/logout/everywhere',
    passkeys: 'GET /auth/passkeys',
    passkeysBegin: 'POST /auth/passkeys/begin b',
    passkeysChallenge: 'POST /auth/passkeys/challenge',
    passkeysLogin: 'POST /auth/passkeys/login bt',
    recovery: 'POST /auth/recovery bkt',
    removePasskeys: 'DELETE /auth/passkeys/:passkey_id',
    removeSessions: 'DELETE /auth/sessions/:session_id',
    removeTokens: 'DELETE /auth/tokens/:token_id',
    secondfactor: 'GET /auth/secondfactor',
    secondfactorCodes: 'POST /auth/secondfactor/codes bk',
    secondfactorConfirm: 'POST /auth/secondfactor/confirm bk',
    secondfactorRemove: 'POST /auth/secondfactor/remove b',
    sessions: 'GET /auth/sessions',
    sessionsEnded: 'GET /auth/sessions/ended',
    setSecondfactor: 'POST /auth/secondfactor b',
    setTokens: 'POST /auth/tokens b',
    tokens: 'GET /auth/tokens',
    username: 'POST /auth/username b',
  },
  boardgames: {
    expansions: 'GET /boardgames/expansions/:boardgame_id',
    favorite: 'POST /boardgames/:boardgame_id/favorite',
    get: 'GET /boardgames/:boardgame_id',
    list: 'GET /boardgames',
    recommend: 'POST /boardgames/recommend?start&limit b',
    reload: 'POST /boardgames/reload',
    removeFavorite: 'DELETE /boardgames/:boardgame_id/favorite',
  },
  client: {
    alert: 'POST /client/alert bp',
    clock: 'POST /client/clock b',
    health: 'GET /client/health',
    metrics: 'GET /client/metrics pf',
    settings: 'GET /client/settings',
    start: 'GET /client/start',
    userHeadersSince: 'GET /client/user/headers/since/:date',
    userUpdatesSince: 'GET /client/user/updates/since/:date',
    usersearch: 'GET /client/usersearch',
  },
  events: {
    calendareventIcs: 'GET /events/:event_id/calendarevent.ics f',
    favorite: 'POST /events/:event_id/favorite',
    favorites: 'GET /events/favorites',
    forum: 'GET /events/:event_id/forum',
    get: 'GET /events/:event_id',
    list: 'GET /events',
    needsphotographer: 'POST /events/:event_id/needsphotographer',
    photographer: 'POST /events/:event_id/photographer',
    photographerreport: 'GET /events/photographerreport',
    photographerreportDownload: 'GET /events/photographerreport/download f',
    removeFavorite: 'DELETE /events/:event_id/favorite',
    removeNeedsphotographer: 'DELETE /events/:event_id/needsphotographer',
    removePhotographer: 'DELETE /events/:event_id/photographer',
    update: 'POST /events/update b',
  },
  feedback: {
    eventlist: 'GET /feedback/eventlist',
    give: 'POST /feedback b',
    id: 'GET /feedback/id/:event_id',
    uid: 'GET /feedback/uid/:event_uid',
  },
  fez: {
    cancel: 'POST /fez/:fezID/cancel',
    create: 'POST /fez/create bk',
    favorite: 'POST /fez/:fezID/favorite',
    former: 'GET /fez/former',
    get: 'GET /fez/:fezID',
    join: 'POST /fez/:fezID/join',
    joined: 'GET /fez/joined',
    markRead: 'POST /fez/:fezID/markRead?upTo',
    mute: 'POST /fez/:fezID/mute',
    open: 'GET /fez/open',
    owner: 'GET /fez/owner',
    post: 'POST /fez/:fezID/post bk',
    postDelete: 'POST /fez/:fezID/post/:postID/delete',
    postReport: 'POST /fez/post/:postID/report b',
    remove: 'DELETE /fez/:fezID',
    removeFavorite: 'DELETE /fez/:fezID/favorite',
    removeMute: 'DELETE /fez/:fezID/mute',
    removePost: 'DELETE /fez/post/:postID',
    report: 'POST /fez/:fezID/report b',
    reportposts: 'POST /fez/:fezID/reportposts b',
    socket: 'WS /fez/:fezID/socket',
    types: 'GET /fez/types',
    unjoin: 'POST /fez/:fezID/unjoin',
    update: 'POST /fez/:fezID/update b',
    userAdd: 'POST /fez/:fezID/user/:userID/add',
    userRemove: 'POST /fez/:fezID/user/:userID/remove',
  },
  forum: {
    bookmarks: 'GET /forum/bookmarks',
    categories: 'GET /forum/categories',
    category: 'GET /forum/categories/:category_id',
    create: 'POST /forum/categories/:category_id/create bk',
    favorite: 'POST /forum/:forum_id/favorite',
    favorites: 'GET /forum/favorites',
    forevent: 'GET /forum/forevent/:event_id',
    get: 'GET /forum/:forum_id',
    getPost: 'GET /forum/post/:post_id',
    likes: 'GET /forum/likes',
    markRead: 'POST /forum/:forum_id/markRead',
    mentions: 'GET /forum/mentions',
    mute: 'POST /forum/:forum_id/mute',
    mutes: 'GET /forum/mutes',
    owner: 'GET /forum/owner',
    pin: 'POST /forum/:forum_id/pin',
    pinnedposts: 'GET /forum/:forum_id/pinnedposts',
    post: 'POST /forum/:forum_id/create bk',
    postBookmark: 'POST /forum/post/:post_id/bookmark',
    postForum: 'GET /forum/post/:post_id/forum',
    postHashtag: 'GET /forum/post/hashtag/:hashtag',
    postImage: 'POST /forum/post/:post_id/image b',
    postImageRemove: 'POST /forum/post/:post_id/image/remove',
    postLaugh: 'POST /forum/post/:post_id/laugh',
    postLike: 'POST /forum/post/:post_id/like',
    postLove: 'POST /forum/post/:post_id/love',
    postPin: 'POST /forum/post/:post_id/pin',
    postReport: 'POST /forum/post/:post_id/report b',
    postSearch: 'GET /forum/post/search',
    postSearchOf: 'GET /forum/post/search/:search_string',
    postUnreact: 'POST /forum/post/:post_id/unreact',
    posts: 'GET /forum/posts',
    recent: 'GET /forum/recent',
    remove: 'DELETE /forum/:forum_id',
    removeFavorite: 'DELETE /forum/:forum_id/favorite',
    removeMute: 'DELETE /forum/:forum_id/mute',
    removePin: 'DELETE /forum/:forum_id/pin',
    removePost: 'DELETE /forum/post/:post_id',
    removePostBookmark: 'DELETE /forum/post/:post_id/bookmark',
    removePostLaugh: 'DELETE /forum/post/:post_id/laugh',
    removePostLike: 'DELETE /forum/post/:post_id/like',
    removePostLove: 'DELETE /forum/post/:post_id/love',
    removePostPin: 'DELETE /forum/post/:post_id/pin',
    rename: 'POST /forum/:forum_id/rename/:new_name',
    report: 'POST /forum/:forum_id/report b',
    search: 'GET /forum/search',
    searchIn: 'GET /forum/:forum_id/search/:search_string',
    unread: 'GET /forum/unread',
    updatePost: 'POST /forum/post/:post_id/update b',
  },
  hunts: {
    admin: 'GET /hunts/:hunt_id/admin',
    create: 'POST /hunts/create bk',
    get: 'GET /hunts/:hunt_id',
    list: 'GET /hunts',
    puzzles: 'GET /hunts/puzzles/:puzzle_id',
    puzzlesCallin: 'POST /hunts/puzzles/:puzzle_id/callin B',
    remove: 'DELETE /hunts/:hunt_id',
    setGet: 'PATCH /hunts/:hunt_id b',
    setPuzzles: 'PATCH /hunts/puzzles/:puzzle_id b',
  },
  image: {
    archive: 'GET /image/archive/:image_filename f',
    descriptions: 'GET /image/descriptions',
    full: 'GET /image/full/:image_filename f',
    qrcode: 'GET /image/qrcode f',
    thumb: 'GET /image/thumb/:image_filename f',
    userFull: 'GET /image/user/full/:user_id f',
    userIdenticon: 'GET /image/user/identicon/:user_id f',
    userThumb: 'GET /image/user/thumb/:user_id f',
  },
  karaoke: {
    favorite: 'POST /karaoke/:song_id/favorite',
    get: 'GET /karaoke/:song_id',
    latest: 'GET /karaoke/latest',
    list: 'GET /karaoke',
    logperformance: 'POST /karaoke/:song_id/logperformance bk',
    performance: 'GET /karaoke/performance',
    reload: 'POST /karaoke/reload',
    removeFavorite: 'DELETE /karaoke/:song_id/favorite',
    userIsManager: 'GET /karaoke/userIsManager',
  },
  microblog: {
    barrel: 'GET /microblog/barrel/:barrel_id',
    bookmark: 'POST /microblog/:post_id/bookmark',
    bookmarks: 'GET /microblog/bookmarks',
    create: 'POST /microblog/create bk',
    get: 'GET /microblog/:post_id',
    hashtag: 'GET /microblog/hashtag/:hashtag',
    image: 'POST /microblog/:post_id/image b',
    imageRemove: 'POST /microblog/:post_id/image/remove',
    laugh: 'POST /microblog/:post_id/laugh',
    like: 'POST /microblog/:post_id/like',
    likes: 'GET /microblog/likes',
    list: 'GET /microblog',
    love: 'POST /microblog/:post_id/love',
    mentions: 'GET /microblog/mentions',
    remove: 'DELETE /microblog/:post_id',
    removeBookmark: 'DELETE /microblog/:post_id/bookmark',
    removeLaugh: 'DELETE /microblog/:post_id/laugh',
    removeLike: 'DELETE /microblog/:post_id/like',
    removeLove: 'DELETE /microblog/:post_id/love',
    reply: 'POST /microblog/:post_id/reply bk',
    report: 'POST /microblog/:post_id/report b',
    search: 'GET /microblog/search/:search_string',
    slowmode: 'GET /microblog/slowmode',
    unreact: 'POST /microblog/:post_id/unreact',
    update: 'POST /microblog/:post_id/update b',
    user: 'GET /microblog/user',
    userOf: 'GET /microblog/user/:user_id',
  },
  microkaraoke: {
    offer: 'POST /microkaraoke/offer',
    recording: 'POST /microkaraoke/recording bk',
    snippetReport: 'POST /microkaraoke/snippet/:micro_karaoke_snippet_id/report b',
    song: 'GET /microkaraoke/song/:micro_karaoke_song_id',
    songReport: 'POST /microkaraoke/song/:micro_karaoke_song_id/report b',
    songlist: 'GET /microkaraoke/songlist',
    video: 'GET /microkaraoke/video/:filename f',
  },
  mod: {
    categories: 'GET /mod/categories',
    categoriesOrder: 'POST /mod/categories/order b',
    categoryCreate: 'POST /mod/category/create bk',
    categoryUpdate: 'POST /mod/category/:category_id/update b',
    contentDelete: 'POST /mod/content/delete b',
    contentSetstate: 'POST /mod/content/setstate/:mod_state b',
    fez: 'GET /mod/fez/:fez_id',
    fezSetstate: 'POST /mod/fez/:fez_id/setstate/:mod_state?basedOn',
    fezSlowmode: 'POST /mod/fez/:fez_id/slowmode?basedOn b',
    fezpost: 'GET /mod/fezpost/:post_id',
    fezpostSetstate: 'POST /mod/fezpost/:post_id/setstate/:mod_state?basedOn',
    forum: 'GET /mod/forum/:forum_id',
    forumSetcategory: 'POST /mod/forum/:forum_id/setcategory/:category_id',
    forumSetstate: 'POST /mod/forum/:forum_id/setstate/:mod_state?basedOn',
    forumSlowmode: 'POST /mod/forum/:forum_id/slowmode?basedOn b',
    forumpost: 'GET /mod/forumpost/:post_id',
    forumpostSetstate: 'POST /mod/forumpost/:post_id/setstate/:mod_state?basedOn',
    microblog: 'GET /mod/microblog/:post_id',
    microblogSetstate: 'POST /mod/microblog/:post_id/setstate/:mod_state?basedOn',
    microblogSlowmode: 'POST /mod/microblog/slowmode?basedOn b',
    microkaraokeApprove: 'POST /mod/microkaraoke/approve/:micro_karaoke_song_id',
    microkaraokeSnippets: 'GET /mod/microkaraoke/snippets/:micro_karaoke_song_id',
    microkaraokeSong: 'GET /mod/microkaraoke/song/:micro_karaoke_song_id',
    microkaraokeSonglist: 'GET /mod/microkaraoke/songlist',
    moderationlog: 'GET /mod/moderationlog',
    personalevent: 'GET /mod/personalevent/:personal_event_id',
    photostream: 'GET /mod/photostream/:stream_photoID',
    photostreamSetstate: 'POST /mod/photostream/:stream_photoID/setstate/:mod_state?basedOn',
    privateevent: 'GET /mod/privateevent/:personal_event_id',
    profile: 'GET /mod/profile/:user_id',
    profileSetstate: 'POST /mod/profile/:user_id/setstate/:mod_state?basedOn',
    quartermaster: 'GET /mod/quartermaster/:item_id',
    quartermasterSetstate: 'POST /mod/quartermaster/:item_id/setstate/:mod_state?basedOn',
    removeCategory: 'DELETE /mod/category/:category_id',
    removeMicrokaraokeSnippet: 'DELETE /mod/microkaraoke/snippet/:micro_karaoke_snippet_id',
    removePhotostream: 'DELETE /mod/photostream/:stream_photoID',
    removeTemplates: 'DELETE /mod/templates/:template_id',
    removeUserBan: 'DELETE /mod/user/:user_id/ban',
    reports: 'GET /mod/reports',
    reportsCloseall: 'POST /mod/reports/:report_id/closeall?basedOn',
    reportsHandleall: 'POST /mod/reports/:report_id/handleall?basedOn',
    reportsQueue: 'GET /mod/reports/queue',
    setTemplates: 'POST /mod/templates bk',
    templates: 'GET /mod/templates',
    templatesOf: 'POST /mod/templates/:template_id b',
    twarrt: 'GET /mod/twarrt/:post_id',
    twarrtSetstate: 'POST /mod/twarrt/:post_id/setstate/:mod_state?basedOn',
    user: 'GET /mod/user/:user_id',
    userBan: 'POST /mod/user/:user_id/ban b',
    userRecord: 'GET /mod/user/:user_id/record',
    userSetaccesslevel: 'POST /mod/user/:user_id/setaccesslevel/:access_level?basedOn',
    userStop: 'POST /mod/user/:user_id/stop b',
    userTempquarantine: 'POST /mod/user/:user_id/tempquarantine/:quarantine_length?basedOn',
    userWritten: 'GET /mod/user/:user_id/written',
  },
  notification: {
    announcement: 'GET /notification/announcement/:announcementID',
    announcementCreate: 'POST /notification/announcement/create bk',
    announcementEdit: 'POST /notification/announcement/:announcementID/edit b',
    announcements: 'GET /notification/announcements',
    dailythemes: 'GET /notification/dailythemes',
    global: 'GET /notification/global',
    hashtags: 'GET /notification/hashtags/:search_string',
    push: 'GET /notification/push',
    removeAnnouncement: 'DELETE /notification/announcement/:announcementID',
    removePush: 'DELETE /notification/push',
    setPush: 'POST /notification/push b',
    socket: 'WS /notification/socket',
    user: 'GET /notification/user',
  },
  oidc: {
    account: 'POST /oidc/account bk',
    connect: 'POST /oidc/connect pt',
    identities: 'GET /oidc/identities',
    login: 'POST /oidc/login bt',
    removeIdentities: 'DELETE /oidc/identities/:identity_id',
    returned: 'GET /oidc/return',
  },
  performer: {
    forevent: 'POST /performer/forevent/:event_id b',
    get: 'GET /performer/:performer_id',
    official: 'GET /performer/official',
    remove: 'DELETE /performer/:performer_id',
    removeForevent: 'DELETE /performer/forevent/:event_id',
    removeSelf: 'DELETE /performer/self',
    self: 'GET /performer/self',
    shadow: 'GET /performer/shadow',
  },
  personalevents: {
    create: 'POST /personalevents/create bk',
    get: 'GET /personalevents/:fezID',
    list: 'GET /personalevents',
    remove: 'DELETE /personalevents/:fezID',
    removeUser: 'DELETE /personalevents/:fezID/user/:userID',
    report: 'POST /personalevents/:fezID/report b',
    setGet: 'POST /personalevents/:fezID b',
    update: 'POST /personalevents/:fezID/update b',
  },
  phone: {
    answer: 'POST /phone/answer/:callID',
    answerSocket: 'WS /phone/socket/answer/:callID r',
    decline: 'POST /phone/decline/:callID',
    initiate: 'POST /phone/initiate/:callID/to/:userID b',
    initiateSocket: 'WS /phone/socket/initiate/:callID/to/:userID r',
  },
  photostream: {
    list: 'GET /photostream',
    placenames: 'GET /photostream/placenames',
    report: 'POST /photostream/:stream_photoID/report b',
    upload: 'POST /photostream/upload bk',
  },
  poll: {
    create: 'POST /poll/create bk',
    end: 'POST /poll/:poll_id/end',
    get: 'GET /poll/:poll_id',
    list: 'GET /poll',
    vote: 'POST /poll/:poll_id/vote b',
  },
  quartermaster: {
    create: 'POST /quartermaster/create bk',
    get: 'GET /quartermaster/:item_id',
    list: 'GET /quartermaster',
    remove: 'DELETE /quartermaster/:item_id',
    report: 'POST /quartermaster/:item_id/report b',
    update: 'POST /quartermaster/:item_id/update b',
  },
  user: {
    add: 'POST /user/add bk',
    alertwords: 'GET /user/alertwords',
    alertwordsAdd: 'POST /user/alertwords/add/:alert_word',
    alertwordsRemove: 'POST /user/alertwords/remove/:alert_word',
    barrel: 'GET /user/barrels/:barrel_id',
    barrels: 'GET /user/barrels',
    barrelsAdd: 'POST /user/barrels/:barrel_id/add/:string',
    barrelsRemove: 'POST /user/barrels/:barrel_id/remove/:string',
    barrelsRename: 'POST /user/barrels/:barrel_id/rename/:barrel_name',
    barrelsSeamonkey: 'GET /user/barrels/seamonkey',
    calendar: 'GET /user/calendar',
    create: 'POST /user/create bk',
    createBarrel: 'POST /user/barrel bk',
    delete: 'POST /user/delete b',
    deletion: 'GET /user/deletion',
    export: 'GET /user/export',
    exportFile: 'GET /user/export/file f',
    forums: 'GET /user/forums',
    image: 'POST /user/image b',
    mutewords: 'GET /user/mutewords',
    mutewordsAdd: 'POST /user/mutewords/add/:mute_word',
    mutewordsRemove: 'POST /user/mutewords/remove/:mute_word',
    note: 'POST /user/note b',
    notes: 'GET /user/notes',
    password: 'POST /user/password bk',
    profile: 'GET /user/profile',
    profileOf: 'POST /user/:user_id/profile b',
    recoverykey: 'POST /user/recoverykey bk',
    removeBarrel: 'DELETE /user/barrels/:barrel_id',
    removeCalendar: 'DELETE /user/calendar',
    removeImage: 'DELETE /user/image',
    removeImageOf: 'DELETE /user/:user_id/image',
    setCalendar: 'POST /user/calendar',
    setExport: 'POST /user/export',
    setProfile: 'POST /user/profile b',
    setUsername: 'POST /user/:user_id/username b',
    username: 'POST /user/username b',
    verify: 'POST /user/verify b',
    whoami: 'GET /user/whoami',
  },
  users: {
    block: 'POST /users/:user_id/block',
    blocks: 'GET /users/blocks',
    favorite: 'POST /users/:user_id/favorite',
    favorites: 'GET /users/favorites',
    find: 'GET /users/find/:user_search_string',
    get: 'GET /users/:user_id',
    header: 'GET /users/:user_id/header',
    matchAllnames: 'GET /users/match/allnames/:search_string',
    matchUsername: 'GET /users/match/username/:search_string',
    mute: 'POST /users/:user_id/mute',
    mutes: 'GET /users/mutes',
    note: 'GET /users/:user_id/note',
    profile: 'GET /users/:user_id/profile',
    removeFavorite: 'DELETE /users/:user_id/favorite',
    removeNote: 'DELETE /users/:user_id/note',
    report: 'POST /users/:user_id/report b',
    setNote: 'POST /users/:user_id/note b',
    unblock: 'POST /users/:user_id/unblock',
    unmute: 'POST /users/:user_id/unmute',
    userrole: 'GET /users/userrole/:user_role',
    userroleAddrole: 'POST /users/userrole/:user_role/addrole/:user_id',
    userroleRemoverole: 'POST /users/userrole/:user_role/removerole/:user_id',
    vcard: 'GET /users/:user_id/vcard f',
  },
} as const satisfies { [G in keyof Api]: { [F in keyof Api[G]]: string } }
