// Everything that an app asks for when it starts, in one answer: the answers of single endpoints side by side, without those that it has.
import { createHash } from 'node:crypto'
import type { Ctx, InnerAnswer } from '../core/work/ctx.ts'
import { etagOf } from '../core/http/etag.ts'
import { Reply } from '../core/http/route.ts'
import { joinedJsonBytes, jsonText } from '../core/base/json-text.ts'
import { followedIds } from '../events/service.ts'
import type { ClientStartData } from './schemas.ts'

type PartName = Exclude<keyof ClientStartData, 'tag'>

/** The GETs whose answers the parts are. */
const gets = {
  settings: { path: '/client/settings' },
  whoami: { path: '/user/whoami' },
  numbers: { path: '/notification/user' },
  // An app that starts has not shown them yet: nothing counts as read.
  announcements: { path: '/notification/announcements', marks: false },
  dailyThemes: { path: '/notification/dailythemes' },
  chats: { path: '/fez/joined', query: 'limit=200' },
} as const satisfies Partial<Record<PartName, { path: string; query?: string; marks?: false }>>

const parts: readonly (readonly [PartName, (ctx: Ctx) => Promise<InnerAnswer | undefined>])[] = [
  ...(Object.entries(gets) as [keyof typeof gets, { path: string; query?: string; marks?: false }][]).map(
    ([name, { path, ...options }]) => [name, (ctx: Ctx) => ctx.node.inner.get(ctx, path, options)] as const,
  ),
  ['followedEvents', followedEvents],
]

/** The caller's parts, without those for which `since` has the present tag, and those that they may not ask for. */
export async function startData(ctx: Ctx, since: string): Promise<Reply<ClientStartData>> {
  const answers = await Promise.all(parts.map(([, ask]) => ask(ctx)))
  const [owner, ...known] = since.split('.')
  const own = shortTag(`of ${ctx.viewer.id}`)
  const tags = answers.map((answer) => (answer ? shortTag(answer.etag) : ''))
  const pieces: (string | Buffer)[] = [`{"tag":"${[own, ...tags].join('.')}"`]
  for (const [index, [name]] of parts.entries()) {
    const answer = answers[index]
    if (!answer || (owner === own && known[index] === tags[index])) continue
    pieces.push(`,"${name}":{"tag":${JSON.stringify(answer.etag)},"data":`, answer.json, '}')
  }
  pieces.push('}')
  const body = Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
  return new Reply(200, joinedJsonBytes<ClientStartData>(body), { 'Cache-Control': 'no-store' })
}

/** There is no endpoint for the ids alone: whoever may ask for the events gets them. */
async function followedEvents(ctx: Ctx): Promise<InnerAnswer | undefined> {
  if (!ctx.node.inner.mayAsk(ctx, '/events/favorites')) return undefined
  const json = jsonText(await followedIds(ctx))
  return { etag: etagOf(json), json }
}

const tagLength = 11

/** A tag that is a digest already, as `etagOf` makes them. */
const digestIn = /^W\/"([\w-]{27})"$/

const shortTag = (text: string): string =>
  (digestIn.exec(text)?.[1] ?? createHash('sha1').update(text).digest('base64url')).slice(0, tagLength)
