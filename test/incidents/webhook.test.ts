// Incidents told outside of the product: each at its beginning and its end, in order, once, also by an address that is away for a while.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { DateTime } from 'luxon'
import { watchOnce } from '../../src/incidents/service.ts'
import type { AuditListData, WebhookData } from '../../src/sdk/client.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { makeScript, type Call, type Script } from '../support/script.ts'
import { startWebhook, type Webhook } from '../support/webhook.ts'

interface Message {
  text: string
  content: string
  incident: { code: string; endedAt: string | null }
}

const clock = new LeapingClock()
let chat: Webhook<Message>
let post: MailServer
let script: Script<Partial<Message>>
let nodes: TestNodes
let moderator: Person
let tho: Person
let admin: Person
before(async () => {
  chat = await startWebhook()
  post = await startMailServer()
  script = makeScript()
  const env = { EVENT_NAME: 'Lantern Week', SMTP_URL: post.url, SMTP_FROM: 'ship@lantern.example', ALERT_SCRIPT: script.path }
  nodes = await startTestNodes(2, { clock, env })
  ;[moderator, tho, admin] = (await people(nodes, { level: 'moderator' }, { level: 'tho' }, { level: 'admin' })) as [Person, Person, Person]
})
after(async () => {
  await nodes.stop()
  chat.close()
  await post.close()
  script.remove()
})
beforeEach(async () => {
  chat.messages.length = 0
  post.mails.length = 0
  post.refuses = false
  chat.status = 200
  await admin.one.delete('/admin/incidents/webhook')
  await nodes.sql`delete from incident`
  await nodes.sql`delete from process`
  await nodes.sql`delete from device_clock`
  await nodes.sql`delete from figure`
})

/** All servers look; one of them finds what is new. */
async function look(laterMs = 16_000, isSettled = true): Promise<void> {
  clock.leap(laterMs)
  await Promise.all(nodes.apps.map(({ node }) => watchOnce(node, isSettled)))
}
const worker = (seenAt: Date) => nodes.sql`
  insert into process (id, kind, name, host, started_at, seen_at) values
    ('00000000-0000-4000-8000-000000000001', 'worker', 'worker', 'here', ${seenAt}, ${seenAt})
  on conflict (id) do update set seen_at = excluded.seen_at`
/** Answers take three seconds, or are as always; `laterMs` from now. */
async function slow(isSlow: boolean, laterMs = 0): Promise<void> {
  await nodes.sql`delete from figure`
  if (isSlow)
    await nodes.sql`
      insert into figure (minute, online, requests, errors, posts, p50, p99, lag, waiting, memory_mb)
      select date_trunc('minute', ${new Date(clock.now() + laterMs)}::timestamptz) - back * interval '1 minute', 1, 100, 0, 0, 10, 3000, 1, 0, 100
      from generate_series(1, 4) as back`
}
const shipZone = 'America/New_York'
const told = () => chat.messages.map(({ incident: { code, endedAt } }) => `${code} ${endedAt === null ? 'begins' : 'ends'}`)
const set = (to = chat.url) => body<WebhookData>(admin.one.post('/admin/incidents/webhook', { url: to }))

test('an incident is told at its beginning and at its end, once', async () => {
  assert.deepEqual(await set(), { host: chat.host })
  await look()
  await look()
  assert.deepEqual(told(), ['worker-none begins'])
  const [{ text, content }] = chat.messages as [Message]
  assert.equal(text, content)
  assert.match(text, /^Lantern Week: No worker runs\. Start one/)
  await worker(new Date(clock.now()))
  await look()
  assert.deepEqual(told(), ['worker-none begins', 'worker-none ends'])
  assert.equal(chat.messages[1]?.text, 'Lantern Week: over. No worker runs.')
})

test('what is not taken is tried again, what follows waits for it, and nothing is lost', async () => {
  await set()
  // A redirect is no taking either: where it leads is not what the host has entered.
  chat.status = 302
  await look()
  assert.deepEqual(told(), ['worker-none begins'])
  await worker(new Date(clock.now()))
  await look(1000)
  await look()
  assert.deepEqual(told(), ['worker-none begins'])
  chat.status = 204
  await worker(new Date(clock.now()))
  await look(30_000)
  assert.deepEqual(told(), ['worker-none begins', 'worker-none begins', 'worker-none ends'])
  await look()
  assert.equal(chat.messages.length, 3)
})

test('what no address takes for a day is given up, and the next one is told', async () => {
  await set()
  chat.status = 500
  await look()
  for (let hours = 0; hours < 30; hours++) await look(60 * 60_000)
  const tried = chat.messages.length
  assert.ok(tried >= 25 && tried <= 31, String(tried))
  chat.status = 200
  await worker(new Date(clock.now()))
  await look(60 * 60_000, false)
  assert.deepEqual(told().slice(tried), ['worker-none ends', 'worker-silent begins'])
})

test('waits grow from one attempt to the next', async () => {
  await set()
  chat.status = 500
  for (let looks = 0; looks < 38; looks++) await look()
  // After half a minute, one, two and four, in ten minutes.
  assert.equal(chat.messages.length, 5)
})

test('a process that was begun anew before anybody looked is told in one message', async () => {
  await set()
  await worker(new Date(clock.now()))
  await nodes.sql`
    insert into process (id, kind, name, host, started_at, seen_at)
    select '00000000-0000-4000-8000-000000000002', kind, name, host, started_at + interval '2 seconds', seen_at + interval '2 seconds' from process`
  await look()
  await look()
  assert.deepEqual(told(), ['worker-silent ends'])
})

test('quiet hours are over with their last minute', async () => {
  await set()
  await worker(new Date(clock.now() + 60 * 60_000))
  // Looks are sixteen seconds later, in the same minute.
  clock.leap(60_000 - (clock.now() % 60_000))
  const at = (minutes: number) => DateTime.fromMillis(clock.now(), { zone: shipZone }).plus({ minutes }).toFormat('HH:mm')
  await body(admin.one.post('/admin/incidents/webhook/quiet', { quietFrom: at(-90), quietTo: at(0) }))
  await slow(true)
  await look()
  assert.deepEqual(told(), ['slow begins'])
})

test('a test says whether it was taken; the address stays with the server', async () => {
  await refused(admin.one.post('/admin/incidents/webhook/test'), 400)
  await set()
  for (const client of tho.clients) assert.deepEqual(await body<WebhookData>(client.get('/admin/incidents/webhook')), { host: chat.host })
  await body(admin.two.post('/admin/incidents/webhook/test'), 204)
  assert.match(chat.messages[0]?.text ?? '', /^Lantern Week: this is a test\./)
  chat.status = 404
  const reason = await refused(admin.one.post('/admin/incidents/webhook/test'), 400)
  assert.equal(reason, 'The address answers with the status 404.')
  await set('http://127.0.0.1:9/hooks/only-for-us')
  await refused(admin.one.post('/admin/incidents/webhook/test'), 400)
  await body(admin.one.delete('/admin/incidents/webhook'), 204)
  assert.deepEqual(await body<WebhookData>(tho.one.get('/admin/incidents/webhook')), {})
  await body(admin.one.delete('/admin/incidents/webhook'), 204)
  const { entries } = await body<AuditListData>(admin.one.get('/admin/audit?action=setWebhook&limit=3'))
  assert.deepEqual(
    entries.map(({ details }) => details),
    ['{}', '{"host":"127.0.0.1:9"}', `{"host":"${chat.host}"}`],
  )
  await look()
  assert.equal(chat.messages.length, 2)
})

test('only admins say where, and only an address of the web will do', async () => {
  for (const client of moderator.clients) await refused(client.get('/admin/incidents/webhook'), 403)
  for (const client of tho.clients) {
    await refused(client.post('/admin/incidents/webhook', { url: chat.url }), 403)
    await refused(client.post('/admin/incidents/webhook/test'), 403)
    await refused(client.delete('/admin/incidents/webhook'), 403)
  }
  for (const wrong of ['', 'javascript:alert(1)', 'file:///etc/passwd', 'hooks', `http://${'a'.repeat(2000)}`])
    await refused(admin.one.post('/admin/incidents/webhook', { url: wrong }), 400)
})

test("when the clocks of most phones differ from the server's, the team is told", async () => {
  await worker(new Date(clock.now()))
  const phones = await people(nodes, {}, {}, {}, {}, {})
  const say = (person: Person, minutesAhead: number) =>
    body(person.one.post('/client/clock', { now: new Date(clock.now() + minutesAhead * 60_000).toISOString() }), 204)
  const open = async () => {
    await look(16_000, false)
    const rows = await nodes.sql<{ code: string; values: unknown }[]>`
      select code, "values" from incident where ended_at is null and code like 'clock%'`
    return rows.map(({ code, values }) => [code, values])
  }
  // One that is set ahead, so that nobody comes late, says nothing.
  for (const [index, phone] of phones.entries()) await say(phone, index === 0 ? 10 : 0.1)
  assert.deepEqual(await open(), [])
  for (const phone of phones.slice(0, 4)) await say(phone, 7)
  await nodes.sql`delete from device_clock where account_id = ${phones[4]?.id ?? ''}`
  assert.deepEqual(await open(), [], 'four say too little')
  await say(phones[4] as Person, 0)
  assert.deepEqual(await open(), [['clock-behind-phones', { minutes: 7 }]])
  for (const phone of phones) await say(phone, -3)
  const [[code, values]] = (await open()) as [[string, { minutes: number }]]
  assert.deepEqual([code, Math.round(values.minutes)], ['clock-ahead-of-phones', 3])
  // What was said long ago counts no more.
  clock.leap(4 * 60 * 60_000)
  assert.deepEqual(await open(), [])
  await say(phones[0] as Person, 1_000_000_000)
  for (const client of phones[0]?.clients ?? []) await refused(client.post('/client/clock', { now: 'soon' }), 400)
})

test('by mail, too: with what happened as its subject, in order, and again where the server refuses it', async () => {
  assert.deepEqual(await set('mailto:bridge@lantern.example'), { host: 'bridge@lantern.example' })
  post.refuses = true
  const reason = await refused(admin.one.post('/admin/incidents/webhook/test'), 400)
  assert.equal(reason, 'The mail server refuses it with 550.')
  await look()
  assert.equal(post.mails.length, 0)
  post.refuses = false
  await look(30_000)
  await worker(new Date(clock.now()))
  await look()
  const [first, second] = post.mails as [MailServer['mails'][number], MailServer['mails'][number]]
  for (const { to, from } of [first, second]) assert.deepEqual([to, from], [['bridge@lantern.example'], 'ship@lantern.example'])
  assert.match(first.text, /^Subject: Lantern Week: No worker runs\. Start one/m)
  assert.match(second.text, /^Subject: Lantern Week: over\. No worker runs\.\r$/m)
  assert.equal(post.mails.length, 2)
  await body(admin.one.post('/admin/incidents/webhook/test'), 204)
  assert.match(post.mails[2]?.text ?? '', /this is a test/)
})

test('a mail address must be one, and nothing besides', async () => {
  for (const url of [
    'mailto:',
    'mailto:bridge',
    'mailto:a@b.example,c@d.example',
    'mailto:a@b.example?bcc=c@d.example',
    'mailto:<a@b.example>',
  ])
    assert.match(await refused(admin.one.post('/admin/incidents/webhook', { url }), 400), /url must begin with/)
})

test('a program of the operator is told what happened, in words and as JSON, and again when it fails', async () => {
  assert.match(await refused(admin.one.post('/admin/incidents/webhook', { url: 'script:rm' }), 400), /^url must begin with/)
  assert.deepEqual(await set('script:'), { host: 'script:' })
  script.end(3)
  assert.equal(await refused(admin.one.post('/admin/incidents/webhook/test'), 400), 'The program ends with 3.')
  await look()
  script.end(0)
  await look(30_000)
  const calls = script.calls()
  // The test, and the incident twice: it is told until the program ends well.
  assert.equal(calls.length, 3)
  const [, first, second] = calls as [unknown, Call<Partial<Message>>, Call<Partial<Message>>]
  assert.deepEqual(first, second)
  assert.match(second.text, /^Lantern Week: No worker runs\. Start one/)
  assert.deepEqual([second.json.text, second.json.incident?.code], [second.text, 'worker-none'])
  assert.deepEqual(second.env, [])
})

test('in quiet hours warnings wait, and what is over by then is never told; what is bad is told at once', async () => {
  await refused(admin.one.post('/admin/incidents/webhook/quiet', { quietFrom: '22:00', quietTo: '07:00' }), 400)
  await set()
  for (const wrong of [{ quietFrom: '22:00' }, { quietFrom: '24:00', quietTo: '07:00' }, { quietFrom: '07:00', quietTo: '07:00' }])
    await refused(admin.one.post('/admin/incidents/webhook/quiet', wrong), 400)
  for (const client of tho.clients) await refused(client.post('/admin/incidents/webhook/quiet', {}), 403)
  // It is ten minutes past the beginning of an hour and a half, by the ship's clock.
  const at = (minutes: number) => DateTime.fromMillis(clock.now(), { zone: shipZone }).plus({ minutes }).toFormat('HH:mm')
  const quiet = { quietFrom: at(-10), quietTo: at(80) }
  const data = await body<WebhookData>(admin.one.post('/admin/incidents/webhook/quiet', quiet))
  assert.deepEqual(data, { host: chat.host, ...quiet })
  for (const client of tho.clients) assert.deepEqual(await body<WebhookData>(client.get('/admin/incidents/webhook')), data)
  // Another address has the same quiet hours.
  assert.deepEqual(await set(), data)

  await slow(true)
  await look()
  assert.deepEqual(told(), ['worker-none begins'])
  await slow(false)
  await look()
  await slow(true)
  await worker(new Date(clock.now()))
  await look()
  assert.deepEqual(told(), ['worker-none begins', 'worker-none ends'])
  // At their end one warning lasts; the other was there and gone.
  await worker(new Date(clock.now() + 81 * 60_000))
  await slow(true, 81 * 60_000)
  await look(81 * 60_000)
  assert.deepEqual(told().slice(2), ['slow begins'])
  // Without quiet hours nothing waits, not even what had begun to.
  await body(admin.one.post('/admin/incidents/webhook/quiet', { quietFrom: at(-10), quietTo: at(80) }))
  await slow(false)
  await worker(new Date(clock.now()))
  await look()
  assert.equal(told().length, 3)
  assert.deepEqual(await body<WebhookData>(admin.one.post('/admin/incidents/webhook/quiet', {})), { host: chat.host })
  await look()
  assert.deepEqual(told().slice(3), ['slow ends'])
  const { entries } = await body<AuditListData>(admin.one.get('/admin/audit?action=setWebhook&limit=1'))
  assert.equal(entries[0]?.details, '{"quiet":"none"}')
})
