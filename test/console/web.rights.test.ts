// Every right of every screen of the console, with every level and role: what may not be done is not shown, and refused
// when it is called.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { atLeast, type UserAccessLevel } from '../../src/core/base/viewer.ts'
import { expectations } from '../access-table.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { people, refused, type Person } from '../support/fez.ts'
import { go, webTests } from '../support/web.ts'

let nodes: TestNodes
const web = webTests(
  () => startTestNodes(1, { env: { OUTSIDE_HOSTS: '127.0.0.1' } }),
  (started) => begin(started),
)

/** Who looks: each level of the team, and people with the one role that opens a screen. */
const lookers = ['verified', 'accountmanager', 'moderator', 'serviceteam', 'tho', 'admin'] as const
type Looker = (typeof lookers)[number]
const levelOf = (looker: Looker): UserAccessLevel => (looker === 'accountmanager' ? 'verified' : looker)
const cast = {} as Record<Looker, Person>
let subject: Person

async function begin(started: TestNodes): Promise<void> {
  nodes = started
  for (const looker of lookers)
    cast[looker] = (
      await people(nodes, looker === 'accountmanager' ? { roles: ['accountmanager'] } : { level: levelOf(looker) })
    )[0] as Person
  ;[subject] = (await people(nodes, { displayName: 'Subject' })) as [Person]
  const ends = new Date(0).toISOString()
  // A job with failures, and somebody who is signed in.
  await nodes.sql`
    insert into outbox (job, payload, run_at, failures, last_error)
    values ('ban-ending', ${nodes.sql.json({ personID: subject.id, until: ends })}, now(), 20, 'Error: no network')`
}

type Team = Exclude<Looker, 'verified' | 'accountmanager'>

/** Something that can be done on a screen. */
interface Deed {
  /** How it is found on the page. */
  shown: (page: Page) => ReturnType<Page['locator']>
  /** The least level that may do it. */
  from: Team
  /** What it calls. */
  call: string
  /** With a body that could be right. */
  body?: () => unknown
}

interface Screen {
  path: () => string
  from: Team
  role?: 'accountmanager'
  /** The address in the navigation; undefined for pages that lists lead to. */
  place?: string
  /** What the page asks for. */
  reads: readonly string[]
  deeds?: readonly Deed[]
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name })
const field = (label: string) => (page: Page) => page.getByLabel(label)

const screens: readonly Screen[] = [
  { path: () => '/reports', place: '/reports', from: 'moderator', reads: ['GET /mod/reports/queue'] },
  { path: () => '/moderator', place: '/moderator', from: 'moderator', reads: ['GET /mod/moderationlog'] },
  {
    path: () => `/moderate/userProfile/${subject.id}`,
    from: 'moderator',
    reads: ['GET /mod/profile/:user_id', 'GET /mod/user/:user_id', 'GET /mod/user/:user_id/record'],
    deeds: [
      { shown: button('Ban …'), from: 'tho', call: 'POST /mod/user/:user_id/ban', body: () => ({ reason: 'x' }) },
      { shown: button('No writing for a while'), from: 'moderator', call: 'POST /mod/user/:user_id/tempquarantine/:quarantine_length' },
    ],
  },
  {
    path: () => '/admin/templates',
    place: '/admin/templates',
    from: 'moderator',
    reads: ['GET /mod/templates'],
    deeds: [
      { shown: button('New letter'), from: 'moderator', call: 'POST /mod/templates', body: () => ({ title: 'A letter', content: 'Hi' }) },
    ],
  },
  { path: () => '/admin/users', place: '/admin/users', from: 'moderator', reads: ['GET /admin/users'] },
  {
    path: () => `/admin/users/${subject.id}`,
    from: 'serviceteam',
    reads: [
      'GET /admin/users/:user_id',
      'GET /admin/regcodes/findbyuser/:user_id',
      'GET /admin/users/:user_id/passkeys',
      'GET /admin/users/:user_id/identities',
    ],
    deeds: [
      { shown: button('Make moderator'), from: 'tho', call: 'POST /admin/moderator/promote/:user_id' },
      { shown: button('Make head of the team'), from: 'admin', call: 'POST /admin/tho/promote/:user_id' },
      { shown: button('Make admin'), from: 'admin', call: 'POST /admin/admin/promote/:user_id' },
      { shown: field('karaoke manager'), from: 'tho', call: 'POST /admin/userroles/:user_role/addrole/:user_id' },
      { shown: button('Sign out everywhere'), from: 'tho', call: 'POST /admin/users/:user_id/signout' },
    ],
  },
  { path: () => '/admin', place: '/admin', from: 'serviceteam', reads: ['GET /admin/figures', 'GET /admin/checks'] },
  { path: () => '/admin/event', place: '/admin/event', from: 'serviceteam', reads: ['GET /admin/event'] },
  { path: () => '/admin/report', from: 'serviceteam', reads: ['GET /admin/report'] },
  { path: () => '/admin/end', from: 'admin', reads: ['GET /admin/wipe'] },
  { path: () => '/admin/moving', place: '/admin/moving', from: 'admin', reads: [] },
  { path: () => '/admin/checks', from: 'serviceteam', reads: ['GET /admin/checks'] },
  {
    path: () => '/admin/announcements',
    place: '/admin/announcements',
    from: 'serviceteam',
    reads: [],
    deeds: [
      {
        shown: button('New announcement'),
        from: 'serviceteam',
        call: 'POST /notification/announcement/create',
        body: () => ({ text: 'x', displayUntil: '2099-01-01T00:00:00Z' }),
      },
    ],
  },
  {
    path: () => '/admin/schedule',
    place: '/admin/schedule',
    from: 'serviceteam',
    reads: ['GET /admin/schedule/viewlog'],
    deeds: [
      { shown: field('Choose a calendar'), from: 'serviceteam', call: 'POST /admin/schedule/update', body: () => ({ schedule: '' }) },
    ],
  },
  {
    path: () => '/admin/games',
    place: '/admin/games',
    from: 'admin',
    reads: [],
    deeds: [
      {
        shown: field('Choose a file of games (.json)'),
        from: 'admin',
        call: 'POST /admin/boardgames/verify',
        body: () => ({ file: '[]' }),
      },
    ],
  },
  {
    path: () => '/admin/performers',
    place: '/admin/performers',
    from: 'serviceteam',
    reads: [],
    deeds: [
      {
        shown: field('Choose a list of performers (JSON)'),
        from: 'serviceteam',
        call: 'POST /admin/performer/bulk/upload',
        body: () => [],
      },
    ],
  },
  { path: () => '/admin/microkaraoke', place: '/admin/microkaraoke', from: 'moderator', reads: ['GET /mod/microkaraoke/songlist'] },
  {
    path: () => '/admin/themes',
    place: '/admin/themes',
    from: 'tho',
    reads: [],
    deeds: [
      {
        shown: (page) => page.locator('header.top button.btn'),
        from: 'tho',
        call: 'POST /admin/dailytheme/create',
        body: () => ({ title: 'A theme', info: 'x', cruiseDay: 1 }),
      },
    ],
  },
  {
    path: () => '/admin/codes',
    place: '/admin/codes',
    from: 'serviceteam',
    reads: ['GET /admin/regcodes/stats'],
    deeds: [{ shown: field('Choose a list of codes'), from: 'admin', call: 'POST /admin/regcodes/upload', body: () => ({ codes: '' }) }],
  },
  {
    path: () => '/kiosk',
    place: '/kiosk',
    from: 'serviceteam',
    role: 'accountmanager',
    reads: [],
    deeds: [
      {
        shown: (page) => page.getByRole('heading', { name: 'Code of a person' }),
        from: 'serviceteam',
        call: 'GET /admin/regcodes/findbyuser/:user_id',
      },
    ],
  },
  {
    path: () => '/admin/settings',
    place: '/admin/settings',
    from: 'serviceteam',
    reads: ['GET /admin/settings'],
    deeds: [
      {
        shown: (page) => page.locator('.setting input[type=number]:enabled').first(),
        from: 'admin',
        call: 'POST /admin/serversettings/update',
        body: () => ({ enableFeatures: [], disableFeatures: [] }),
      },
    ],
  },
  {
    path: () => '/admin/texts/faq.md',
    from: 'serviceteam',
    reads: ['GET /admin/texts'],
    deeds: [{ shown: button('Save'), from: 'tho', call: 'POST /admin/texts/:text_name', body: () => ({ content: 'x' }) }],
  },
  { path: () => '/admin/texts', place: '/admin/texts', from: 'serviceteam', reads: ['GET /admin/texts'] },
  {
    path: () => '/admin/jobs',
    place: '/admin/jobs',
    from: 'serviceteam',
    reads: ['GET /admin/jobs', 'GET /admin/jobs/kinds', 'GET /admin/jobs/history'],
    deeds: [
      { shown: button('Try again'), from: 'tho', call: 'POST /admin/jobs/:job_id/retry' },
      { shown: button('Drop …'), from: 'tho', call: 'DELETE /admin/jobs/:job_id' },
      { shown: button('Try all again'), from: 'tho', call: 'POST /admin/jobs/kinds/:job_kind/retry' },
      { shown: button('Drop all …'), from: 'tho', call: 'DELETE /admin/jobs/kinds/:job_kind/failed' },
      { shown: button('Pause'), from: 'tho', call: 'POST /admin/jobs/kinds/:job_kind/pause' },
    ],
  },
  {
    path: () => '/admin/feedback',
    place: '/admin/feedback',
    from: 'serviceteam',
    reads: ['GET /admin/feedback/reports', 'GET /admin/feedback/stats', 'GET /admin/feedback/roomlist'],
  },
  { path: () => '/admin/hunts', place: '/admin/hunts', from: 'serviceteam', reads: [] },
  {
    path: () => '/admin/categories',
    place: '/admin/categories',
    from: 'moderator',
    reads: ['GET /mod/categories'],
    deeds: [
      {
        shown: button('New category'),
        from: 'moderator',
        call: 'POST /mod/category/create',
        body: () => ({ title: 'x'.repeat(5), purpose: '' }),
      },
    ],
  },
  {
    path: () => '/admin/timezones',
    place: '/admin/timezones',
    from: 'serviceteam',
    reads: [],
    deeds: [{ shown: button('Read the file again'), from: 'admin', call: 'POST /admin/timezonechanges/reloadtzdata' }],
  },
  { path: () => '/admin/errors', place: '/admin/errors', from: 'serviceteam', reads: ['GET /admin/errors'] },
  { path: () => '/admin/audit', place: '/admin/audit', from: 'admin', reads: ['GET /admin/audit', 'GET /admin/audit/csv'] },
  {
    path: () => '/admin/backups',
    place: '/admin/backups',
    from: 'admin',
    reads: ['GET /admin/backups'],
    deeds: [
      { shown: button('Make a backup now'), from: 'admin', call: 'POST /admin/backups' },
      {
        shown: field('Make a backup every night'),
        from: 'admin',
        call: 'POST /admin/backups/schedule',
        body: () => ({ nightly: false, hour: 4, keep: 14 }),
      },
    ],
  },
  {
    path: () => '/admin/retention',
    place: '/admin/retention',
    from: 'admin',
    reads: ['GET /admin/retention'],
    deeds: [
      {
        shown: field('Private chats, days after their last message'),
        from: 'admin',
        call: 'POST /admin/retention',
        body: () => ({ deleted: 0, versions: 0, reports: 0, trails: 0, chats: 0 }),
      },
    ],
  },
  {
    path: () => '/admin/webhooks',
    place: '/admin/webhooks',
    from: 'admin',
    reads: ['GET /admin/webhooks'],
    deeds: [
      {
        shown: button('Make the webhook'),
        from: 'admin',
        call: 'POST /admin/webhooks/create',
        body: () => ({ name: 'Bot', url: 'http://127.0.0.1:9/', kinds: [] }),
      },
    ],
  },
  {
    path: () => '/admin/event',
    place: '/admin/event',
    from: 'serviceteam',
    reads: ['GET /admin/event'],
    deeds: [
      {
        shown: button('Name and dates'),
        from: 'admin',
        call: 'POST /admin/event/trip',
        body: () => ({ eventName: 'x', startDate: '2025-03-02', lengthInDays: 8 }),
      },
    ],
  },
  { path: () => '/admin/report', from: 'serviceteam', reads: ['GET /admin/report'] },
  {
    path: () => '/admin/end',
    from: 'admin',
    reads: ['GET /admin/wipe'],
    deeds: [
      {
        shown: (page) => page.getByRole('heading', { name: 'What happens' }),
        from: 'admin',
        call: 'POST /admin/wipe',
        body: () => ({ eventName: 'x', currentPassword: 'x' }),
      },
    ],
  },
  {
    path: () => '/admin/moving',
    place: '/admin/moving',
    from: 'admin',
    reads: ['GET /admin/bulkuserfile/images'],
    deeds: [
      {
        shown: button('Let only admins in'),
        from: 'admin',
        call: 'POST /admin/serversettings/update',
        body: () => ({ enableFeatures: [], disableFeatures: [] }),
      },
    ],
  },
]

const opens = ({ from, role }: Screen, looker: Looker): boolean => atLeast(levelOf(looker), from) || role === looker

/** The least level that a route wants, by the reference. */
const wanted = (call: string): string | undefined => {
  const found = expectations.find(({ method, path }) => `${method} ${path}` === call)
  return found?.who
}

test('screens and their deeds want what their routes want', () => {
  for (const { path, from, reads, deeds = [] } of screens) {
    for (const call of reads) {
      const level = wanted(call) as UserAccessLevel
      assert.ok(level, `${call} is a route`)
      assert.ok(atLeast(from, level), `${path()} opens from ${from} and reads ${call}, which is for ${level}`)
    }
    for (const { from: least, call } of deeds) assert.equal(least, wanted(call), `${path()}: ${call}`)
  }
})

for (const looker of lookers)
  test(`${looker}: sees what they may do, and nothing else`, async () => {
    const { page } = await web.openAs(cast[looker].username, { viewport: { width: 1280, height: 860 } })
    const mayAll = atLeast(levelOf(looker), 'moderator')
    if (mayAll) {
      await go(page, '/reports')
      await page.getByRole('navigation', { name: 'Console navigation' }).waitFor()
    }
    for (const screen of screens) {
      const { place } = screen
      if (place === undefined) continue
      const links = await page.locator(`.places a[href="${place}"]`).count()
      // Others have at most one of them, among their own places.
      assert.equal(links > 0, opens(screen, looker) && (mayAll || place === '/kiosk'), `${place} in the navigation`)
    }
    for (const screen of screens) {
      const path = screen.path()
      await go(page, path)
      const isOpen = opens(screen, looker)
      assert.equal((await page.getByText('This page is not for you').count()) === 0, isOpen, path)
      for (const { shown, from, call } of screen.deeds ?? []) {
        const may = isOpen && atLeast(levelOf(looker), from)
        if (may) await shown(page).first().waitFor()
        else assert.equal(await shown(page).count(), 0, `${path}: ${call} is not shown`)
      }
    }
  })

test('what is not shown is refused when it is called', async () => {
  for (const { reads, deeds = [] } of screens)
    for (const { call, body } of [...reads.map((read) => ({ call: read, body: undefined })), ...deeds]) {
      const least = wanted(call) as UserAccessLevel
      const [method = 'GET', pattern = ''] = call.split(' ')
      const path = pattern
        .replace(':user_id', subject.id)
        .replace(':job_id', '1')
        .replace(':user_role', 'shutternaut')
        .replace(':quarantine_length', '1')
        .replace(':text_name', 'faq.md')
      for (const looker of lookers) {
        // At the desk they need codes.
        const mayByRole = looker === 'accountmanager' && /^\/admin\/regcodes\/(stats|find|findbyuser|unlock)\b/.test(pattern)
        if (atLeast(levelOf(looker), least) || mayByRole) continue
        const { one } = cast[looker]
        await refused(request(one, method, path, body?.()), 403)
      }
    }
})

test('an account manager may use what the desk calls, and nothing beside it', async () => {
  const [manager, plain] = [cast.accountmanager.one, cast.verified.one]
  await nodes.sql`insert into registration_code (code, person_id) values ('desk01', ${subject.id})`
  assert.equal((await manager.post('/auth/username', { registrationCode: 'DESK 01' })).body.username, subject.username)
  await refused(plain.post('/auth/username', { registrationCode: 'desk01' }), 400)
  assert.equal((await manager.post(`/admin/regcodes/unlock/${subject.id}`)).status, 200)
  await refused(plain.post(`/admin/regcodes/unlock/${subject.id}`), 403)
  for (const path of ['/admin/regcodes/find/desk01', `/admin/regcodes/findbyuser/${subject.id}`, '/admin/regcodes/stats']) {
    assert.equal((await manager.get(path)).status, 200, path)
    await refused(plain.get(path), 403)
  }
  await refused(manager.get('/admin/users'), 403)

  const { page } = await web.openAs(cast.accountmanager.username)
  await page.goto('/kiosk')
  await page.getByLabel('Whose code is it?').fill('desk01')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(`@${subject.username}`).first().waitFor()
  await page.getByRole('searchbox', { name: 'Find by name, cabin or code' }).fill('subject')
  await page.getByRole('button', { name: /Subject/ }).click()
  await page.getByRole('button', { name: 'Let the code be used once more' }).click()
  await page.getByText('can be used for a recovery again').waitFor()
})

const request = (client: Client, method: string, path: string, body?: unknown) =>
  client.request(method, path, body === undefined ? {} : { body })
