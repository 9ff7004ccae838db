// The audit trail: every use of a right that others do not have leaves an entry, in the transaction that
// uses it. A new route for moderators and above fails here until it does.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { exportPath } from '../../src/console/exports.service.ts'
import { backupFolder } from '../../src/operate/backup-files.ts'
import type { App } from '../../src/app.ts'
import { atLeast, type UserAccessLevel } from '../../src/core/base/viewer.ts'
import { expectations } from '../access-table.ts'
import { testPassword, testRecoveryKey } from '../support/accounts.ts'
import { onlySettings } from '../support/settings.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { givenFeedback } from '../support/feedback.ts'
import { body, createChat, createSeamail, lfg, people, say, type Person } from '../support/fez.ts'
import { categories, content, newCategory, postIn, startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { apply } from '../support/schedule.ts'
import { sheetFile } from '../support/sheets.ts'
import { sungSong } from '../support/microkaraoke.ts'
import { streamPhoto } from '../support/photostream.ts'
import { boardItem } from '../support/quartermaster.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'
import { startWebhook, type Webhook } from '../support/webhook.ts'
import { insertIdentity, insertPasskey } from '../support/ways-in.ts'

let nodes: TestNodes
let admin: Person
let user: Person
let webhook: Webhook<unknown>
before(async () => {
  webhook = await startWebhook()
  nodes = await startTestNodes(2, { env: { OUTSIDE_HOSTS: '127.0.0.1' } })
  ;[admin, user] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
})
after(async () => {
  await nodes.stop()
  webhook.close()
})
let isClosed = false
afterEach(async () => {
  if (isClosed) await admit('banned')
})
/** Lets only those in who have at least this level. */
async function admit(minUserAccessLevel: string): Promise<void> {
  await body(admin.one.post('/admin/serversettings/update', { minUserAccessLevel, enableFeatures: [], disableFeatures: [] }))
  isClosed = minUserAccessLevel !== 'banned'
}

interface Call {
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH'
  path: string
  body?: unknown
  /** Whom it concerns; default: the user. */
  whom?: string | null
}

let requests = 0

/** Files of users are only taken while the server is closed to everybody else. */
const reopen = () => onlySettings(nodes)

/** Makes a call and returns the entries that it left. */
async function entriesOf(
  { method, path, body: sent }: Call,
  client: Client = admin.two,
): Promise<{ answer: Answer; entries: Record<string, unknown>[] }> {
  const requestId = `audited-${++requests}`
  const answer = await client.request(method, path, {
    ...(sent === undefined ? {} : { body: sent }),
    headers: { 'x-request-id': requestId },
  })
  const entries =
    await nodes.sql`select actor_id, action, subject_type, subject_id, user_id, details from audit where request_id = ${requestId} order by id`
  return { answer, entries: [...entries] }
}

const forum = async (method: Call['method'], tail: string): Promise<Call> => ({
  method,
  path: `/forum/${(await startForum(user.one, 'A forum')).forumID}${tail}`,
})
const chat = async (method: Call['method'], tail: string): Promise<Call> => ({ method, path: `/fez/${await createChat(user.one)}${tail}` })
const someone = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const report = async (): Promise<string> => {
  const reporter = await someone()
  await body(reporter.one.post(`/users/${user.id}/report`, { message: '' }), 201)
  return (await body(admin.one.get('/mod/reports')))[0].id
}
const announcement = async (): Promise<string> => {
  const displayUntil = new Date(Date.now() + 3_600_000).toISOString()
  await body(admin.one.post('/notification/announcement/create', { text: 'Hear', displayUntil }), 201)
  return String((await body(admin.one.get('/notification/announcements')))[0].id)
}
const privateEvent = async ({ one }: Person): Promise<string> =>
  (
    await body(
      one.post('/personalevents/create', {
        title: 'A dinner',
        startTime: new Date(Date.now() + 3_600_000).toISOString(),
        endTime: new Date(Date.now() + 7_200_000).toISOString(),
        participants: [(await someone()).id],
      }),
      201,
    )
  ).personalEventID
let day = 0
const themeData = () => ({ title: 'A theme', info: 'About it', cruiseDay: ++day })
const theme = async (): Promise<string> => {
  const data = themeData()
  await body(admin.one.post('/admin/dailytheme/create', data), 201)
  return (await body(admin.one.get('/notification/dailythemes'))).find(
    ({ cruiseDay }: { cruiseDay: number }) => cruiseDay === data.cruiseDay,
  ).themeID
}
const post = (path: string, sent?: unknown, whom?: string | null): Call => ({
  method: 'POST',
  path,
  body: sent,
  ...(whom === undefined ? {} : { whom }),
})
const get = (path: string, whom?: string | null): Call => ({ method: 'GET', path, ...(whom === undefined ? {} : { whom }) })
const remove = (path: string, whom?: string | null): Call => ({ method: 'DELETE', path, ...(whom === undefined ? {} : { whom }) })
const patch = (path: string): Call => ({ method: 'PATCH', path, body: { title: 'Another title' }, whom: null })
let hunts = 0
const huntData = () => ({
  title: `Hunt ${++hunts}`,
  description: 'About it',
  puzzles: [{ title: 'A puzzle', body: 'Its text', answer: 'Its answer', hints: {} }],
})
const hunt = async (): Promise<{ huntID: string; puzzles: { puzzleID: string }[] }> => {
  const data = huntData()
  await body(admin.one.post('/hunts/create', data), 201)
  const { huntID } = (await body(admin.one.get('/hunts'))).hunts.find(({ title }: { title: string }) => title === data.title)
  return await body(admin.one.get(`/hunts/${huntID}`))
}
/** A file in the folder of backups. */
const backupFile = async (): Promise<string> => {
  const name = 'quarterdeck-audit.tar'
  await mkdir(backupFolder(nodes.config), { recursive: true })
  await writeFile(join(backupFolder(nodes.config), name), 'x')
  return name
}
/** One that is due in a year. */
const job = async (): Promise<number> => {
  const [row] = await nodes.sql<{ id: number }[]>`
    insert into outbox (job, payload, run_at) values ('fez-starting', '{}', now() + interval '1 year') returning id::float8 as id`
  return (row as { id: number }).id
}
const failedJob = () =>
  nodes.sql`insert into outbox (job, payload, run_at, failures) values ('ban-ending', '{}', now() + interval '1 year', 20)`
const template = async (): Promise<string> =>
  (await body(admin.one.post('/mod/templates', { title: 'A letter', content: 'Hello' }), 201)).templateID
const planned = { text: 'Later', showAt: '2099-01-01T00:00:00Z', displayUntil: '2099-01-02T00:00:00Z' }
let ofAudit = 0
const category = async (): Promise<string> =>
  (await body(admin.one.post('/mod/category/create', { title: `For the audit ${++ofAudit}`, purpose: '' }), 201)).categoryID
const categoryIDs = async (): Promise<string[]> =>
  ((await body(admin.one.get('/mod/categories'))) as { categoryID: string }[]).map(({ categoryID }) => categoryID)
let performers = 0
const performerData = () => ({
  name: `Performer ${++performers}`,
  photo: {},
  isOfficialPerformer: true,
  yearsAttended: [],
  eventUIDs: [],
})
const performer = async (): Promise<string> => {
  const data = performerData()
  await body(admin.one.post('/admin/performer/upsert', data))
  return (await body(admin.one.get('/performer/official?limit=200'))).performers.find(({ name }: { name: string }) => name === data.name).id
}
const performerSheet = async () => JSON.stringify((await sheetFile([['Day', 'Start']])).toString('base64'))
const later = new Date(Date.now() + 3_600_000).toISOString()

/** How each route that only moderators and above may call is called so that it does something. */
const calls: Record<string, () => Promise<Call> | Call> = {
  'POST /admin/moderator/promote/:user_id': async () => {
    const { id } = await someone()
    return post(`/admin/moderator/promote/${id}`, undefined, id)
  },
  'POST /admin/serviceteam/promote/:user_id': async () => {
    const { id } = await someone()
    return post(`/admin/serviceteam/promote/${id}`, undefined, id)
  },
  'POST /admin/admin/promote/:user_id': async () => {
    const { id } = await someone()
    return post(`/admin/admin/promote/${id}`, undefined, id)
  },
  'POST /admin/tho/promote/:user_id': async () => {
    const { id } = await someone()
    return post(`/admin/tho/promote/${id}`, undefined, id)
  },
  'POST /admin/user/demote/:user_id': async () => {
    const { id } = await someone({ level: 'moderator' })
    return post(`/admin/user/demote/${id}`, undefined, id)
  },
  'POST /admin/userroles/:user_role/addrole/:user_id': () => post(`/admin/userroles/karaokemanager/addrole/${user.id}`),
  'POST /admin/userroles/:user_role/removerole/:user_id': async () => {
    const { id } = await someone({ roles: ['shutternaut'] })
    return post(`/admin/userroles/shutternaut/removerole/${id}`, undefined, id)
  },
  'POST /admin/serversettings/update': () =>
    post('/admin/serversettings/update', { maximumTwarrts: 199, enableFeatures: [], disableFeatures: [] }, null),
  'POST /admin/incidents/webhook': () => post('/admin/incidents/webhook', { url: webhook.url }, null),
  'POST /admin/incidents/webhook/quiet': async () => {
    await body(admin.one.post('/admin/incidents/webhook', { url: webhook.url }))
    return post('/admin/incidents/webhook/quiet', { quietFrom: '22:00', quietTo: '07:00' }, null)
  },
  'POST /admin/incidents/webhook/test': async () => {
    await body(admin.one.post('/admin/incidents/webhook', { url: webhook.url }))
    return post('/admin/incidents/webhook/test', undefined, null)
  },
  'DELETE /admin/incidents/webhook': async () => {
    await body(admin.one.post('/admin/incidents/webhook', { url: webhook.url }))
    return remove('/admin/incidents/webhook', null)
  },
  'POST /admin/retention': () => post('/admin/retention', { deleted: 399, versions: 0, reports: 0, trails: 0, chats: 0 }, null),
  'POST /admin/webhooks/create': () => post('/admin/webhooks/create', endpoint(), null),
  'POST /admin/webhooks/:endpoint_id': async () => post(`/admin/webhooks/${await newEndpoint()}`, { isPaused: true }, null),
  'DELETE /admin/webhooks/:endpoint_id': async () => remove(`/admin/webhooks/${await newEndpoint()}`, null),
  'POST /admin/webhooks/:endpoint_id/test': async () => post(`/admin/webhooks/${await newEndpoint()}/test`, undefined, null),
  'POST /admin/webhooks/:endpoint_id/deliveries/:delivery_id/again': async () => {
    const endpointID = await newEndpoint()
    const [{ id }] = await nodes.sql<[{ id: string }]>`
      insert into webhook_delivery (id, endpoint_id, kind, body, created_at, state)
      values (gen_random_uuid(), ${endpointID}, 'test', '{}', now(), 'failed') returning id`
    return post(`/admin/webhooks/${endpointID}/deliveries/${id}/again`, undefined, null)
  },
  'POST /admin/settings/:setting_name/reset': async () => {
    await body(admin.one.post('/admin/serversettings/update', { maximumForums: 199, enableFeatures: [], disableFeatures: [] }))
    return post('/admin/settings/maximumForums/reset', undefined, null)
  },
  'POST /admin/texts/:text_name': () => post('/admin/texts/faq.md', { content: '# Ours' }, null),
  'DELETE /admin/texts/:text_name': async () => {
    await body(admin.one.post('/admin/texts/faq.md', { content: '# Ours' }))
    return remove('/admin/texts/faq.md', null)
  },
  'POST /admin/timezonechanges/reloadtzdata': () => post('/admin/timezonechanges/reloadtzdata', undefined, null),
  'POST /admin/regcodes/unlock/:userID': async () => {
    const { id } = await someone()
    await nodes.sql`insert into registration_code (code, person_id) values (${id.slice(0, 6)}, ${id})`
    return post(`/admin/regcodes/unlock/${id}`, undefined, id)
  },
  'POST /admin/regcodes/discord/allocate/:username': () => post('/admin/regcodes/discord/allocate/somebody', undefined, null),
  'POST /admin/notifications/reload': () => post('/admin/notifications/reload', undefined, null),
  'POST /admin/memory/reload': () => post('/admin/memory/reload', undefined, null),
  'POST /admin/dailytheme/create': () => post('/admin/dailytheme/create', themeData(), null),
  'POST /admin/dailytheme/table': () => post('/admin/dailytheme/table', { themes: [{ cruiseDay: 300, title: 'A theme' }] }, null),
  'POST /admin/dailytheme/:themeID/edit': async () => post(`/admin/dailytheme/${await theme()}/edit`, themeData(), null),
  'POST /admin/dailytheme/:themeID/delete': async () => post(`/admin/dailytheme/${await theme()}/delete`, undefined, null),
  'DELETE /admin/dailytheme/:themeID': async () => remove(`/admin/dailytheme/${await theme()}`, null),
  'POST /admin/schedule/update': () => post('/admin/schedule/update', { schedule: '' }, null),
  'POST /admin/schedule/verify': () => post('/admin/schedule/verify', { schedule: '' }, null),
  'POST /admin/schedule/update/apply': async () => {
    await body(admin.one.post('/admin/schedule/update', { schedule: '' }))
    return post('/admin/schedule/update/apply', undefined, null)
  },
  'POST /admin/schedule/viewlog/:schedule_log_id/undo': async () => {
    const start = new Date(Date.now() + 86_400_000).toISOString()
    await apply(admin, [{ uid: randomUUID(), title: 'To be undone', start, end: start }], { deletes: false })
    const [{ entryID }] = await body(admin.one.get('/admin/schedule/viewlog'))
    return post(`/admin/schedule/viewlog/${entryID}/undo`, undefined, null)
  },
  'POST /admin/schedule/reload': () => post('/admin/schedule/reload', undefined, null),
  'POST /events/update': () => post('/events/update', { schedule: '' }, null),
  'POST /boardgames/reload': () => post('/boardgames/reload', undefined, null),
  'POST /karaoke/reload': () => post('/karaoke/reload', undefined, null),
  'POST /mod/photostream/:stream_photoID/setstate/:mod_state': async () =>
    post(`/mod/photostream/${await streamPhoto(nodes, user)}/setstate/locked`),
  'POST /mod/quartermaster/:item_id/setstate/:mod_state': async () =>
    post(`/mod/quartermaster/${await boardItem(user.one)}/setstate/locked`),
  'POST /mod/photostream/:stream_photoID/delete': async () => post(`/mod/photostream/${await streamPhoto(nodes, user)}/delete`),
  'DELETE /mod/photostream/:stream_photoID': async () => remove(`/mod/photostream/${await streamPhoto(nodes, user)}`),
  'POST /admin/feedback/report/:feedback_id/mark': async () => post(`/admin/feedback/report/${await givenFeedback(nodes, user)}/mark`),
  'POST /admin/feedback/report/:feedback_id/unmark': async () =>
    post(`/admin/feedback/report/${await givenFeedback(nodes, user, { isActionable: true })}/unmark`),
  'DELETE /admin/feedback/report/:feedback_id/mark': async () =>
    remove(`/admin/feedback/report/${await givenFeedback(nodes, user, { isActionable: true })}/mark`),
  'POST /hunts/create': () => post('/hunts/create', huntData(), null),
  'PATCH /hunts/:hunt_id': async () => patch(`/hunts/${(await hunt()).huntID}`),
  'PATCH /hunts/puzzles/:puzzle_id': async () => patch(`/hunts/puzzles/${(await hunt()).puzzles[0]?.puzzleID}`),
  'DELETE /hunts/:hunt_id': async () => remove(`/hunts/${(await hunt()).huntID}`, null),
  'POST /admin/performer/upsert': () => post('/admin/performer/upsert', performerData(), null),
  'DELETE /admin/performer/:performer_id': async () => remove(`/admin/performer/${await performer()}`, null),
  'DELETE /performer/:performer_id': async () => remove(`/performer/${await performer()}`, null),
  'POST /admin/performer/link/upload': async () => post('/admin/performer/link/upload', await performerSheet(), null),
  'POST /admin/performer/link/apply': async () => {
    await body(admin.one.post('/admin/performer/link/upload', await performerSheet()))
    return post('/admin/performer/link/apply', undefined, null)
  },
  'POST /admin/performer/bulk/upload': () => post('/admin/performer/bulk/upload', [], null),
  'POST /admin/performer/bulk/apply': async () => {
    await body(admin.one.post('/admin/performer/bulk/upload', []))
    return post('/admin/performer/bulk/apply', undefined, null)
  },
  'POST /admin/bulkuserfile/ticket': async () => {
    await admit('admin')
    return post('/admin/bulkuserfile/ticket', { currentPassword: testPassword }, null)
  },
  'POST /admin/bulkuserfile/upload': async () => post('/admin/bulkuserfile/upload', await userFile(), null),
  'POST /admin/bulkuserfile/update/apply': async () => {
    await body(admin.one.post('/admin/bulkuserfile/upload', await userFile()))
    return post('/admin/bulkuserfile/update/apply', undefined, null)
  },
  'POST /fez/:fezID/delete': () => chat('POST', '/delete'),
  'DELETE /fez/:fezID': () => chat('DELETE', ''),
  'POST /forum/:forum_id/delete': () => forum('POST', '/delete'),
  'DELETE /forum/:forum_id': () => forum('DELETE', ''),
  'POST /forum/:forum_id/pin': () => forum('POST', '/pin'),
  'POST /forum/:forum_id/pin/remove': () => unpin('POST', '/pin/remove'),
  'DELETE /forum/:forum_id/pin': () => unpin('DELETE', '/pin'),
  'POST /mod/reports/:report_id/handleall': async () => post(`/mod/reports/${await report()}/handleall`),
  'POST /mod/reports/:report_id/closeall': async () => post(`/mod/reports/${await report()}/closeall`),
  'POST /mod/fez/:fez_id/setstate/:mod_state': async () => post(`/mod/fez/${await createChat(user.one)}/setstate/locked`),
  'POST /mod/fezpost/:post_id/setstate/:mod_state': async () =>
    post(`/mod/fezpost/${await say(user.one, await createChat(user.one), 'hello')}/setstate/locked`),
  'POST /mod/forum/:forum_id/setstate/:mod_state': async () =>
    post(`/mod/forum/${(await startForum(user.one, 'A forum')).forumID}/setstate/locked`),
  'POST /mod/content/setstate/:mod_state': async () =>
    post('/mod/content/setstate/locked', { items: [{ type: 'twarrt', id: String(await write(user.one, 'A post')) }] }),
  'POST /mod/content/delete': async () =>
    post('/mod/content/delete', { items: [{ type: 'twarrt', id: String(await write(user.one, 'A post')) }] }),
  'POST /admin/announcements/planned': () => post('/admin/announcements/planned', planned, null),
  'DELETE /admin/announcements/planned/:planned_id': async () =>
    remove(
      `/admin/announcements/planned/${(await body(admin.one.post('/admin/announcements/planned', planned), 201)).plannedID}`,
      admin.id,
    ),
  'POST /mod/templates': () => post('/mod/templates', { title: 'A letter', content: 'Hello' }, null),
  'POST /mod/templates/:template_id': async () => post(`/mod/templates/${await template()}`, { title: 'A letter', content: 'Hi' }, null),
  'DELETE /mod/templates/:template_id': async () => remove(`/mod/templates/${await template()}`, null),
  'POST /mod/fez/:fez_id/slowmode': async () => post(`/mod/fez/${await createChat(user.one)}/slowmode`, { seconds: 30 }),
  'POST /mod/forum/:forum_id/slowmode': async () =>
    post(`/mod/forum/${(await startForum(user.one, 'A forum')).forumID}/slowmode`, { seconds: 30 }),
  'POST /mod/microblog/slowmode': async () => {
    const [row] = await nodes.sql<{ value: number }[]>`select value from setting where name = 'settings.microblogSlowSeconds'`
    return post('/mod/microblog/slowmode', { seconds: row?.value === 1 ? 0 : 1 }, null)
  },
  'POST /mod/forum/:forum_id/setcategory/:category_id': async () =>
    post(`/mod/forum/${(await startForum(user.one, 'A forum')).forumID}/setcategory/${await newCategory(nodes)}`),
  'POST /mod/forumpost/:post_id/setstate/:mod_state': async () =>
    post(`/mod/forumpost/${(await startForum(user.one, 'A forum')).postID}/setstate/locked`),
  'POST /mod/forumPost/:post_id/setstate/:mod_state': async () =>
    post(`/mod/forumPost/${(await startForum(user.one, 'A forum')).postID}/setstate/locked`),
  'POST /mod/microblog/:post_id/setstate/:mod_state': async () => post(`/mod/microblog/${await write(user.one, 'A post')}/setstate/locked`),
  'POST /mod/twarrt/:post_id/setstate/:mod_state': async () => post(`/mod/twarrt/${await write(user.one, 'A post')}/setstate/locked`),
  'POST /mod/microkaraoke/snippet/:micro_karaoke_snippet_id/delete': async () =>
    post(`/mod/microkaraoke/snippet/${(await sungSong(nodes, [user.id])).snippetIDs[0]}/delete`),
  'DELETE /mod/microkaraoke/snippet/:micro_karaoke_snippet_id': async () =>
    remove(`/mod/microkaraoke/snippet/${(await sungSong(nodes, [user.id])).snippetIDs[0]}`),
  'POST /mod/microkaraoke/approve/:micro_karaoke_song_id': async () =>
    post(`/mod/microkaraoke/approve/${(await sungSong(nodes, [user.id])).songID}`, undefined, builtIn.MicroKaraoke),
  'POST /mod/category/create': () => post('/mod/category/create', { title: 'A category for the audit', purpose: '' }, null),
  'POST /mod/categories/order': async () => post('/mod/categories/order', { categoryIDs: await categoryIDs() }, null),
  'POST /mod/category/:category_id/update': async () =>
    post(
      `/mod/category/${await category()}/update`,
      { title: 'Changed', purpose: '', accessLevelToView: 'unverified', accessLevelToCreate: 'verified' },
      null,
    ),
  'DELETE /mod/category/:category_id': async () => remove(`/mod/category/${await category()}`, null),
  'POST /mod/profile/:user_id/setstate/:mod_state': () => post(`/mod/profile/${user.id}/setstate/reviewed`),
  'POST /mod/user/:user_id/setaccesslevel/:access_level': async () => {
    const { id } = await someone()
    return post(`/mod/user/${id}/setaccesslevel/quarantined`, undefined, id)
  },
  'POST /mod/user/:user_id/tempquarantine/:quarantine_length': async () => {
    const { id } = await someone()
    return post(`/mod/user/${id}/tempquarantine/1`, undefined, id)
  },
  'POST /mod/user/:user_id/stop': async () => {
    const { id } = await someone()
    return post(`/mod/user/${id}/stop`, { reason: 'Rude words', hours: 8 }, id)
  },
  'POST /mod/user/:user_id/ban': async () => {
    const { id } = await someone()
    return post(`/mod/user/${id}/ban`, { reason: 'Rude words' }, id)
  },
  'DELETE /mod/user/:user_id/ban': async () => {
    const { id } = await someone()
    await body(admin.one.post(`/mod/user/${id}/ban`, { reason: 'Rude words' }))
    return remove(`/mod/user/${id}/ban`, id)
  },
  'POST /admin/users/:user_id/signout': async () => {
    const { id } = await someone()
    return post(`/admin/users/${id}/signout`, undefined, id)
  },
  'POST /admin/users/:user_id/secondfactor/remove': async () => {
    const { id } = await someone()
    await nodes.sql`insert into second_factor (account_id, secret, confirmed_at) values (${id}, '', now())`
    return post(`/admin/users/${id}/secondfactor/remove`, undefined, id)
  },
  'DELETE /admin/passkeys/:passkey_id': async () => {
    const { id } = await someone()
    return remove(`/admin/passkeys/${await insertPasskey(nodes.sql, id)}`, id)
  },
  'DELETE /admin/identities/:identity_id': async () => {
    const { id } = await someone()
    return remove(`/admin/identities/${await insertIdentity(nodes.sql, id)}`, id)
  },
  'POST /admin/regcodes/delete': () => post('/admin/regcodes/delete', { codes: 'zzzzzz' }, null),
  'POST /admin/regcodes/make': () => post('/admin/regcodes/make', { count: 2 }, null),
  'POST /admin/regcodes/upload': () => post('/admin/regcodes/upload', { codes: 'aud1t1' }, null),
  'POST /admin/backups': async () => {
    await nodes.sql`truncate operation`
    return post('/admin/backups', undefined, null)
  },
  'POST /admin/backups/schedule': () => post('/admin/backups/schedule', { nightly: false, hour: 5, keep: 3 }, null),
  'POST /admin/event/trip': () => post('/admin/event/trip', { eventName: 'Audited', startDate: '2025-03-02', lengthInDays: 8 }, null),
  'POST /admin/everybody': async () => {
    await nodes.sql`truncate operation`
    return post('/admin/everybody', undefined, null)
  },
  'POST /admin/everybody/ticket': async () => {
    const file = join(nodes.config.imagesDir, exportPath('audited.zip'))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'a file')
    await nodes.sql`
      insert into operation (id, kind, input, state, asked_by, created_at)
      values (gen_random_uuid(), 'everybody', '{"file":"audited.zip"}', 'done', ${admin.id}, now() + interval '1 hour')`
    return post('/admin/everybody/ticket', { currentPassword: testPassword }, null)
  },
  'POST /admin/wipe': async () => {
    await nodes.sql`truncate operation`
    await nodes.sql`delete from setting where name = 'wipe'`
    await body(admin.one.post('/admin/event/trip', { eventName: 'To wipe', startDate: '2025-03-02', lengthInDays: 8 }))
    return post('/admin/wipe', { eventName: 'To wipe', currentPassword: testPassword }, null)
  },
  'POST /admin/backups/:backup_name/verify': async () => {
    await nodes.sql`truncate operation`
    return post(`/admin/backups/${await backupFile()}/verify`, undefined, null)
  },
  'POST /admin/backups/:backup_name/ticket': async () =>
    post(`/admin/backups/${await backupFile()}/ticket`, { currentPassword: testPassword }, null),
  'POST /admin/boardgames/upload': () => post('/admin/boardgames/upload', { file: '[{"gameName":"Go","numCopies":1}]' }, null),
  'POST /admin/karaoke/upload': () => post('/admin/karaoke/upload', { file: 'Artist\tSong' }, null),
  'POST /admin/jobs/:job_id/retry': async () => post(`/admin/jobs/${await job()}/retry`, undefined, null),
  'POST /admin/users/bulk': async () => {
    const { id } = await someone()
    return post('/admin/users/bulk', { userIDs: [id], action: 'addRole', role: 'shutternaut' }, id)
  },
  'POST /admin/jobs/kinds/:job_kind/pause': () => post('/admin/jobs/kinds/ban-ending/pause', undefined, null),
  'POST /admin/jobs/kinds/:job_kind/resume': async () => {
    await body(admin.one.post('/admin/jobs/kinds/ban-ending/pause'))
    return post('/admin/jobs/kinds/ban-ending/resume', undefined, null)
  },
  'POST /admin/jobs/kinds/:job_kind/retry': async () => {
    await failedJob()
    return post('/admin/jobs/kinds/ban-ending/retry', undefined, null)
  },
  'DELETE /admin/jobs/kinds/:job_kind/failed': async () => {
    await failedJob()
    return remove('/admin/jobs/kinds/ban-ending/failed', null)
  },
  'DELETE /admin/jobs/:job_id': async () => remove(`/admin/jobs/${await job()}`, null),
  'POST /notification/announcement/create': () => post('/notification/announcement/create', { text: 'Hear', displayUntil: later }, null),
  'POST /notification/announcement/:announcementID/edit': async () =>
    post(`/notification/announcement/${await announcement()}/edit`, { text: 'Hear, hear', displayUntil: later }, admin.id),
  'POST /notification/announcement/:announcementID/delete': async () =>
    post(`/notification/announcement/${await announcement()}/delete`, undefined, admin.id),
  'DELETE /notification/announcement/:announcementID': async () => remove(`/notification/announcement/${await announcement()}`, admin.id),
  'POST /user/:user_id/username': async () => {
    const { id } = await someone()
    return post(`/user/${id}/username`, { username: `renamed-${id.slice(0, 8)}` }, id)
  },
  'POST /user/:user_id/profile': () => post(`/user/${user.id}/profile`, { about: 'Changed' }),
  'DELETE /user/:user_id/image': async () => {
    await nodes.sql`update account set user_image = 'AB12.jpg' where id = ${user.id}`
    return remove(`/user/${user.id}/image`)
  },
}

/** Routes that need no entry, with the reason. */
const exceptions: Record<string, string> = {
  'POST /admin/regcodes/verify': 'it only compares',
  'POST /admin/boardgames/verify': 'it only compares',
  'POST /admin/karaoke/verify': 'it only compares',
}

/** A file of users, while only admins are let in. */
const endpoint = () => ({ name: 'Bot', url: webhook.url, kinds: [] })
const newEndpoint = async (): Promise<string> => (await body(admin.one.post('/admin/webhooks/create', endpoint()), 201)).endpoint.endpointID

async function userFile(): Promise<Buffer> {
  await admit('admin')
  return (await admin.one.file('/admin/bulkuserfile/download')).bytes
}

async function unpin(method: Call['method'], tail: string): Promise<Call> {
  const { forumID } = await startForum(user.one, 'A forum')
  await body(admin.one.post(`/forum/${forumID}/pin`), 201)
  return { method, path: `/forum/${forumID}${tail}` }
}

const ofTeam = expectations.filter(({ who }) => atLeast(who as UserAccessLevel, 'moderator'))
const restricted = ofTeam.filter(({ method }) => method !== 'GET' && method !== 'WS')
const reads = ofTeam.filter(({ method }) => method === 'GET')

describe('routes for moderators and above', () => {
  it('are all tried here', () => {
    const rows = restricted.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(
      rows.filter((row) => !(row in calls) && !(row in exceptions)),
      [],
      'these are missing in test/console/audit.test.ts',
    )
    assert.deepEqual(
      [...Object.keys(calls), ...Object.keys(exceptions)].filter((row) => !rows.includes(row)),
      [],
      'these do not exist',
    )
  })

  for (const [route, prepare] of Object.entries(calls)) {
    it(`${route} leaves an entry`, async () => {
      const call = await prepare()
      const { answer, entries } = await entriesOf(call)
      assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`)
      assert.equal(entries.length, 1, JSON.stringify(entries))
      assert.deepEqual([entries[0]?.['actorId'], entries[0]?.['userId']], [admin.id, call.whom === undefined ? user.id : call.whom])
      await reopen()
    })

    it(`${route} leaves none when it is refused`, async () => {
      const { answer, entries } = await entriesOf(await prepare(), (await someone()).one)
      assert.ok(answer.status >= 400)
      assert.deepEqual(entries, [])
      await reopen()
    })
  }
})

/** The code of somebody, which is theirs alone in this test. */
const codeOf = async ({ id }: Person): Promise<string> => {
  const code = id.slice(0, 6)
  await nodes.sql`insert into registration_code (code, person_id) values (${code}, ${id}) on conflict do nothing`
  return code
}
const seamail = async (): Promise<string> => await createSeamail(user.one, [await someone()])

/** Looks at what is private, or gives access: each leaves an entry, before anything is shown. */
const looks: Record<string, () => Promise<Call> | Call> = {
  'GET /mod/fez/:fez_id': async () => get(`/mod/fez/${await seamail()}`),
  'GET /mod/personalevent/:personal_event_id': async () => get(`/mod/personalevent/${await privateEvent(user)}`),
  'GET /mod/privateevent/:personal_event_id': async () => get(`/mod/privateevent/${await privateEvent(user)}`),
  'GET /mod/fezpost/:post_id': async () => get(`/mod/fezpost/${await say(user.one, await seamail(), 'between us')}`),
  'GET /admin/regcodes/findbyuser/:user_id': async () => {
    await codeOf(user)
    return get(`/admin/regcodes/findbyuser/${user.id}`)
  },
  'GET /admin/regcodes/find/:search_string': async () => get(`/admin/regcodes/find/${await codeOf(user)}`),
  'GET /admin/users/csv': () => get('/admin/users/csv', null),
  'GET /admin/regcodes/unused': () => get('/admin/regcodes/unused', null),
  'GET /admin/regcodes/list': () => get('/admin/regcodes/list', null),
  'GET /admin/bulkuserfile/download': async () => {
    await admit('admin')
    return get('/admin/bulkuserfile/download', null)
  },
}

/** Reads that leave none, with the reason. */
const openReads: Record<string, readonly string[]> = {
  'who is in the team is no secret within it': ['/admin/moderators', '/admin/serviceteam', '/admin/tho', '/admin/userroles/:user_role'],
  'how the server is set up and how it does': [
    ...[
      '/admin/serversettings',
      '/admin/settings',
      '/admin/texts',
      '/admin/figures',
      '/admin/checks',
      '/admin/incidents',
      '/admin/incidents/webhook',
      '/admin/retention',
      '/admin/webhooks',
      '/admin/webhooks/:endpoint_id/deliveries',
      '/admin/announcements/planned',
      '/admin/boardgames/file',
      '/admin/karaoke/file',
      '/mod/categories',
      '/admin/jobs',
      '/admin/jobs/kinds',
      '/admin/jobs/history',
      '/admin/errors',
    ],
    ...[
      '/admin/event',
      '/admin/report',
      '/admin/wipe',
      '/admin/rollup',
      '/admin/regcodes/stats',
      '/admin/backups',
      '/admin/schedule/changes',
      '/admin/reach',
    ],
    ...['/admin/schedule/verify', '/admin/schedule/viewlog', '/admin/schedule/viewlog/:schedule_log_id', '/admin/bulkuserfile/verify'],
    ...['/admin/bulkuserfile/images', '/admin/performer/link/verify', '/admin/performer/bulk/verify', '/hunts/:hunt_id/admin'],
    ...['/events/photographerreport', '/events/photographerreport/download'],
  ],
  'the daily work of the team, about what was open to many or was reported to them': [
    ...['/mod/templates', '/mod/reports', '/mod/reports/queue', '/mod/moderationlog', '/mod/forum/:forum_id', '/mod/forumpost/:post_id'],
    ...[
      '/mod/forumPost/:post_id',
      '/mod/microblog/:post_id',
      '/mod/twarrt/:post_id',
      '/mod/photostream/:stream_photoID',
      '/mod/quartermaster/:item_id',
    ],
    ...['/mod/microkaraoke/songlist', '/mod/microkaraoke/song/:micro_karaoke_song_id', '/mod/microkaraoke/snippets/:micro_karaoke_song_id'],
    ...[
      '/mod/profile/:user_id',
      '/mod/user/:user_id',
      '/mod/user/:user_id/record',
      '/mod/user/:user_id/written',
      '/image/archive/:image_filename',
    ],
    ...['/admin/users', '/admin/users/:user_id', '/admin/users/:user_id/passkeys', '/admin/users/:user_id/identities'],
    ...['/notification/announcement/:announcementID'],
    ...['/admin/feedback/roomlist', '/admin/feedback/reports', '/admin/feedback/stats', '/admin/feedback/report/:feedback_id'],
  ],
  'the trail itself': ['/admin/audit', '/admin/audit/csv'],
  'its ticket has left one': ['/admin/backups/:backup_name', '/admin/everybody'],
  'an order, as the same path with POST, which is tried above': [
    ...['/admin/regcodes/discord/allocate/:username', '/admin/bulkuserfile/update/apply', '/admin/schedule/reload'],
  ],
}

describe('reads for moderators and above', () => {
  it('are all tried here, or listed with a reason', () => {
    const rows = reads.map(({ path }) => path)
    const known = [...Object.keys(looks).map((each) => each.slice('GET '.length)), ...Object.values(openReads).flat()]
    assert.deepEqual(
      rows.filter((row) => !known.includes(row)),
      [],
      'these are missing in test/console/audit.test.ts',
    )
    assert.deepEqual(
      known.filter((row, at) => !rows.includes(row) || known.indexOf(row) !== at),
      [],
      'these do not exist, or are here twice',
    )
  })

  for (const [route, prepare] of Object.entries(looks)) {
    it(`${route} leaves an entry each time, also when it is asked again at once; none when it is refused`, async () => {
      const call = await prepare()
      const whom = call.whom === undefined ? user.id : call.whom
      // What the test has written past the product keeps answers out of memory for a moment.
      const app = nodes.apps.at(-1) as App
      await until(
        async () => (await countStatements(app, () => admin.two.get('/mod/templates'), { warm: true })) === 0,
        'answers come from memory',
      )
      for (const client of [admin.two, admin.two, admin.one]) {
        const { answer, entries } = await entriesOf(call, client)
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        assert.deepEqual(
          entries.map(({ actorId, userId }) => [actorId, userId]),
          [[admin.id, whom]],
        )
      }
      const together = await Promise.all(Array.from({ length: 5 }, () => entriesOf(call)))
      assert.ok(together.every(({ entries }) => entries.length === 1))
      const { answer, entries } = await entriesOf(call, (await someone()).one)
      assert.ok(answer.status >= 400)
      assert.deepEqual(entries, [])
      await reopen()
    })
  }

  it('a look is refused, and shows nothing, when no entry can be written', async () => {
    const fezID = await seamail()
    await nodes.sql`alter table audit add constraint no_looks check (action <> 'readPrivate') not valid`
    try {
      const { answer } = await entriesOf(get(`/mod/fez/${fezID}`))
      assert.equal(answer.status, 500)
      assert.ok(!JSON.stringify(answer.body).includes(fezID))
    } finally {
      await nodes.sql`alter table audit drop constraint no_looks`
    }
    // A link that somebody else's page, or a message, leads to.
    const login = await nodes.client().post('/auth/login', undefined, {
      basic: [admin.username, testPassword],
      headers: { origin: nodes.urls[0] as string, 'x-session': 'cookie' },
    })
    const cookie = String(login.headers['set-cookie']).split(';')[0] as string
    assert.equal((await nodes.client().get(`/mod/fez/${fezID}`, { headers: { cookie } })).status, 404)
    assert.equal((await nodes.client().get(`/mod/fez/${fezID}`, { headers: { cookie, 'x-session': 'cookie' } })).status, 200)
  })
})

describe('private chats that a moderator is not in', () => {
  const looksAt = async (id: string): Promise<Record<string, unknown>[]> =>
    (await nodes.sql`select actor_id, user_id, details from audit where subject_id = ${id} and action = 'readPrivate' order by id`).map(
      ({ actorId, userId, details }) => ({ actorId, userId, ...details }),
    )
  const look = (fezType: string, more: object = {}) => ({ actorId: admin.id, userId: user.id, fezType, ...more })

  it('are in the trail however they are read: each page, each socket', async () => {
    const open = await createChat(user.one, { fezType: 'open', info: '', initialUsers: [(await someone()).id] })
    const event = await privateEvent(user)
    await say(user.one, open, 'between us')
    for (const { one } of [admin, user]) {
      for (let time = 0; time < 3; time++) await body(one.get(`/fez/${open}`))
      ;(await one.socket(`/fez/${open}/socket`)).terminate()
    }
    assert.deepEqual(await looksAt(open), [look('open'), look('open'), look('open'), look('open', { socket: true })])
    await body(admin.two.get(`/personalevents/${event}`))
    await body(admin.two.get(`/personalevents/${event}`))
    await body(user.two.get(`/personalevents/${event}`))
    assert.deepEqual(await looksAt(event), [look('privateEvent'), look('privateEvent')])
    await body(admin.one.get(`/mod/fez/${open}`))
    assert.deepEqual((await looksAt(open)).at(-1), look('open', { reports: 0 }))
    await body(user.one.post(`/fez/${event}/report`, { message: '' }), 201)
    await body(admin.one.get(`/mod/personalevent/${event}`))
    assert.deepEqual((await looksAt(event)).at(-1), look('privateEvent', { reports: 1 }))
  })

  it('groups that everybody may join, own chats and those of a shared inbox leave none', async () => {
    const group = await createChat(user.one)
    const own = await createSeamail(admin.one, [user])
    const shared = await createSeamail(user.one, [{ ...user, id: builtIn.moderator }])
    for (const id of [group, own, shared]) {
      await body(admin.one.get(`/fez/${id}`))
      ;(await admin.one.socket(`/fez/${id}/socket`)).terminate()
      assert.deepEqual(await looksAt(id), [])
    }
    await body(admin.one.get(`/mod/fez/${group}`))
    assert.deepEqual(await looksAt(group), [])
  })
})

describe('signing in', () => {
  const page = (node = 0) => ({ origin: nodes.urls[node] as string, 'x-session': 'cookie', 'user-agent': 'Firefox/120.0 Windows' })
  const entries = async ({ id }: Person) =>
    (await nodes.sql`select actor_id, action, user_id, details from audit where actor_id = ${id} order by id`).map(
      ({ actorId, action, userId, details }) => ({ actorId, action, userId, ...details }),
    )
  const entry = ({ id }: Person, action: string, more: object) => ({ actorId: id, action, userId: id, address: '127.0.0.1', ...more })
  const recover = ({ username }: Person, recoveryKey: string) =>
    nodes.client().post('/auth/recovery', { username, recoveryKey, newPassword: 'a password after it' })

  for (const level of ['moderator', 'serviceteam', 'tho', 'admin'] as const) {
    it(`is in the trail for the level ${level}: by an app, a browser, a web view and a recovery`, async () => {
      const who = await someone({ level })
      const basic: [string, string] = [who.username, testPassword]
      await body(nodes.client().post('/auth/login', undefined, { basic }))
      await body(nodes.client(undefined, 1).post('/auth/login', undefined, { basic, headers: page(1) }))
      const form = new URLSearchParams({ username: who.username, password: testPassword }).toString()
      await body(nodes.client().post('//login', form, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }), 303)
      await body(nodes.client().post('/auth/login', undefined, { basic: [who.username, 'wrong password'] }), 401)
      await body(recover(who, testRecoveryKey))
      assert.deepEqual(await entries(who), [
        entry(who, 'signIn', { with: 'password', device: 'app' }),
        entry(who, 'signIn', { with: 'password', device: 'Firefox on Windows' }),
        entry(who, 'signIn', { with: 'password', device: 'Unknown browser' }),
        entry(who, 'recover', { with: 'recoveryKeyOrPassword', device: 'app' }),
      ])
    })
  }

  it('of everybody else is not; a recovery of theirs is', async () => {
    const who = await someone()
    await body(nodes.client().post('/auth/login', undefined, { basic: [who.username, testPassword] }))
    const code = await codeOf(who)
    await body(recover(who, code))
    assert.deepEqual(await entries(who), [entry(who, 'recover', { with: 'registrationCode', device: 'app' })])
  })
})

it('GET /admin/audit: the console has words for every action, in both languages', async () => {
  const { actions } = await body(admin.one.get('/admin/audit'))
  for (const language of ['en', 'de']) {
    const texts = JSON.parse(await readFile(join('src', 'web', 'texts', `admin.${language}.json`), 'utf8')) as Record<string, string>
    assert.deepEqual(
      (actions as string[]).filter((action) => !texts[`act.${action}`]),
      [],
      language,
    )
  }
})

describe('what belongs to others', () => {
  /** Things everybody can do with his own, and moderators with everybody's. */
  const shared: Record<string, (owner: Person) => Promise<Call>> = {
    'edit fez': async ({ one }) => post(`/fez/${await createChat(one)}/update`, lfg({ title: 'Another title' })),
    'delete fezPost': async ({ one }) => remove(`/fez/post/${await say(one, await createChat(one), 'hello')}`),
    'edit forum': async ({ one }) => post(`/forum/${(await startForum(one, 'A title')).forumID}/rename/Another`),
    'edit forumPost': async ({ one }) => post(`/forum/post/${(await startForum(one, 'A title')).postID}/update`, content('another text')),
    'delete forumPost': async ({ one }) => remove(`/forum/post/${await postIn(one, (await startForum(one, 'A title')).forumID, 'hello')}`),
    'edit twarrt': async ({ one }) => post(`/microblog/${await write(one, 'a text')}/update`, content('another text')),
    'delete twarrt': async ({ one }) => remove(`/microblog/${await write(one, 'a text')}`),
    'pin forumPost': async ({ one }) => post(`/forum/post/${(await startForum(one, 'A title')).postID}/pin`),
  }
  for (const [what, prepare] of Object.entries(shared)) {
    it(`${what}: an entry for a moderator, none for the owner`, async () => {
      const { answer, entries } = await entriesOf(await prepare(user))
      assert.ok(answer.status < 300, JSON.stringify(answer.body))
      assert.deepEqual(
        entries.map(({ action, subjectType, userId }) => [`${String(action)} ${String(subjectType)}`, userId]),
        [[what, user.id]],
      )
      for (const owner of [user, admin]) {
        const own = await entriesOf(await prepare(owner), owner.one)
        assert.ok(own.answer.status < 300, JSON.stringify(own.answer.body))
        assert.deepEqual(own.entries, [])
      }
    })
  }

  it('writing as a shared account', async () => {
    const category = categories.general
    const { forumID } = await startForum(user.one, 'A forum')
    const shown = async (call: Call) =>
      (await entriesOf(call)).entries.map(({ action, subjectType }) => `${String(action)} ${String(subjectType)}`)
    const as = { postAsModerator: true }
    assert.deepEqual(await shown(post('/fez/create', lfg({ createdByModerator: true }))), ['post fez'])
    assert.deepEqual(await shown(post(`/forum/categories/${category}/create`, { title: 'From us', firstPost: content('x', as) })), [
      'post forum',
      'post forumPost',
    ])
    assert.deepEqual(await shown(post(`/forum/${forumID}/create`, content('x', as))), ['post forumPost'])
    assert.deepEqual(await shown(post('/microblog/create', content('x', as))), ['post twarrt'])
    assert.deepEqual(await shown(post(`/fez/${await createChat(user.one)}/post`, { text: 'x', images: [], ...as })), ['post fezPost'])
  })

  it('a manager of photographers leaves entries too', async () => {
    const manager = await someone({ roles: ['shutternautmanager'] })
    for (const [verb, action] of [
      ['addrole', 'addRole'],
      ['removerole', 'removeRole'],
    ]) {
      const { entries } = await entriesOf(post(`/users/userrole/shutternaut/${verb}/${user.id}`), manager.one)
      assert.deepEqual(
        entries.map((entry) => [entry['action'], entry['actorId'], entry['userId']]),
        [[action, manager.id, user.id]],
      )
    }
  })

  it('what an owner cannot do leaves an entry even when a moderator does it to his own; nothing is in the action log', async () => {
    const { forumID } = await startForum(admin.one, 'My own')
    for (const call of [
      post(`/forum/${forumID}/pin`),
      post(`/forum/${forumID}/pin/remove`),
      post(`/mod/forum/${forumID}/setstate/locked`),
      remove(`/forum/${forumID}`),
    ]) {
      assert.equal((await entriesOf(call)).entries.length, 1, call.path)
    }
    assert.deepEqual([...(await nodes.sql`select 1 from moderator_action where content_id = ${forumID}`)], [])
  })
})

describe('an entry', () => {
  it('of an announcement or a daily theme says what was before', async () => {
    const id = await announcement()
    const [edited] = (await entriesOf(post(`/notification/announcement/${id}/edit`, { text: 'Other', displayUntil: later }))).entries as {
      details: { from: { text: string }; to: { text: string } }
    }[]
    assert.deepEqual([edited?.details.from.text, edited?.details.to.text], ['Hear', 'Other'])
    const [gone] = (await entriesOf(remove(`/notification/announcement/${id}`))).entries as { details: { from: { text: string } } }[]
    assert.equal(gone?.details.from.text, 'Other')
    const [themeGone] = (await entriesOf(remove(`/admin/dailytheme/${await theme()}`))).entries as {
      details: { from: { title: string } }
    }[]
    assert.equal(themeGone?.details.from.title, 'A theme')
  })

  it('is not written when nothing changes', async () => {
    const { forumID } = await startForum(user.one, 'A forum')
    await body(admin.one.post(`/forum/${forumID}/pin`), 201)
    for (const call of [
      post(`/forum/${forumID}/pin`),
      post(`/admin/userroles/karaokeambassador/removerole/${user.id}`),
      remove(`/user/${(await someone()).id}/image`),
      post('/admin/serversettings/update', { enableFeatures: [], disableFeatures: [] }),
      post('/admin/settings/shipWifiSSID/reset'),
    ]) {
      const { answer, entries } = await entriesOf(call)
      assert.ok(answer.status < 300, call.path)
      assert.deepEqual(entries, [], call.path)
    }
  })
})
