// The item board in the browser app: post, find, write to the owner, change, take off, report.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import { startTestNodes } from '../support/app.ts'
import { violations } from '../support/browser.ts'
import { body, people, type Person } from '../support/fez.ts'
import { boardItem } from '../support/quartermaster.ts'
import { until } from '../support/until.ts'
import { hasCount, settled, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))

const picture = (background: string) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .png()
    .toBuffer()

test('post two things at one place, one with a photo; somebody else finds one, and writes to its owner', async () => {
  const [heidi, sam] = (await people(web.nodes, { displayName: 'Heidi' }, { displayName: 'Sam' })) as [Person, Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/quartermaster')
  await page.getByText('Nobody has posted anything to share yet').waitFor()
  await page.getByRole('link', { name: 'Add to the board' }).click()
  await page.getByLabel('Where can it be found?').fill('Library, second shelf')
  await page.getByLabel('What is it?').fill('Snorkel')
  await page.getByLabel('More about it').fill('With two masks')
  await page.locator('input[type=file]').setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: await picture('#336699') })
  await page.getByRole('img', { name: 'Picture 1' }).waitFor()
  await page.getByRole('button', { name: 'One more thing' }).click()
  await page.getByLabel('What is it?').nth(1).fill('Flippers')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByText('It is on the board.').waitFor()
  const { items } = await body(heidi.one.get('/quartermaster?mine=true'))
  assert.deepEqual(
    items
      .map(({ itemName, itemDescription, location, image }: Record<string, unknown>) => [
        itemName,
        itemDescription,
        location,
        Boolean(image),
      ])
      .toSorted(),
    [
      ['Flippers', undefined, 'Library, second shelf', false],
      ['Snorkel', 'With two masks', 'Library, second shelf', true],
    ],
  )

  const other = (await web.openAs(sam.username)).page
  await other.goto('/quartermaster')
  await other.getByLabel('Search the board').fill('masks')
  await until(async () => (await other.getByRole('listitem').filter({ hasText: 'Flippers' }).count()) === 0, 'what does not fit is gone')
  await other.getByRole('link', { name: /Snorkel/ }).click()
  await other.getByRole('heading', { name: 'Snorkel' }).waitFor()
  await other.getByText('Library, second shelf').waitFor()
  await other.getByRole('link', { name: 'Write to them' }).click()
  await other.getByText('Heidi').waitFor()
})

test('each thing has the picture that was chosen for it, also when one before it is left out', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/quartermaster/create')
  await page.getByLabel('Where can it be found?').fill('Aft bar')
  const things = page.locator('fieldset')
  for (const [index, [name, colour]] of Object.entries({ Kite: '#110000', Rope: '#000011', Flag: '#001100' }).entries()) {
    if (index > 0) await page.getByRole('button', { name: 'One more thing' }).click()
    const thing = things.nth(index)
    await thing.getByLabel('What is it?').fill(name)
    await thing.locator('input[type=file]').setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: await picture(colour) })
    await thing.getByRole('img', { name: 'Picture 1' }).waitFor()
  }
  const rope = await things.nth(1).getByRole('img').screenshot()
  await things.nth(2).getByRole('button', { name: 'Remove picture 1' }).click()
  await things.nth(0).getByRole('button', { name: 'Leave this one out' }).click()
  await hasCount(things, 2)
  assert.deepEqual(await things.nth(0).getByRole('img').screenshot(), rope)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByText('It is on the board.').waitFor()
  const { items } = await body(heidi.one.get('/quartermaster?mine=true'))
  assert.deepEqual(items.map(({ itemName, image }: { itemName: string; image?: string }) => `${itemName}: ${Boolean(image)}`).toSorted(), [
    'Flag: false',
    'Rope: true',
  ])
})

test('a name can be left out, for which there has to be a place; the owner changes it and takes it off', async () => {
  const [heidi, sam] = (await people(web.nodes, { displayName: 'Heidi' }, {})) as [Person, Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/quartermaster/create?category=need')
  await page.getByLabel('What is it?').fill('Jigsaw')
  await page.getByLabel('Do not show my name').check()
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  assert.equal(await page.locator('input:invalid').count(), 1)
  await page.getByLabel('Where can it be found?').fill('Games room')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('link', { name: /Jigsaw/ }).click()
  await page.getByText('Others do not see that it is yours.').waitFor()
  const id = page.url().split('/').at(-1) as string

  const other = (await web.openAs(sam.username)).page
  await other.goto(`/quartermaster/${id}`)
  await other.getByText('Who posted it does not show their name.').waitFor()
  assert.equal(await other.getByText('Heidi').count(), 0)

  await page.getByRole('button', { name: 'More about this thing' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('What is it?').fill('Jigsaw of a lighthouse')
  await page.locator('input[type=file]').setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: await picture('#993366') })
  await page.getByRole('img', { name: 'Picture 1' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Jigsaw of a lighthouse' }).waitFor()
  const changed = await body(heidi.one.get(`/quartermaster/${id}`))
  assert.deepEqual([changed.location, changed.hideOwnerName, Boolean(changed.image)], ['Games room', true, true])

  await page.getByRole('button', { name: 'More about this thing' }).click()
  await page.getByRole('button', { name: 'Take off the board' }).click()
  await page.getByRole('dialog', { name: 'Take it off the board?' }).getByRole('button', { name: 'Take off the board' }).click()
  await page.getByText('It is off the board.').waitFor()
  assert.equal((await body(heidi.one.get('/quartermaster?mine=true'))).paginator.total, 0)
})

test('it is reported, also from the address of apps; a moderator hides it, and sees what it was', async () => {
  const [heidi, sam, moderator] = (await people(web.nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const id = await boardItem(heidi.one, { itemName: 'Fireworks' })
  const { page } = await web.openAs(sam.username)
  await page.goto(`/quartermaster/report/${id}`)
  await page.getByLabel('What is wrong with it?').fill('Not aboard')
  await page.getByRole('button', { name: 'Send' }).click()
  await until(async () => (await body(moderator.one.get(`/mod/quartermaster/${id}`))).reports.length === 1, 'the moderators have it')
  const desk = (await web.openAs(moderator.username, { viewport: { width: 1280, height: 900 } })).page
  await desk.goto(`/moderate/quartermaster/${id}`)
  await desk.getByText('Not aboard').first().waitFor()
  await desk.getByText('Fireworks').first().waitFor()
  await desk.getByRole('button', { name: /^Hide/ }).first().click()
  await until(async () => (await body(sam.one.get(`/quartermaster/${id}`))).moderationStatus === 'quarantined', 'it is under review')
  await page.goto(`/quartermaster/${id}`)
  await page.getByRole('heading', { name: 'This item is under moderator review.' }).waitFor()
})

test('the pages are accessible and fit, by day and by night, wide and narrow, in both languages', async () => {
  const folder = process.env['PICTURES']
  if (folder) mkdirSync(folder, { recursive: true })
  const [heidi, sam] = (await people(web.nodes, { displayName: 'Heidi of the long name' }, {})) as [Person, Person]
  const image = { image: (await picture('#668833')).toString('base64') }
  const id = await boardItem(
    heidi.one,
    { itemName: 'Ironing board that folds', itemDescription: 'As good as new.\nPlease bring it back until six.', image },
    { location: 'Laundry, deck 4' },
  )
  for (const itemName of ['Sewing kit', 'A book about whales, in two volumes, the second of which has lost its cover', 'Tea'])
    await boardItem(heidi.one, { itemName, itemDescription: 'x '.repeat(200) })
  await boardItem(sam.one, { itemName: 'Charger for an old phone' }, { category: 'need' })
  const { page } = await web.openAs(sam.username, { bypassCSP: true })
  const found: string[] = []
  for (const language of ['en', 'de'] as const) {
    await page.goto('/')
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    for (const [name, path] of [
      ['list', '/quartermaster'],
      ['owned', '/quartermaster/owned'],
      ['item', `/quartermaster/${id}`],
      ['create', '/quartermaster/create'],
      ['about', '/quartermaster/about'],
    ] as const)
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(path)
        await page.locator('main > *').first().waitFor()
        await settled(page)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than ${width}`)
          found.push(...(await violations(page)).map((each) => `${path} ${width} ${colorScheme} ${language}: ${each}`))
          if (folder) await page.screenshot({ path: `${folder}/board-${name}-${width}-${colorScheme}-${language}.png`, fullPage: true })
        }
      }
  }
  assert.deepEqual(found, [])
})
