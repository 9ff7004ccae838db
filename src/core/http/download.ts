// Fetching a file from an address that somebody has entered: bounded in time, size and redirects.

/** A file that could not be had. `message` is a sentence for people; it never holds the address. */
export class DownloadError extends Error {
  override name = 'DownloadError'
}

const maxRedirects = 3
// Some publishers answer nothing else.
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36'

/** The bytes at `address`, and all of them within the time. `what` is the word for the file in sentences. */
export async function download(
  what: string,
  address: string,
  withinMs: number,
  { maxBytes, accept }: { maxBytes: number; accept: string },
): Promise<Buffer> {
  const signal = AbortSignal.timeout(withinMs)
  try {
    let url = webAddress(what, address)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await fetch(url, { signal, redirect: 'manual', headers: { 'User-Agent': userAgent, Accept: accept } })
      const target = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || target === null) return await bytesOf(what, response, maxBytes)
      await response.body?.cancel()
      url = webAddress(what, target, url)
    }
  } catch (cause) {
    if (cause instanceof DownloadError) throw cause
    if (signal.aborted) throw new DownloadError(`The ${what} did not arrive within ${withinMs / 1000} seconds.`, { cause })
    throw new DownloadError(`The ${what}\u2019s address could not be reached.`, { cause })
  }
  throw new DownloadError(`The ${what}\u2019s address leads to too many others.`)
}

function webAddress(what: string, address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new DownloadError(`The ${what}\u2019s address is no http or https URL.`)
  return url
}

async function bytesOf(what: string, response: Response, maxBytes: number): Promise<Buffer> {
  if (response.status !== 200) throw new DownloadError(`The ${what}\u2019s address answers with the status ${response.status}.`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new DownloadError(`The ${what} is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
