// Files for people and apps that need no login: the code of conduct, help, settings for each app. The
// operator's own lie over those of the program, and are read whenever they are asked for. Texts that the host has
// written in the console lie over both.
import { extname, join } from 'node:path'
import { projectRoot, type Config } from '../core/base/config.ts'
import type { Node } from '../core/work/ctx.ts'
import { noSuchRoute } from '../core/base/errors.ts'
import { openFile, type StoredFile } from '../core/files/files.ts'
import { withEtag } from '../core/http/etag.ts'
import { fileReply } from '../core/http/file-reply.ts'
import type { Page } from '../core/http/http.ts'
import type { Reply } from '../core/http/route.ts'
import { staticPath } from '../core/http/static-path.ts'
import { jsonBytes } from '../core/base/json-text.ts'
import { settingsOf } from '../settings/channel.ts'
import { conductOf, type Conduct } from './conduct.ts'
import { isPublicText } from './text-names.ts'
import { textsOf } from './texts.channel.ts'

const root = '/public/'
const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.ics': 'text/calendar; charset=utf-8',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
}
/** A file may be replaced at any time. */
const cacheControl = 'no-cache'

/** Made while they are asked for, unless there is a file of that name. */
const made: Readonly<Record<string, (node: Node) => object | undefined | Promise<object | undefined>>> = {
  'codeofconduct.json': (node) => conduct(node),
  'map.json': (node) => map(node),
  'clients/tricordarr.json': (node) => clientConfig(node, 'tricordarr'),
}

/** Everything in the two folders of public files, and what is made from it. */
export const publicPage: Page = {
  path: `${root}*`,
  about: {
    summary: 'Texts for people and files for apps: those of the operator win over those of the program.',
    type: '*/*',
    file: true,
    refusals: [403, 404],
  },
  async run(node, _params, head) {
    const segments = staticPath(head.url, root)
    const name = segments.join('/')
    const file = await find(node, segments)
    if (file) return fileReply(file, contentTypes[extname(name).toLowerCase()] ?? 'application/octet-stream', cacheControl, root + name)
    const content = Object.hasOwn(made, name) ? await made[name]?.(node) : undefined
    if (!content) throw noSuchRoute()
    return jsonFile(content)
  },
}

/** True when the host or the operator has put a text of their own in place of the program's. */
export async function isOwnText(node: Node, name: string): Promise<boolean> {
  const written = isPublicText(name) && (await textsOf(node)).find(name) !== undefined
  return written || (await openFile(join(node.config.privateSeedsDir, 'public', name))) !== undefined
}

async function find(node: Node, segments: readonly string[]): Promise<StoredFile | undefined> {
  const [name = ''] = segments
  const own = segments.length === 1 && isPublicText(name) ? (await textsOf(node)).find(name) : undefined
  if (!own) return await deliveredFile(node.config, segments)
  const content = Buffer.from(own.content)
  return { size: content.length, modifiedMs: own.updatedAt.getTime(), part: (start, end) => content.subarray(start, end) }
}

/** A file of the operator, or of the program. */
export async function deliveredFile({ privateSeedsDir }: Config, segments: readonly string[]): Promise<StoredFile | undefined> {
  const own = await openFile(join(privateSeedsDir, 'public', ...segments))
  return own ?? (await openFile(join(projectRoot, 'seeds', 'public', ...segments)))
}

const jsonFile = (content: object): Reply<object> => withEtag(jsonBytes(content))

async function conduct(node: Node): Promise<object | undefined> {
  const file = await find(node, ['codeofconduct.md'])
  // Longer than anybody reads.
  const markdown = file?.part(0, file.size)
  if (!Buffer.isBuffer(markdown)) return undefined
  if (lastConduct?.markdown.equals(markdown) !== true) lastConduct = { markdown, conduct: conductOf(markdown.toString('utf8')) }
  return lastConduct.conduct
}

/** Made once from each text: everybody asks for it. */
let lastConduct: { markdown: Buffer; conduct: Conduct } | undefined

const maps = ['map.svg', 'map.png', 'map.jpg', 'map.webp'] as const

/** Which file is the map of the ship, if the host has one: apps need not try all names. */
async function map(node: Node): Promise<object> {
  for (const file of maps) if (await deliveredFile(node.config, [file])) return { file }
  return {}
}

/** Facts that an app would otherwise have built in: the trip, and where its schedule is published. */
function clientConfig(node: Node, name: string): object {
  const { values, trip } = settingsOf(node)
  return {
    apiVersion: 'v1',
    kind: 'SwiftarrClientConfig',
    metadata: { name },
    spec: {
      // No app takes itself for older than this.
      latestVersion: '0.0.0',
      oobeVersion: 1,
      cruiseStartDate: trip.startDate,
      cruiseLength: trip.lengthInDays,
      portTimeZoneID: trip.portZoneAt(new Date(node.clock.now())).id,
      schedBaseUrl: URL.canParse(values.scheduleUpdateURL) ? new URL(values.scheduleUpdateURL).origin : '',
    },
  }
}
