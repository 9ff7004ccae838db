// The closed list of refusals. `reason` is shown to the client, `cause` only goes to the log.

/** Failures of content validation: dotted request path (or `general`) to displayable texts. */
export type FieldFailures = Map<string, string[]>

/** A refusal that becomes an ErrorResponse with this status. Anything else that is thrown is a bug and answers 500. */
export class AppError extends Error {
  override name = 'AppError'
  readonly status: number
  readonly fieldErrors: Record<string, string> | undefined
  /** Seconds after which a repetition makes sense; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    reason: string,
    options: { cause?: unknown; fieldErrors?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(reason, { cause: options.cause })
    this.status = status
    this.fieldErrors = options.fieldErrors
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** 400: the request cannot be carried out as it stands; also a record that is missing or hidden. */
export const badRequest = (reason: string, cause?: unknown) => new AppError(400, reason, { cause })

/** 400 for a record that does not exist or is hidden from the caller: one text for both, so that nothing leaks. */
export const notAvailable = (what: string) => new AppError(400, `This ${what} does not exist or is not available to you.`)

/** 401: no valid credentials. */
export const unauthorized = (reason = 'User is not authenticated.') => new AppError(401, reason)

/** 403: the caller is known and may not do this. */
export const forbidden = (reason: string) => new AppError(403, reason)

/** 404: no handler exists for this method and path. Never used for missing records. */
export const noSuchRoute = () => new AppError(404, 'Nothing exists at this path.')

/** 408: the body did not arrive in time. */
export const bodyTooSlow = () => new AppError(408, 'The request body did not arrive in time.')

/** 409: taken, or already done. */
export const conflict = (reason: string) => new AppError(409, reason)

/** 413: the body is larger than this route allows. */
export const bodyTooLarge = (limit: number) => new AppError(413, `The request body is larger than the ${limit} bytes allowed here.`)

/** 415: the body has a media type that this route does not read. */
export const unsupportedMediaType = (type: string) =>
  new AppError(415, `A body of type ${type} is not understood here; send JSON or multipart/form-data.`)

/** 422: a body is needed and none was sent. */
export const bodyMissing = () => new AppError(422, 'This request needs a body.')

/** 429: too many attempts; repeat later. */
export const tooManyRequests = (reason: string, retryAfterSeconds: number) => new AppError(429, reason, { retryAfterSeconds })

/** 451: the feature is switched off. */
export const featureDisabled = () => new AppError(451, 'This feature has been disabled by the server admins.')

/** 503: the server cannot do this at the moment; the request may be repeated. */
export const unavailable = (reason: string, cause?: unknown) => new AppError(503, reason, { cause, retryAfterSeconds: 2 })

/**
 * 400 with all content failures at once: `reason` joins every text with "; ", `fieldErrors` holds
 * the first ten, those of one path joined with " and ". A nested field stands there under its own name
 * too, unless another one has it.
 */
export function validationFailed(failures: FieldFailures): AppError {
  const all = [...failures].flatMap(([path, texts]) => texts.map((text) => ({ path, text })))
  const fieldErrors: Record<string, string> = {}
  for (const { path, text } of all.slice(0, 10)) {
    fieldErrors[path] = Object.hasOwn(fieldErrors, path) ? `${fieldErrors[path]} and ${text}` : text
  }
  for (const path of Object.keys(fieldErrors)) {
    const name = path.slice(path.lastIndexOf('.') + 1)
    if (!/^\d+$/.test(name) && !Object.hasOwn(fieldErrors, name)) fieldErrors[name] = fieldErrors[path] as string
  }
  return new AppError(400, all.map(({ text }) => text).join('; '), { fieldErrors })
}
