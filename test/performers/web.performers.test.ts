// Performers in the browser: the lists, one performer, and who appears at an event.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { people, body, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { testPassword } from '../support/accounts.ts'
import { signIn } from '../support/browser.ts'
import { onlySettings } from '../support/settings.ts'
import { startTestNodes } from '../support/app.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))
const event = (uid: string, title: string, category: string, day: number) => ({
  uid,
  title,
  category,
  location: 'Main Stage',
  start: `2025-03-0${day}T19:00:00Z`,
  end: `2025-03-0${day}T20:00:00Z`,
})

/** An official performer at an event, and a user who organises another. */
async function stage(): Promise<Person> {
  const { nodes } = web
  const [admin, anna] = (await people(nodes, { level: 'admin' }, { displayName: 'Anna' })) as [Person, Person]
  await nodes.sql`insert into registration_code (code, person_id) values (${anna.id.slice(0, 8)}, ${anna.personId})`
  await apply(admin, [event('concert', 'Opening night', 'MAIN CONCERT', 3), event('knit', 'Knitting', 'SHADOW CRUISE', 4)])
  await onlySettings(nodes, { enablePreregistration: true })
  const photo = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#b03a2e' } })
    .jpeg()
    .toBuffer()
  await body(
    admin.one.post('/admin/performer/upsert', {
      name: 'The Bilge Pumps',
      title: 'House band',
      bio: 'Two accordions and **one** drum.\n\n- loud\n- louder',
      website: 'https://bilge.example',
      xURL: 'javascript:alert(1)',
      photo: { image: photo.toString('base64') },
      isOfficialPerformer: true,
      yearsAttended: [2024, 2025],
      eventUIDs: [],
    }),
  )
  await nodes.sql`insert into performer_event select performer.id, event.id from performer, event where event.uid = 'concert'`
  const { eventID } = await body(anna.one.get('/events/knit'))
  await body(
    anna.one.post(`/performer/forevent/${eventID}`, {
      name: 'Anna Knits',
      photo: {},
      isOfficialPerformer: false,
      yearsAttended: [],
      eventUIDs: [],
    }),
  )
  return anna
}

test('performers: two lists, a page with bio, links and events, and the way from an event to them', async () => {
  const anna = await stage()
  const { page } = await web.openAs(anna.username)
  await page.goto('/performers')
  await page.getByRole('link', { name: 'The Bilge Pumps' }).waitFor()
  assert.equal(await page.getByText('Anna Knits').count(), 0)
  await page.getByRole('button', { name: 'By people aboard' }).click()
  await page.getByRole('link', { name: 'Anna Knits' }).click()
  await page.getByRole('link', { name: 'Profile of Anna' }).waitFor()

  await page.goto('/performers')
  await page.getByLabel('Search performers').fill('nobody of that name')
  await page.getByText('Nothing found').waitFor()
  await page.getByLabel('Search performers').fill('bilge')
  await page.getByRole('link', { name: 'The Bilge Pumps' }).click()
  await page.locator('b', { hasText: 'one' }).waitFor()
  await page.getByText('Aboard in 2024, 2025').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Website' }).getAttribute('href'), 'https://bilge.example')
  // An address that would run a script is none.
  assert.equal(await page.getByRole('link', { name: 'X', exact: true }).count(), 0)
  await page.getByRole('button', { name: 'Follow Opening night' }).click()
  await page.getByRole('button', { name: 'Follow Opening night', pressed: true }).waitFor()

  await page.getByRole('link', { name: /Opening night/ }).click()
  await page.getByRole('list', { name: 'Performers' }).getByRole('link', { name: 'The Bilge Pumps' }).click()
  await page.getByText('House band').waitFor()
})

test('an event is followed while the schedule is still on its way: it shows at once, and the older schedule does not take it back', async () => {
  const { nodes } = web
  const [admin, berta] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
  await nodes.sql`insert into registration_code (code, person_id) values (${berta.id.slice(0, 8)}, ${berta.personId})`
  await apply(admin, [event('dance', 'Dancing on deck', 'SHADOW CRUISE', 2)])
  await onlySettings(nodes, { enablePreregistration: true })
  const { eventID } = await body(berta.one.get('/events/dance'))
  const own = { name: 'Berta', photo: {}, isOfficialPerformer: false, yearsAttended: [], eventUIDs: [] }
  await body(berta.one.post(`/performer/forevent/${eventID}`, own))
  const { header } = await body(berta.one.get('/performer/self'))
  const { page } = await web.open()
  const held: (() => void)[] = []
  await page.route('**/api/v3/events', async (route) => {
    const answer = await route.fetch()
    await new Promise<void>((resolve) => held.push(resolve))
    await route.fulfill({ response: answer })
  })
  await signIn(page, berta.username, testPassword)
  await until(() => held.length === 1, 'Today asks for the schedule')
  await page.goto(`/performer/${header.id}`)
  await until(() => held.length === 2, 'the schedule is under way')
  const followed = page.waitForResponse(`**/events/${eventID}/favorite`)
  await page.getByRole('button', { name: 'Follow Dancing on deck' }).click()
  assert.ok((await followed).ok())
  await page.getByRole('button', { name: 'Follow Dancing on deck', pressed: true }).waitFor()
  held[1]?.()
  // What was under way is asked for again, for it is older than the change.
  await until(() => held.length === 3, 'the schedule is asked for again')
  held[2]?.()
  await page.getByRole('link', { name: /Dancing on deck/ }).click()
  await page.getByRole('button', { name: 'Following' }).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('/performers/own: before the trip somebody makes a page for their event, with a picture, changes it and deletes it', async () => {
  const { nodes } = web
  const [admin, omar] = (await people(nodes, { level: 'admin' }, { displayName: 'Omar' })) as [Person, Person]
  await nodes.sql`insert into registration_code (code, person_id) values (${omar.id.slice(0, 8)}, ${omar.personId})`
  await apply(admin, [event('chess', 'Chess in the lobby', 'SHADOW CRUISE', 5), event('origami', 'Origami', 'WORKSHOP', 6)])
  await onlySettings(nodes, { enablePreregistration: true })
  const listed = (await body(omar.one.get('/events'))) as { eventID: string; title: string }[]
  const chess = listed.find(({ title }) => title === 'Chess in the lobby')?.eventID as string
  const { page } = await web.openAs(omar.username)
  await page.goto(`/events/${chess}`)
  await page.getByRole('link', { name: 'I organise this' }).click()
  await page.getByLabel('Name on stage').fill('Omar the Rook')
  await page.getByLabel('About you').fill('I teach **openings**.')
  await page.getByLabel('Website').fill('https://chess.example')
  await page.getByLabel('Years aboard').fill('2023, 2024')
  const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3050a0' } })
    .png()
    .toBuffer()
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo })
  await page.getByRole('img', { name: 'Your picture' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Omar the Rook').waitFor()
  await page.locator('b', { hasText: 'openings' }).waitFor()
  await page.getByText('Aboard in 2023, 2024').waitFor()
  await page.locator('img.portrait').waitFor()
  const own = async () => await body(omar.one.get('/performer/self'))
  const { header } = await own()

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Name on stage').fill('Omar')
  await page.getByLabel('Another event').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: /Origami/ }).waitFor()
  const changed = await own()
  assert.deepEqual([changed.header.name, changed.header.photo, changed.bio], ['Omar', header.photo, 'I teach **openings**.'])
  assert.equal(changed.events.length, 2)

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Remove Origami' }).click()
  await page.getByRole('button', { name: 'Remove Origami' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete this page' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Your page is gone.').waitFor()
  assert.equal((await own()).header.name, '')

  await onlySettings(nodes, { enablePreregistration: false })
  await page.evaluate('indexedDB.databases().then((all) => Promise.all(all.map(({ name }) => indexedDB.deleteDatabase(name))))')
  await page.goto('/performers/own')
  await page.getByText('Aboard, only people with the role for it can').waitFor()
})

test('performers: the list says where each is seen next, or was seen last', async () => {
  const { nodes } = web
  const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
  const at = (hours: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 + hours * 3_600_000).toISOString()
  const show = (uid: string, hours: number) => ({ ...event(uid, `Show ${uid}`, 'MAIN CONCERT', 1), start: at(hours), end: at(hours + 1) })
  await apply(admin, [show('past', -30), show('over', -3), show('soon', 2), show('later', 30)])
  const performer = (name: string, ...uids: string[]) => ({
    header: { name, isOfficialPerformer: true },
    yearsAttended: [],
    scrapedEventRefs: uids.map((uid) => ({ uid, title: `Show ${uid}`, startTime: at(0) })),
    events: [],
  })
  await body(
    admin.one.post('/admin/performer/bulk/upload', [
      performer('Cora Coming', 'past', 'later', 'soon'),
      performer('Gus Gone', 'past', 'over'),
      performer('Nell Never'),
    ]),
  )
  await body(admin.one.post('/admin/performer/bulk/apply?linkEvents=true'))
  const { page } = await web.openAs(admin.username)
  await page.goto('/performers')
  const row = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
  await row('Cora Coming')
    .getByText(/ · Show soon · Main Stage$/)
    .waitFor()
  await row('Gus Gone')
    .getByText(/^Last seen .*: Show over$/)
    .waitFor()
  assert.equal(await row('Nell Never').innerText(), 'Nell Never')
})
