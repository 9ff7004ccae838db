// Performers in the browser: the lists, one performer, and who appears at an event.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { people, body, type Person } from './support/fez.ts'
import { apply } from './support/schedule.ts'
import { onlySettings } from './support/settings.ts'
import { startTestNodes } from './support/app.ts'
import { webTests } from './support/web.ts'

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
