// Refusals. `code` tells a program what happened and `reason` a person; `cause` only goes to the log. A reason
// names the thing, the limit and what to do.

/** Codes of the frame, with their meanings. */
export const frameErrorCodes = {
  body_invalid: 'The body of the request is not well-formed, or a value has the wrong shape.',
  body_missing: 'The request needs a body.',
  body_too_large: 'The body is larger than this route allows.',
  body_too_slow: 'The body did not arrive in time.',
  busy: 'The server has too much to do at the moment.',
  credentials_wrong: 'The user name or password is wrong.',
  database_unavailable: 'The database is not available at the moment.',
  date_invalid: 'This is not a date.',
  feature_disabled: 'The feature is switched off.',
  field_invalid: 'A field breaks a rule of content; `fieldErrors` names each.',
  host_unknown: 'The server does not answer under this host name.',
  idempotency_key_invalid: 'The Idempotency-Key is not well-formed.',
  idempotency_key_used: 'The Idempotency-Key was used for a different request.',
  internal: 'A fault of the server. Its log has the request id.',
  level_too_low: 'The caller needs a higher access level.',
  login_needed: 'This needs a user who is logged in.',
  method_unknown: 'The path exists, but not for this method; `Allow` lists those that it takes.',
  not_available: 'The record does not exist or is hidden from the caller.',
  not_logged_in: 'The account is not logged in.',
  origin_foreign: 'A cookie counts only for requests from pages of this server.',
  password_wrong: 'The current password is wrong.',
  path_invalid: 'A part of the path is not well-formed.',
  range_unsatisfiable: 'The file has no such range of bytes.',
  redis_unavailable: 'Redis is not available at the moment.',
  request_invalid: 'The request is not well-formed HTTP.',
  restarting: 'The server is restarting.',
  role_missing: 'The caller needs a role.',
  route_unknown: 'Nothing exists at this path.',
  second_factor_required:
    'The host lets members of the team use their rights only with a second factor: the caller has to set one up first.',
  server_closed: 'The server is closed to callers below a level, for as long as its admins want.',
  server_unreachable: 'Not every server could be reached.',
  session_of_another: 'Somebody else is signed in with this browser by now.',
  storage_unavailable: 'Files or rows cannot be stored at the moment.',
  too_many_requests: 'The account, or the address of somebody without one, asks for too much; Retry-After says when to try again.',
  type_unsupported: 'A body of this media type is not understood here.',
  unauthenticated: 'Valid credentials are needed.',
  verification_needed: 'The host lets only verified people read; the caller has to enter their registration code.',
  upgrade_required: 'This path only takes WebSocket connections.',
} as const

/** All codes: the product adds its own by declaration merging. */
export interface ErrorCodes extends Record<keyof typeof frameErrorCodes, true> {}
export type ErrorCode = keyof ErrorCodes

/** What can be wrong with a field, with meanings; `min` and `max` come beside it. Clients say it in the words of their reader. */
export const fieldRules = {
  alike: 'Two entries of it are alike.',
  before_start: 'It is before the start.',
  begins_wrong: 'It has to begin with a letter or a number.',
  characters: 'It has characters that may not be there.',
  common: 'It is one of the commonest passwords.',
  empty: 'It is needed.',
  ends_wrong: 'It must not end with a separator.',
  hidden_characters: 'It has characters that cannot be seen.',
  not_allowed: 'It may not be this.',
  not_in_future: 'It has to be in the future.',
  out_of_range: 'It has to be from `min` to `max`.',
  over_a_day: 'It is more than 24 hours after the start.',
  taken: 'There is one already.',
  too_long: 'It has more than `max` characters.',
  too_many: 'It has more than `max` entries.',
  too_many_lines: 'It has more than `max` lines.',
  too_short: 'It has fewer than `min` characters.',
} as const

/** A broken rule, for programs. */
export interface FieldRule {
  rule: keyof typeof fieldRules
  min?: number
  max?: number
}

/** What is wrong with a field: a text that can be shown, and the rule where there is a name for it. */
export interface FieldFailure extends Partial<FieldRule> {
  text: string
}

/** Failures of content validation, by the dotted path of a field in the request, or `general`. */
export type FieldFailures = Map<string, (string | FieldFailure)[]>

/** The account that somebody has named, if it exists: `{}` where it does not, or is not known here. */
export interface Attempt {
  account?: { id: string; username: string }
}

/** A refusal that becomes an ErrorResponse with this status. Anything else that is thrown is a bug and answers 500. */
export class AppError extends Error {
  override name = 'AppError'
  readonly status: number
  readonly code: ErrorCode
  readonly fieldErrors: Record<string, string> | undefined
  readonly fieldRules: Record<string, FieldRule> | undefined
  /** Seconds after which a repetition makes sense; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined
  /** Methods that the path takes; sent as Allow. */
  readonly allow: string | undefined
  /** Somebody has failed to show who they are. For the log alone. */
  readonly attempt: Attempt | undefined

  constructor(
    status: number,
    code: ErrorCode,
    reason: string,
    options: {
      cause?: unknown
      fieldErrors?: Record<string, string>
      fieldRules?: Record<string, FieldRule>
      retryAfterSeconds?: number
      allow?: string
      attempt?: Attempt
    } = {},
  ) {
    super(reason, { cause: options.cause })
    this.status = status
    this.code = code
    this.fieldErrors = options.fieldErrors
    this.fieldRules = options.fieldRules
    this.retryAfterSeconds = options.retryAfterSeconds
    this.allow = options.allow
    this.attempt = options.attempt
  }
}

/** 400: the request cannot be carried out as it stands. */
export const badRequest = (code: ErrorCode, reason: string, cause?: unknown) => new AppError(400, code, reason, { cause })

/** The same refusal of somebody who has failed to show who they are. */
export const attempted = ({ status, code, message, retryAfterSeconds }: AppError, account?: Attempt['account']): AppError =>
  new AppError(status, code, message, {
    attempt: account ? { account: { id: account.id, username: account.username } } : {},
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })

/** 400 for a record that does not exist or is hidden from the caller: one text for both, so that nothing leaks. */
export const notAvailable = (what: string) => new AppError(400, 'not_available', `This ${what} does not exist or is not available to you.`)

/** 401: no valid credentials. */
export const unauthorized = (code: ErrorCode = 'unauthenticated', reason = 'User is not authenticated.') => new AppError(401, code, reason)

/** 403: the caller is known and may not do this. */
export const forbidden = (code: ErrorCode, reason: string) => new AppError(403, code, reason)

/** 404: no handler exists for this path. Never used for missing records. */
export const noSuchRoute = () => new AppError(404, 'route_unknown', 'Nothing exists at this path.')

/** 405: the path has handlers for other methods only, which are listed in `allow`. */
export const methodUnknown = (allow: string) =>
  new AppError(405, 'method_unknown', `Nothing at this path answers to this method. It takes ${allow}.`, { allow })

/** 408: the body did not arrive in time. */
export const bodyTooSlow = () => new AppError(408, 'body_too_slow', 'The request body did not arrive in time.')

/** 409: taken, or already done. */
export const conflict = (code: ErrorCode, reason: string) => new AppError(409, code, reason)

/** 413: the body is larger than this route allows. */
export const bodyTooLarge = (limit: number) =>
  new AppError(413, 'body_too_large', `The request body is larger than the ${limit} bytes allowed here.`)

/** 415: the body has a media type that this route does not read. */
export const unsupportedMediaType = (type: string) =>
  new AppError(415, 'type_unsupported', `A body of type ${type} is not understood here. Send JSON or multipart/form-data.`)

/** 421: the server answers under other names. */
export const hostUnknown = () =>
  new AppError(421, 'host_unknown', 'This server does not answer under this host name. ALLOWED_HOSTS lists those that it does.')

/** 422: a body is needed and none was sent. */
export const bodyMissing = () => new AppError(422, 'body_missing', 'This request needs a body.')

/** 429: too many attempts; repeat later. */
export const tooManyRequests = (code: ErrorCode, reason: string, retryAfterSeconds: number) =>
  new AppError(429, code, reason, { retryAfterSeconds })

/** 451: the feature is switched off. */
export const featureDisabled = () => new AppError(451, 'feature_disabled', 'This feature has been disabled by the server admins.')

/** 503: the server cannot do this at the moment; the request may be repeated. */
export const unavailable = (code: ErrorCode, reason: string, cause?: unknown) =>
  new AppError(503, code, reason, { cause, retryAfterSeconds: 2 })

/** 503: the server is about to end; another one, or the next, takes the request. */
export const restarting = () => new AppError(503, 'restarting', 'The server is restarting.', { retryAfterSeconds: 1 })

/** 503: a disk is full, read-only or broken. Somebody has to mend that, so a repetition can wait longer. */
export const storageFailed = (cause: unknown) =>
  new AppError(503, 'storage_unavailable', 'The server cannot store anything at the moment. Please try again later.', {
    cause,
    retryAfterSeconds: 10,
  })

/**
 * 400 with all content failures at once: `reason` joins every text with "; ", `fieldErrors` holds
 * the first ten, those of one path joined with " and ", `fieldRules` the first rule of each. A nested field stands there under
 * its own name too, unless another one has it.
 */
export function validationFailed(failures: FieldFailures): AppError {
  const all = [...failures].flatMap(([path, of]) => of.map((each) => ({ path, ...(typeof each === 'string' ? { text: each } : each) })))
  const fieldErrors: Record<string, string> = {}
  const fieldRuleOf: Record<string, FieldRule> = {}
  for (const { path, text, rule, ...limits } of all.slice(0, 10)) {
    fieldErrors[path] = Object.hasOwn(fieldErrors, path) ? `${fieldErrors[path]} and ${text}` : text
    if (rule !== undefined) fieldRuleOf[path] ??= { rule, ...limits }
  }
  addOwnNames(fieldErrors)
  addOwnNames(fieldRuleOf)
  return new AppError(400, 'field_invalid', all.map(({ text }) => text).join('; '), { fieldErrors, fieldRules: fieldRuleOf })
}

function addOwnNames<V>(byPath: Record<string, V>): void {
  for (const path of Object.keys(byPath)) {
    const name = path.slice(path.lastIndexOf('.') + 1)
    if (!/^\d+$/.test(name) && !Object.hasOwn(byPath, name)) byPath[name] = byPath[path] as V
  }
}

/** The kind of an error, its code, and where it came from. Its words stay in the log: they may hold what a user wrote. */
export function originOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { code } = error as NodeJS.ErrnoException
  const frames = (error.stack ?? '').replace(error.message, () => '')
  const [, place = ''] = /^ +at .{0,300}?((?:src|workers)\/[\w./-]{1,200}:\d+)/m.exec(frames) ?? []
  return [error.name, code, place].filter(Boolean).join(' ')
}
