// What anybody may ask for without an account, and what keeps it from stopping the loop: nothing that computes is open
// without a bound. A new open route fails here until it stands in the table.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { apiPrefix } from '../../src/core/http/route.ts'
import { routes, webPaths } from '../../src/features.ts'
import { otherPaths } from '../../src/web/addresses.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { people, type Person } from '../support/fez.ts'

/**
 * `fixed`: the same bytes since the start, packed once. `kept`: in memory until something changes. `counted`: out of the
 * budget that all who have no account share, by address. `limited`: by the rules for passwords and new accounts.
 * `small`: looks up what is in memory, a file, or a few rows by id. `basic`: asks for a password or a token itself.
 */
const table = `
POST /api/v3/auth/recovery limited
POST /api/v3/auth/username limited
POST /api/v3/oidc/account limited
POST /api/v3/user/create limited
POST /login limited
GET /api/v3/admin/timezonechanges small
GET /api/v3/auth/sessions/ended small
GET /api/v3/boardgames kept
GET /api/v3/boardgames?search=a counted
GET /api/v3/boardgames/:boardgame_id kept
GET /api/v3/boardgames/expansions/:boardgame_id kept
GET /api/v3/boardgames/recommend counted
POST /api/v3/boardgames/recommend counted
GET /api/v3/client/health small
GET /api/v3/client/settings kept
GET /api/v3/events small
GET /api/v3/events?search=a counted
GET /api/v3/events/:event_id small
GET /api/v3/events/:event_id/calendarevent.ics kept
GET /api/v3/fez/types small
GET /api/v3/forum/categories kept
GET /api/v3/hunts kept
GET /api/v3/hunts/:hunt_id kept
GET /api/v3/hunts/puzzles/:puzzle_id kept
GET /api/v3/image/full/:image_filename small
GET /api/v3/image/qrcode?string=a counted
GET /api/v3/image/thumb/:image_filename small
GET /api/v3/image/user/full/:user_id small
GET /api/v3/image/user/identicon/:user_id small
GET /api/v3/image/user/thumb/:user_id small
GET /api/v3/karaoke?search=a counted
GET /api/v3/karaoke/:song_id kept
GET /api/v3/karaoke/latest kept
GET /api/v3/karaoke/latest?search=a counted
GET /api/v3/karaoke/mk/video/:filename small
GET /api/v3/karaoke/performance kept
GET /api/v3/karaoke/performance?search=a counted
GET /api/v3/microkaraoke/video/:filename small
GET /api/v3/notification/announcements small
GET /api/v3/notification/dailythemes kept
GET /api/v3/notification/global small
GET /api/v3/notification/hashtags/:search_string kept
GET /api/v3/notification/user small
GET /api/v3/oidc/return small
POST /api/v3/oidc/login small
POST /api/v3/auth/passkeys/challenge small
POST /api/v3/auth/passkeys/login small
GET /oidc/begin small
GET /oidc/return small
GET /api/v3/performer/:performer_id kept
GET /api/v3/performer/official kept
GET /api/v3/performer/shadow kept
GET /apple-touch-icon.png fixed
GET /asyncapi.json fixed
GET /avatar/full/:user_id small
GET /avatar/thumb/:user_id small
GET /call-audio.js fixed
GET /calendar/:secret/planner.ics small
GET /certificate small
GET /certificate/authority.crt small
GET /dayplanner/:username/dayPlanner.ics basic
GET /dayplanner/:username/jocoDayPlanner.ics basic
GET /docs fixed
GET /docs/:file fixed
GET /events/:event_id/calendarevent.ics small
GET /events/personal/:personal_event_id/calendarevent.ics basic
GET /events/subscribe/:username/following.ics basic
GET /health/live small
GET /health/ready small
GET /icon-192.png fixed
GET /icon-512.png fixed
GET /icon.svg fixed
GET /index.html fixed
GET /manifest.webmanifest fixed
GET /metrics small
GET /microkaraoke/* small
GET /openapi.json fixed
GET /public/* small
GET /sdk/quarterdeck-client.tgz fixed
GET /sw.js fixed
GET /web/:file fixed
`
const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [method: string, path: string, how: string])
const patternOf = (path: string): string => path.split('?')[0] as string
const routeOf = (method: string, pattern: string) =>
  routes.find((route) => route.method === method && `${apiPrefix}${route.path}` === pattern)
const how = (wanted: string) => rows.filter(([, , each]) => each === wanted)

const searches = 15
const clock = new LeapingClock()
let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1, { clock, env: { SEARCHES_PER_MINUTE: String(searches) } })
})
after(() => nodes.stop())

test('every open route and page is in the table', () => {
  const served = [...(nodes.apps[0]?.node.metrics.tallies() ?? [])].map(({ method, path }) => `${method} ${path}`)
  const open = served.filter((name) => {
    const [method = '', pattern = ''] = name.split(' ')
    const { access } = routeOf(method, pattern.replace('twitarrteam', 'serviceteam')) ?? {}
    const isOfApp = pattern === '(none)' || (method === 'GET' && [...webPaths, ...otherPaths].includes(pattern))
    return (access === undefined || access === 'none' || access === 'flex') && !isOfApp
  })
  const listed = new Set(rows.map(([method, path]) => `${method} ${patternOf(path)}`))
  assert.deepEqual(open.toSorted(), [...listed].toSorted())
})

test('what is kept says what it is made of', () => {
  for (const [method, path] of how('kept')) assert.ok(routeOf(method, patternOf(path))?.cached, `${method} ${path}`)
})

const files: Record<string, string> = { '/docs/:file': '/docs/swagger-ui-bundle.js' }

test('what is fixed is not sent again to a client that has it', async () => {
  const { bytes: page } = await nodes.client().file('//index.html', { accept: 'text/html' })
  files['/web/:file'] = /\/web\/[\w.-]+\.js/.exec(page.toString())?.[0] ?? ''
  const anybody = { accept: 'text/html', 'accept-encoding': 'gzip' }
  for (const path of [
    ...how('fixed').map(([, path]) => files[path] ?? path),
    ...[...webPaths, ...otherPaths].map((path) => path.replace(/:\w+/g, 'x')),
  ]) {
    const { status, headers } = await nodes.client().file(`/${path}`, anybody)
    assert.equal(status, 200, path)
    const etag = String(headers['etag'])
    assert.match(etag, /"/, path)
    assert.equal((await nodes.client().file(`/${path}`, { ...anybody, 'if-none-match': etag })).status, 304, path)
  }
})

test('what is counted is refused beyond the budget of an address, whatever it is', async () => {
  for (const [method, path] of how('counted')) {
    clock.leap(60_000)
    const body =
      method === 'POST' || path.includes('recommend') ? { numPlayers: 2, timeToPlay: 60, maxAge: 0, minAge: 0, complexity: 1 } : undefined
    const call = () => nodes.client().request(method, path.replace(apiPrefix, ''), body && { body })
    for (let i = 0; i < searches && (await call()).status === 200; i++);
    const { status, headers } = await call()
    assert.equal(status, 429, `${method} ${path}`)
    assert.ok(Number(headers['retry-after']) <= 60, `${method} ${path}`)
  }
})

test('a QR code counts as several searches, has a bound, and is refused to nobody who has an account for what strangers do', async () => {
  clock.leap(60_000)
  const [user] = (await people(nodes, {})) as [Person]
  const code = (client: typeof user.one, text: string) => client.file(`/image/qrcode?string=${encodeURIComponent(text)}`)
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await code(nodes.client(), `a text ${i}`)).status)
  assert.deepEqual(statuses, [200, 200, 200, 429])
  assert.equal((await code(user.one, 'of my own')).status, 200)
  assert.equal((await code(user.one, 'x'.repeat(500))).status, 200)
  assert.equal((await code(user.one, 'x'.repeat(501))).status, 400)
  clock.leap(60_000)
  assert.equal((await code(user.one, 'ä'.repeat(251))).status, 400)
  assert.equal((await code(nodes.client(), 'later')).status, 200)
})
