// A fetch that tells how much of a body has left. XMLHttpRequest knows; fetch itself does not.

/** A request of a call that has `onProgress`. */
export interface ProgressInit extends RequestInit {
  onProgress?: (share: number) => void
}

interface RawRequest {
  open(method: string, address: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: unknown): void
  abort(): void
  responseType: string
  withCredentials: boolean
  readonly status: number
  readonly response: ArrayBuffer
  readonly upload: { addEventListener(name: 'progress', hear: (event: { loaded: number; total: number }) => void): void }
  addEventListener(name: 'load' | 'error' | 'abort', hear: () => void): void
}

const withoutBody = new Set([204, 205, 304])

/**
 * For `createClient({ fetch: fetchWithProgress })`. In browsers and React Native `onProgress` of a call then hears which share of
 * the body has left, from 0 to 1. Without XMLHttpRequest, as in Node, this is the ordinary fetch.
 */
export function fetchWithProgress(input: Parameters<typeof fetch>[0], { onProgress, ...init }: ProgressInit = {}): Promise<Response> {
  const { XMLHttpRequest: Raw } = globalThis as unknown as { XMLHttpRequest?: new () => RawRequest }
  if (!onProgress || !Raw) return fetch(input, init)
  const { signal } = init
  return new Promise((resolve, reject) => {
    const request = new Raw()
    const abort = () => request.abort()
    const finish = (end: () => void) => () => {
      signal?.removeEventListener('abort', abort)
      end()
    }
    const fail = () => reject(signal?.aborted ? (signal.reason as Error) : new TypeError('The request did not reach the server.'))
    request.open(init.method ?? 'GET', String(input))
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.responseType = 'arraybuffer'
    request.withCredentials = init.credentials === 'include'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    const answer = () => {
      const { status, response } = request
      resolve(new Response(withoutBody.has(status) ? null : response, { status, headers: headersOf(request) }))
    }
    request.addEventListener('load', finish(answer))
    for (const name of ['error', 'abort'] as const) request.addEventListener(name, finish(fail))
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return fail()
    request.send(init.body)
  })
}

function headersOf(request: RawRequest): Headers {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
  const pairs = lines
    .filter((line) => line.includes(': '))
    .map((line): [string, string] => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    })
  return new Headers(pairs)
}
