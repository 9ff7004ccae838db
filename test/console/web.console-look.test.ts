// Every page of the console, wide and narrow, by day and by night, in both languages: nothing is wider than the screen, and
// axe finds nothing. `PICTURES=folder` keeps a picture of each page.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { figuresIn } from '../../src/console/figures.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { phone, violations } from '../support/browser.ts'
import { body, people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { sungSong } from '../support/microkaraoke.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { go, webTests } from '../support/web.ts'

let admin: Person
let subject: Person
let forumID: string
const web = webTests(() => startTestNodes(1, { workers: 1 }), fill)

/** Something on every page. */
async function fill(nodes: TestNodes): Promise<void> {
  const [host, mara, otto] = (await people(
    nodes,
    { level: 'admin', username: 'captain', displayName: 'The Captain' },
    { username: 'mara.v', displayName: 'Mara Vogel' },
    { username: 'otto', displayName: 'Otto' },
  )) as [Person, Person, Person]
  admin = host
  subject = mara
  ;({ forumID } = await startForum(mara.one, 'Who has seen my towel?'))
  await body(otto.one.post(`/forum/${forumID}/report`, { message: 'Asks this every day.' }), 201)
  await body(otto.one.post(`/users/${mara.id}/report`, { message: 'The picture is not theirs.' }), 201)
  await nodes.sql`insert into registration_code (code, person_id) values ('mara01', ${mara.id}), ('free01', null), ('free02', null)`
  await body(
    host.one.post('/admin/serversettings/update', {
      maxForumPostImages: 6,
      shipWifiSSID: 'Ship-Net',
      scheduleUpdateURL: 'https://schedule.example/all.ics',
      enableFeatures: [],
      disableFeatures: [{ app: 'all', feature: 'karaoke' }],
    }),
  )
  await body(host.one.post('/admin/texts/faq.md', { content: '# Questions\n\n## Where is the bar?\n\nOn **deck 9**, behind the pool.' }))
  await body(host.one.post('/mod/templates', { title: 'A kind word', content: 'Hello {name}, please have a look at our rules.' }), 201)
  const event = (uid: string, title: string, hour: number, more: Partial<Listed> = {}): Listed => ({
    uid,
    title,
    description: 'About it',
    location: 'Lounge',
    start: new Date(Date.UTC(2026, 2, 3, 12 + hour)).toISOString(),
    end: new Date(Date.UTC(2026, 2, 3, 13 + hour)).toISOString(),
    ...more,
  })
  const before = [event('a', 'Breakfast yoga', 2), event('b', 'Pub quiz', 6), event('c', 'Magic show', 8), event('d', 'Choir', 9)]
  await apply(host, before)
  await apply(host, [
    event('a', 'Breakfast yoga', 3),
    event('b', 'Pub quiz', 6, { location: 'Atrium' }),
    event('d', 'Choir', 9),
    event('e', 'Concert', 10),
  ])
  await sungSong(nodes, [mara.id, otto.id])
  const displayUntil = new Date(Date.now() + 6 * 60 * 60_000).toISOString()
  const text = 'The pool closes at 22:00 tonight. Towels go back to the basket, please.'
  await body(host.one.post('/notification/announcement/create', { text, displayUntil }), 201)
  await body(host.one.post('/admin/dailytheme/create', { title: 'Pirates', info: 'Striped shirts, no real cutlasses.', cruiseDay: 2 }), 201)
  await nodes.sql`alter table note rename to note_away`
  for (let count = 0; count < 3; count++) await host.one.post(`/users/${mara.id}/note`, { note: 'She fails.' })
  await nodes.sql`alter table note_away rename to note`
  const ends = new Date(0).toISOString()
  await nodes.sql`
    insert into outbox (job, payload, run_at, failures, last_error)
    values ('ban-ending', ${nodes.sql.json({ personID: mara.id, until: ends })}, now() + interval '1 hour', 20, 'Error: no network')`
  await nodes.sql`
    insert into job_run (at, job, done, failed, ms, longest_ms)
    select date_bin('5 minutes', now(), '2000-01-01') - steps * interval '5 minutes', job, 3 + (2 * sin(steps / 20.0))::int, (steps % 97 = 0)::int, 120, 90
    from generate_series(0, 280) as steps, unnest(array['hits-notify', 'alertword-scan', 'image']) as job`
  await nodes.sql`insert into paused_job (job, paused_by, paused_at) values ('schedule-reload', ${host.id}, now() - interval '2 hours')`
  await nodes.sql`
    insert into figure select date_trunc('minute', now()) - minutes * interval '1 minute', 40 + (20 * sin(minutes / 90.0))::int, 300, 0, 20, 2, 20, 1, 0, 180, 90000
    from generate_series(1, 900) as minutes`
  await nodes.sql`
    insert into incident (kind, subject, state, sentence, mend, code, "values", began_at, ended_at) values
      ('workers', '', 'bad', 'No worker runs.', 'Start one: npm start runs a server with its worker, npm start -- worker a worker alone.',
        'worker-none', '{}', now() - interval '20 minutes', null),
      ('disk', '', 'warning', '3.2 GB free in data.', 'Pictures of a week may take 5 GB or more.', 'disk-low',
        '{"free": 3.2, "folder": "data"}', now() - interval '3 hours', null),
      ('processes', 'server server aft', 'bad', 'The server server on aft ended unexpectedly.', null, 'server-silent',
        '{"name": "server", "host": "aft"}', now() - interval '26 hours', now() - interval '25 hours')`
  for (const { node } of nodes.apps) figuresIn(node).sample()
  await body(host.one.post('/admin/backups'))
}

/** Paths; some with the number of the tab that is opened there. */
const pages = (): Record<string, string | readonly [path: string, tab: number]> => ({
  reports: '/reports',
  log: '/moderator',
  moderate: `/moderate/forum/${forumID}`,
  letters: '/admin/templates',
  people: '/admin/users',
  person: `/admin/users/${subject.id}`,
  written: `/moderator/written/${subject.id}`,
  dashboard: '/admin',
  checks: '/admin/checks',
  incidents: '/admin/incidents',
  event: '/admin/event',
  'event-before': ['/admin/event', 0],
  'event-during': ['/admin/event', 1],
  'event-after': ['/admin/event', 2],
  report: '/admin/report',
  end: '/admin/end',
  moving: '/admin/moving',
  feedback: '/admin/feedback',
  hunts: '/admin/hunts',
  'hunt-new': '/admin/hunts/new',
  categories: '/admin/categories',
  zones: '/admin/timezones',
  announcements: '/admin/announcements',
  schedule: '/admin/schedule',
  libraries: '/admin/games',
  performers: '/admin/performers',
  microkaraoke: '/admin/microkaraoke',
  themes: '/admin/themes',
  codes: '/admin/codes',
  desk: '/kiosk',
  settings: '/admin/settings',
  texts: '/admin/texts',
  text: '/admin/texts/faq.md',
  jobs: '/admin/jobs',
  errors: '/admin/errors',
  backups: '/admin/backups',
  audit: '/admin/audit',
  menu: '/admin/menu',
  'own-data': '/account/data',
})

const folder = process.env['PICTURES']

for (const { viewport, locale } of [
  { viewport: { width: 1280, height: 900 }, locale: 'en-GB' },
  { viewport: phone, locale: 'de-DE' },
  // To be looked at alone: what fits in one language and width is worth a look in the others.
  ...(folder
    ? [
        { viewport: { width: 1280, height: 900 }, locale: 'de-DE' },
        { viewport: phone, locale: 'en-GB' },
      ]
    : []),
])
  test(`all pages of the console fit a screen of ${viewport.width} px, by day and by night, ${locale}`, async () => {
    const { page } = await web.open({ viewport, locale, bypassCSP: true })
    await page.goto('/login')
    await page.locator('input[name=username]').fill(admin.username)
    await page.locator('input[name=password]').fill(testPassword)
    await page.locator('button[type=submit]').click()
    await page.locator('nav.places').waitFor()
    const found: string[] = []
    for (const [name, place] of Object.entries(pages())) {
      const [path, tab] = typeof place === 'string' ? [place] : place
      await go(page, path)
      if (tab !== undefined) await page.locator('main .tabs button').nth(tab).click()
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than the screen`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        found.push(...(await violations(page)).map((violation) => `${path} ${colorScheme}: ${violation}`))
        if (!folder) continue
        mkdirSync(folder, { recursive: true })
        const file = `${name}-${viewport.width}-${colorScheme}-${locale.slice(0, 2)}.png`
        await page.screenshot({ path: join(folder, file), fullPage: true })
      }
    }
    assert.deepEqual(found, [])
  })
