// Fetching a calendar from the address that publishes it.
import { download, DownloadError } from '../core/http/download.ts'

const maxBytes = 10 * 1024 * 1024

/** The text at `address`. All of it takes at most `withinMs`. @throws DownloadError when it cannot be had. */
export async function fetchFeed(address: string, withinMs: number): Promise<string> {
  const bytes = await download('calendar', address, withinMs, { maxBytes, accept: 'text/calendar, text/plain;q=0.9, */*;q=0.5' })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new DownloadError('What the calendar\u2019s address answers is not UTF-8 text.', { cause })
  }
}
