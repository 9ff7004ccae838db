// A place with something on every page of the console.
import { figuresIn } from '../../src/console/figures.ts'
import type { TestNodes } from './app.ts'
import { body, people, type Person } from './fez.ts'
import { startForum } from './forum.ts'
import { sungSong } from './microkaraoke.ts'
import { apply, type Listed } from './schedule.ts'

export interface ConsolePlace {
  admin: Person
  subject: Person
  forumID: string
}

/** Something on every page. */
export async function fillConsole(nodes: TestNodes): Promise<ConsolePlace> {
  const [host, mara, otto] = (await people(
    nodes,
    { level: 'admin', username: 'captain', displayName: 'The Captain' },
    { username: 'mara.v', displayName: 'Mara Vogel' },
    { username: 'otto', displayName: 'Otto' },
  )) as [Person, Person, Person]
  const profile = { message: '', email: '', homeLocation: '', preferredPronoun: '', realName: '', roomNumber: '' }
  for (const about of ['I collect towels.', 'I collect towels. Mine is blue.'])
    await body(mara.one.post('/user/profile', { ...profile, displayName: 'Mara Vogel', about }))
  const { forumID } = await startForum(mara.one, 'Who has seen my towel?')
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
  const displayUntil = new Date(Date.now() + 3 * 24 * 60 * 60_000).toISOString()
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
  // Servers may have noted some of these minutes by themselves.
  await nodes.sql`
    insert into job_run (at, job, done, failed, ms, longest_ms)
    select date_bin('5 minutes', now(), '2000-01-01') - steps * interval '5 minutes', job, 3 + (2 * sin(steps / 20.0))::int, (steps % 97 = 0)::int, 120, 90
    from generate_series(0, 280) as steps, unnest(array['hits-notify', 'alertword-scan', 'image']) as job
    on conflict do nothing`
  await nodes.sql`
    insert into passkey (id, account_id, credential_id, public_key, counter, host, name, created_at, last_used_at)
    values (gen_random_uuid(), ${mara.id}, 'key', '', 3, 'ship.example', 'My phone', now() - interval '6 days', now() - interval '2 hours')`
  await nodes.sql`
    insert into oidc_identity (id, account_id, issuer, subject, name, created_at, last_used_at)
    values (gen_random_uuid(), ${mara.id}, 'https://college.example', 'subject', 'a.long.name.of.somebody@college.example', now() - interval '5 days', now())`
  await nodes.sql`insert into paused_job (job, paused_by, paused_at) values ('schedule-reload', ${host.id}, now() - interval '2 hours')`
  await nodes.sql`
    insert into figure select date_trunc('minute', now()) - minutes * interval '1 minute', 40 + (20 * sin(minutes / 90.0))::int, 300, 0, 20, 2, 20, 1, 0, 180, 90000
    from generate_series(1, 900) as minutes
    on conflict do nothing`
  await nodes.sql`
    insert into incident (kind, subject, state, sentence, mend, code, "values", began_at, ended_at) values
      ('workers', '', 'bad', 'No worker runs.', 'Start one: npm start runs a server with its worker, npm start -- worker a worker alone.',
        'worker-none', '{}', now() - interval '20 minutes', null),
      ('disk', '', 'warning', '3.2 GB free in data.', 'Pictures of a week may take 5 GB or more.', 'disk-low',
        '{"free": 3.2, "folder": "data"}', now() - interval '3 hours', null),
      ('processes', 'server server aft', 'bad', 'The server server on aft ended unexpectedly.', null, 'server-silent',
        '{"name": "server", "host": "aft"}', now() - interval '26 hours', now() - interval '25 hours')`
  await nodes.sql`
    insert into webhook_endpoint (id, name, url, secret, kinds, is_paused, created_at) values
      ('00000000-0000-4000-8000-00000000e001', 'Board in the lobby', 'https://hooks.example/board', '\\x00',
        '{announcement.created,schedule.updated}', false, now() - interval '2 days'),
      ('00000000-0000-4000-8000-00000000e002', 'Welcome bot', 'https://bots.aft.example/welcome', '\\x00', '{user.created}', true, now())`
  await nodes.sql`
    insert into webhook_delivery (id, endpoint_id, kind, body, created_at, state, attempts, last_tried_at, status, reason)
    select gen_random_uuid(), '00000000-0000-4000-8000-00000000e001', kind, '{"type":"' || kind || '","data":{}}',
      now() - minutes * interval '1 minute', state, attempts, now() - minutes * interval '1 minute', status, reason
    from (values ('announcement.created', 3, 'waiting', 4, 503, null), ('schedule.updated', 90, 'sent', 1, 204, null),
      ('announcement.created', 1500, 'failed', 32, null, 'The address could not be reached.')) as one (kind, minutes, state, attempts, status, reason)`
  for (const { node } of nodes.apps) figuresIn(node).sample()
  await body(host.one.post('/admin/backups'))
  return { admin: host, subject: mara, forumID }
}
