// The photo stream and feedback on events in the browser app.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { startTestNodes } from '../support/app.ts'
import { violations } from '../support/browser.ts'
import { body, people, type Person } from '../support/fez.ts'
import { streamPhoto } from '../support/photostream.ts'
import { until } from '../support/until.ts'
import { settled, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))
/** A shadow event of the schedule that comes with the program. */
const uid = '1a5cbe8fedf6bc7b047d596dbad13457'

test('add a photo, see it in the stream of somebody else, report it; moderators take it away', async () => {
  const [heidi, sam, moderator] = (await people(web.nodes, { displayName: 'Heidi' }, {}, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
  ]
  const { page } = await web.openAs(heidi.username, { expected: /429/ })
  await page.goto('/photostream')
  const add = async (place: string) => {
    await page.getByRole('button', { name: 'Add a photo' }).waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: await picture() })
    await page.getByLabel('Where is it?').selectOption(place)
    await page.getByRole('button', { name: 'Share' }).click()
  }
  await add('Pool Area')
  await page.getByText('Your photo is in the stream.').waitFor()
  await page.getByRole('img', { name: 'Photo by Heidi: Pool Area' }).waitFor()
  await add('Ashore')
  await page.getByRole('alert').filter({ hasText: 'one photo every 5 minutes' }).waitFor()
  const [photo] = (await body(heidi.one.get('/photostream'))).photos
  assert.deepEqual([photo.location, photo.author.userID], ['Pool Area', heidi.id])

  const other = (await web.openAs(sam.username)).page
  await other.goto('/photostream')
  await other.getByLabel('Photos of').selectOption('Main Stage')
  await other.getByText('No photos yet').waitFor()
  await other.getByLabel('Photos of').selectOption('Pool Area')
  await other.getByRole('img', { name: 'Photo by Heidi: Pool Area' }).click()
  await other.getByRole('heading', { name: 'Pool Area' }).waitFor()
  await other.getByRole('button', { name: 'More about this photo' }).click()
  await other.getByRole('button', { name: 'Report' }).click()
  await other.getByLabel('What is wrong with it?').fill('My face is on it')
  await other.getByRole('button', { name: 'Send' }).click()
  await until(
    async () => (await body(moderator.one.get(`/mod/photostream/${photo.postID}`))).reports.length === 1,
    'the moderators have the report',
  )

  const third = (await web.openAs(moderator.username)).page
  await third.goto(`/moderate/streamPhoto/${photo.postID}`)
  await third.getByText('My face is on it').first().waitFor()
  await third.goto(`/photostream/${photo.postID}`)
  await third.getByRole('button', { name: 'More about this photo' }).click()
  await third.getByRole('button', { name: 'Delete' }).click()
  await third.getByRole('dialog', { name: 'Delete this photo?' }).getByRole('button', { name: 'Delete' }).click()
  await third.getByRole('heading', { name: 'Photos' }).waitFor()
  await other.reload()
  await other.getByText('This photo is not here').waitFor()
})

test('give feedback on an event, and change it', async () => {
  const [heidi, team] = (await people(web.nodes, { displayName: 'Heidi' }, { level: 'serviceteam' })) as [Person, Person]
  const { eventID, title } = await body(heidi.one.get(`/events/${uid}`))
  const { page } = await web.openAs(heidi.username)
  const fill = async (known: string, recap: string) => {
    await page.goto(`/events/${eventID}`)
    await page.getByRole('link', { name: 'Give feedback' }).click()
    const field = page.getByLabel('How did it go?')
    // The form is shown as it was known last; a newer answer must not come in the middle of filling it.
    await until(async () => (await field.inputValue()) === known, 'the field has what is known')
    await field.fill(recap)
    await page.getByLabel('How many came?').fill('Twenty')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you. The team has it.').waitFor()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
  await fill('', 'We stretched.')
  await fill('We stretched.', 'We stretched a lot.')
  const reports = await body(team.one.get('/admin/feedback/reports'))
  assert.equal(reports.length, 1)
  const { event, hostName, attendance, recapString } = reports[0]
  assert.deepEqual([event.uid, hostName, attendance, recapString], [uid, 'Heidi', 'Twenty', 'We stretched a lot.'])
})

test('these pages fit small screens, and axe finds nothing in them by day and by night', async () => {
  const [heidi, sam] = (await people(web.nodes, { displayName: 'Heidi' }, { displayName: 'W'.repeat(40) })) as [Person, Person]
  await streamPhoto(web.nodes, heidi)
  const id = await streamPhoto(web.nodes, sam)
  const { eventID } = await body(heidi.one.get(`/events/${uid}`))
  // The pictures of these photos are nowhere. The policy of the page would let nothing be put into it from outside.
  const { page } = await web.openAs(heidi.username, { bypassCSP: true, expected: /\/image\// })
  for (const path of ['/photostream', `/photostream/${id}`, '/photostream/2000000001', `/events/${eventID}/feedback`]) {
    await page.goto(path)
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await settled(page)
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than ${width} pixels`)
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await violations(page), [], `${path} ${width} ${colorScheme}`)
      }
    }
  }
})

async function picture(): Promise<Buffer> {
  return await sharp({ create: { width: 400, height: 300, channels: 3, background: '#2a7f9e' } })
    .png()
    .toBuffer()
}
