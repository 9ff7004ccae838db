// Performers come as files to the console: profiles as JSON, appearances as a spreadsheet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { sheetFile } from '../support/sheets.ts'
import { sayYes, webTests } from '../support/web.ts'

const web = webTests()
const json = (value: unknown) => ({ name: 'list.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(value)) })

test('/admin/performers: a list and a spreadsheet are looked at and applied; a file that is none is refused with a sentence', async () => {
  const [host] = (await people(web.nodes, { level: 'admin' })) as [Person]
  // Monday of the trip, in New York.
  await apply(host, [
    { uid: 'opening', title: 'Opening night', category: 'MAIN CONCERT', start: '2025-03-04T00:00:00Z', end: '2025-03-04T01:00:00Z' },
  ])
  const { page } = await web.openAs(host.username, { viewport: { width: 1280, height: 900 }, expected: /400/ })
  await page.goto('/admin/performers')
  const list = page.getByLabel('Choose a list of performers')
  await list.setInputFiles(json({ no: 'list' }))
  await page.getByText('The file holds no list.').first().waitFor()
  const header = { name: 'The Bilge Pumps', isOfficialPerformer: true }
  await list.setInputFiles(json([{ header, yearsAttended: [], scrapedEventRefs: [] }]))
  await page.getByText('The Bilge Pumps').waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await page.getByText('Saved.').waitFor()

  const sheet = page.getByLabel('Choose a spreadsheet')
  const file = (buffer: Buffer) => ({
    name: 'links.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer,
  })
  await sheet.setInputFiles(file(Buffer.from('no spreadsheet')))
  await page.getByRole('alert').waitFor()
  await sheet.setInputFiles(
    file(
      await sheetFile([
        ['Day', 'Start', 'EventName', 'Featuring'],
        ['Mon', '7:00pm', 'Opening night', 'The Bilge Pumps'],
      ]),
    ),
  )
  await page.getByText('Events with performers').waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await page.getByText('Events with performers').waitFor({ state: 'detached' })
  const { performers } = await body(host.one.get('/events/opening'))
  assert.deepEqual(
    performers.map(({ name }: { name: string }) => name),
    ['The Bilge Pumps'],
  )
})
