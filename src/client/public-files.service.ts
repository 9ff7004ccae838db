// Files for people and apps that need no login: the code of conduct, help, settings for each app. The
// operator's own lie over those of the program, and are read whenever they are asked for.
import { extname, join } from 'node:path'
import { projectRoot, type Config } from '../core/config.ts'
import type { Node } from '../core/ctx.ts'
import { noSuchRoute } from '../core/errors.ts'
import { openFile, type StoredFile } from '../core/files/files.ts'
import { etagOf, hasFresh } from '../core/http/etag.ts'
import { fileReply } from '../core/http/file-reply.ts'
import type { RequestHead } from '../core/http/head.ts'
import type { Page } from '../core/http/http.ts'
import { Reply } from '../core/http/route.ts'
import { staticPath } from '../core/http/static-path.ts'
import { settingsOf } from '../settings/channel.ts'
import { conductOf } from './conduct.ts'

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
  'codeofconduct.json': ({ config }) => conduct(config),
  'clients/tricordarr.json': (node) => clientConfig(node, 'tricordarr'),
}

/** Everything in the two folders of public files, and what is made from it. */
export const publicPage: Page = {
  path: `${root}*`,
  about: {
    summary: 'Texts for people and files for apps: those of the operator win over those of the program.',
    type: '*/*',
    refusals: [404],
  },
  async run(node, _params, head) {
    const segments = staticPath(head.url, root)
    const name = segments.join('/')
    const file = await find(node.config, segments)
    if (file) return fileReply(head, file, contentTypes[extname(name).toLowerCase()] ?? 'application/octet-stream', cacheControl)
    const content = Object.hasOwn(made, name) ? await made[name]?.(node) : undefined
    if (!content) throw noSuchRoute()
    return jsonFile(head, content)
  },
}

async function find({ privateSeedsDir }: Config, segments: readonly string[]): Promise<StoredFile | undefined> {
  const own = await openFile(join(privateSeedsDir, 'public', ...segments))
  return own ?? (await openFile(join(projectRoot, 'seeds', 'public', ...segments)))
}

function jsonFile(head: RequestHead, content: object): Reply {
  const json = Buffer.from(JSON.stringify(content))
  const headers = { ETag: etagOf(json), 'Cache-Control': cacheControl }
  return hasFresh(head.ifNoneMatch, headers.ETag) ? new Reply(304, undefined, headers) : new Reply(200, json, headers, headers.ETag)
}

async function conduct(config: Config): Promise<object | undefined> {
  const file = await find(config, ['codeofconduct.md'])
  // Longer than anybody reads.
  const markdown = file?.part(0, file.size)
  return Buffer.isBuffer(markdown) ? conductOf(markdown.toString('utf8')) : undefined
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
      cruiseStartDate: node.config.startDate,
      cruiseLength: trip.lengthInDays,
      portTimeZoneID: trip.portZoneAt(new Date(node.clock.now())).id,
      schedBaseUrl: URL.canParse(values.scheduleUpdateURL) ? new URL(values.scheduleUpdateURL).origin : '',
    },
  }
}
