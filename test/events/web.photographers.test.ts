// The page of photographers: asked for, taken, handed back, and the file of it.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { startTestNodes } from '../support/app.ts'
import { violations } from '../support/browser.ts'
import { body, people, type Person } from '../support/fez.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { settled, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1))
const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const event = (uid: string, title: string): Listed => ({ uid, title, location: 'Deck 9', start: soon(24), end: soon(25) })

test('who sends photographers out asks for one; a photographer takes it and hands it back; others see nothing of it', async () => {
  const [admin, manager, ann, other] = (await people(
    web.nodes,
    { level: 'admin' },
    { roles: ['shutternautmanager'] },
    { roles: ['shutternaut'], displayName: 'Ann' },
    {},
  )) as [Person, Person, Person, Person]
  await apply(admin, [event('one', 'Captain’s welcome'), event('two', 'Tea with everybody')])
  const { page } = await web.openAs(manager.username)
  await page.goto('/events')
  await page.getByRole('link', { name: 'Photographers' }).click()
  await page.getByText('No event needs a photographer').waitFor()
  await page.getByRole('button', { name: 'All events' }).click()
  await page.getByRole('button', { name: 'Ask for one: Captain’s welcome' }).click()
  await page.getByText('Needs a photographer').waitFor()
  const found = async () => (await body(manager.one.get('/events/photographerreport'))).items as { photographers: unknown[] }[]
  await until(async () => (await found()).length === 1, 'it is asked for')

  const second = (await web.openAs(ann.username)).page
  await second.goto('/photographers')
  assert.equal(await second.getByRole('link', { name: 'As a file' }).count(), 0)
  await second.getByRole('button', { name: 'Take it: Captain’s welcome' }).click()
  await second.getByText('Photographed by Ann').waitFor()
  assert.equal((await found())[0]?.photographers.length, 1)
  await page.reload()
  await page.getByText('Photographed by Ann').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'As a file' }).click()])
  assert.equal(file.suggestedFilename(), 'photographers.csv')
  await second.getByRole('button', { name: 'Hand back: Captain’s welcome' }).click()
  await until(async () => (await found())[0]?.photographers.length === 0, 'it is free again')

  const third = (await web.openAs(other.username)).page
  await third.goto('/events')
  await third.getByText('Tea with everybody').waitFor()
  assert.equal(await third.getByRole('link', { name: 'Photographers' }).count(), 0)
  await third.goto('/photographers')
  await third.getByText('This page is for photographers').waitFor()
})

test('the page is accessible and fits, by day and by night, wide and narrow, in both languages', async () => {
  const folder = process.env['PICTURES']
  if (folder) mkdirSync(folder, { recursive: true })
  const [both] = (await people(web.nodes, { roles: ['shutternaut', 'shutternautmanager'] })) as [Person]
  const { page } = await web.openAs(both.username, { bypassCSP: true })
  const found: string[] = []
  for (const language of ['en', 'de'] as const) {
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/photographers')
      await page.locator('.tabs').first().locator('button').last().click()
      await page.locator('main li').first().waitFor()
      await settled(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `wider than ${width}`)
        found.push(...(await violations(page)).map((each) => `${width} ${colorScheme} ${language}: ${each}`))
        if (folder) await page.screenshot({ path: `${folder}/photographers-${width}-${colorScheme}-${language}.png`, fullPage: true })
      }
    }
  }
  assert.deepEqual(found, [])
})
