// Fetching a calendar from the address that publishes it: bounded in time, size and redirects.

/** A feed that could not be had. `message` is a sentence for people; it never holds the address. */
export class FeedError extends Error {
  override name = 'FeedError'
}

const maxRedirects = 3
const maxBytes = 10 * 1024 * 1024
// Some publishers answer nothing else.
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36'

/** The text at `address`. All of it takes at most `withinMs`. */
export async function fetchFeed(address: string, withinMs: number): Promise<string> {
  const signal = AbortSignal.timeout(withinMs)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await fetchBytes(address, signal))
  } catch (cause) {
    if (cause instanceof FeedError) throw cause
    if (signal.aborted) throw new FeedError(`The calendar did not arrive within ${withinMs / 1000} seconds.`, { cause })
    if (cause instanceof TypeError && 'code' in cause)
      throw new FeedError('What the calendar\u2019s address answers is not UTF-8 text.', { cause })
    throw new FeedError('The calendar\u2019s address could not be reached.', { cause })
  }
}

async function fetchBytes(address: string, signal: AbortSignal): Promise<Buffer> {
  let url = webAddress(address)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await fetch(url, {
      signal,
      redirect: 'manual',
      headers: { 'User-Agent': userAgent, Accept: 'text/calendar, text/plain;q=0.9, */*;q=0.5' },
    })
    const target = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || target === null) return await bytesOf(response)
    await response.body?.cancel()
    url = webAddress(target, url)
  }
  throw new FeedError('The calendar\u2019s address leads to too many others.')
}

function webAddress(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new FeedError('The calendar\u2019s address is no http or https URL.')
  return url
}

async function bytesOf(response: Response): Promise<Buffer> {
  if (response.status !== 200) throw new FeedError(`The calendar\u2019s address answers with the status ${response.status}.`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new FeedError(`The calendar is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
