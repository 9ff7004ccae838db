// The one error that the client throws, whatever went wrong.

/** The body of every refusal. */
export interface Refusal {
  reason: string
  /** A stable word for programs. */
  code?: string
  /** Dotted path of a field in the request, or `general`, to what is wrong with it. */
  fieldErrors?: Record<string, string>
  /** The rule that a field breaks, for whoever says it in other words. */
  fieldRules?: Record<string, { rule: string; min?: number; max?: number }>
}

/** A request that was refused, or got no answer. */
export class QuarterdeckError extends Error {
  override name = 'QuarterdeckError'
  /** Of the answer; 0 when there was none. */
  readonly status: number
  /** A stable word: the server's own, or `network`, `timeout` or `refused` (a socket). */
  readonly code: string | undefined
  /** Dotted path of a field in the request, or `general`, to what is wrong with it. */
  readonly fieldErrors: Readonly<Record<string, string>>
  /** The rule that a field breaks, by the same paths. */
  readonly fieldRules: Readonly<NonNullable<Refusal['fieldRules']>>
  /** Seconds after which a repetition makes sense, when the server has said so. */
  readonly retryAfter: number | undefined
  /** Names the request in the server's logs. */
  readonly requestId: string | undefined

  /** `message` can be shown to people. */
  constructor(
    status: number,
    { reason, code, fieldErrors, fieldRules }: Refusal,
    { retryAfter, requestId, cause }: { retryAfter?: number | undefined; requestId?: string | undefined; cause?: unknown } = {},
  ) {
    super(reason, { cause })
    this.status = status
    this.code = code
    this.fieldErrors = fieldErrors ?? {}
    this.fieldRules = fieldRules ?? {}
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}
