// Answers that many ask for and that are large: their bytes as they are, with gzip and with brotli, and the processor
// time of one.
import { countRequests, fetchOnce, getRequest } from './load.ts'
import { markdown, shown, type Row } from './table.ts'
import { cpuSeconds, withProduct } from './whole-product.ts'

const connections = 64
const durationMs = 1000
const encodings = ['', 'gzip', 'br'] as const

const answers = [
  ['The schedule', '/events'],
  ['Categories of forums', '/forum/categories'],
  ['Board games, a page of 50', '/boardgames'],
  ['Songs by artists with T, a page of 50', '/karaoke?search=t'],
  ['Themes of the days', '/notification/dailythemes'],
  ['Settings', '/client/settings'],
  ['Forums with something new', '/forum/unread'],
  ['The newest posts', '/microblog'],
] as const

/** Prints a table; there is no limit to compare with. */
export async function packed(): Promise<Row[]> {
  const lines: string[][] = []
  await withProduct(async ({ pid, port }, { user }) => {
    for (const [name, path] of answers) {
      const line: string[] = [name]
      const times: string[] = []
      for (const encoding of encodings) {
        const plain = getRequest(`/api/v3${path}`, user)
        const request = encoding === '' ? plain : Buffer.from(`${plain.toString().trimEnd()}\r\nAccept-Encoding: ${encoding}\r\n\r\n`)
        const { status, body } = await fetchOnce(port, request)
        if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body.toString()}`)
        line.push(shown(body.length))
        const before = cpuSeconds(pid)
        const count = await countRequests(port, request, connections, durationMs)
        times.push(shown(((cpuSeconds(pid) - before) * 1e6) / count))
      }
      lines.push([...line, ...times])
    }
  })
  const headings = ['Answer', 'Bytes', 'gzip', 'br', 'us of processor time', 'gzip us', 'br us']
  process.stdout.write(`${markdown(headings, lines)}\n`)
  return []
}
