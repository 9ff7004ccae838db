// The app's one client of the server. The session is a cookie of the browser's: no script, not even this one, sees it.
import { signal } from '@preact/signals'
import type { Api } from '../sdk/api.ts'
import { translated } from './texts.ts'
import { createClient, QuarterdeckError, type ClientOptions, type CurrentUserData, type Table } from '../sdk/client.ts'

/** False after a request that found no server, until one does. */
export const online = signal(true)

let user: () => string | undefined
let onSignedOut: () => void
let first: () => Promise<void> | undefined

/**
 * `of`: the account that this page is for. Calls `run` when the server no longer knows the session, or knows it as somebody else's.
 * `before`: what has to reach the server before any request does.
 */
export function watchSession(of: () => string | undefined, run: () => void, before: () => Promise<void> | undefined): void {
  user = of
  onSignedOut = run
  first = before
}

const options: ClientOptions = { credentials: 'cookie', fetch: watchedFetch, user: () => user() }
export const client = createClient(options)

/** Asks for whoever has the session now. */
export const whoami = () => createClient({ ...options, user: () => undefined }).call('GET /user/whoami') as Promise<CurrentUserData>

/** Adds calls that only some pages make. */
export function addCalls(table: Table): void {
  const more = createClient(options, table)
  for (const group of Object.keys(table) as (keyof Api)[]) Object.assign((client[group] ??= {} as never), more[group])
}

async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    await first()
    // Uploads are rare: what only they need is loaded with the first.
    const send = init && 'onProgress' in init ? (await import('../sdk/upload.ts')).fetchWithProgress : fetch
    const response = await send(input, init)
    online.value = true
    // A wrong password has the same status, and ends nothing.
    if (response.status === 401 && !new Headers(init?.headers).has('Authorization')) onSignedOut()
    return response
  } catch (error) {
    if (!init?.signal?.aborted) online.value = false
    throw error
  }
}

/** The server has looked at the request and does not want it, now or later. */
export function isRefusal(error: unknown): error is QuarterdeckError {
  return error instanceof QuarterdeckError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
}

/** Slow mode is on where the post is to go, and `retryAfter` says for how long. */
export const isSlow = (error: unknown): error is QuarterdeckError => error instanceof QuarterdeckError && error.code === 'slow_mode'

/** The host lets only verified people read this. */
export const isForVerified = (error: unknown): boolean => error instanceof QuarterdeckError && error.code === 'verification_needed'

/** The host keeps people out. */
export const isClosed = (error: unknown): boolean => error instanceof QuarterdeckError && error.code === 'server_closed'

/** The server has answered that it cannot do it now. */
export const isFault = (error: unknown): error is QuarterdeckError =>
  error instanceof QuarterdeckError && (error.status >= 500 || error.status === 429)

/** A sentence for people, in their language. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof QuarterdeckError)) return error instanceof Error ? error.message : String(error)
  const { code, message, retryAfter: n, fieldRules } = error
  const what = translated(`error.${code}`, { reason: message }) ?? translated('error.other')
  if (what === undefined) return message
  const [field] = Object.values(fieldRules)
  return [what, field && ruleSentence(field), n !== undefined && translated('error.again', { n })].filter(Boolean).join(' ')
}

/** What is wrong with a field, in the language of the reader; undefined in the server's own. */
export const ruleSentence = ({ rule = 'other', ...limits }: { rule?: string; min?: number; max?: number } = {}): string | undefined =>
  translated(`rule.${rule}`, limits)

/** A random id; `crypto.randomUUID` exists only over TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
