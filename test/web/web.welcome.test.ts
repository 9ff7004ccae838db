// The first look at the app: three pages at most, of which each can be skipped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../support/browser.ts'
import { people, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

/** A browser that may ask about notices, and offers to install the page. */
const willing = `
  Object.defineProperty(Notification, 'permission', { get: () => 'default', configurable: true })
  // Asked until somebody keeps it: on a slow machine the app begins to listen late.
  const asking = setInterval(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true })
    offer.prompt = async () => { window.prompted = true; return { outcome: 'accepted' } }
    window.kept = !dispatchEvent(offer)
    if (window.kept) clearInterval(asking)
  }, 100)`

test('/welcome: what there is, notices, the home screen, and then the first page', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username, { bypassCSP: true })
  await page.addInitScript(willing)
  // Pages keep the offer, whichever of them was opened first.
  await page.goto('/events')
  await page.waitForFunction('window.kept === true')
  await page.evaluate(`history.pushState(null, '', '/welcome')`)
  for (const [heading, sub] of [
    ['What you find here', '1 of 3'],
    ['Shall it tell you?', '2 of 3'],
    ['Keep it at hand', '3 of 3'],
  ] as const) {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.getByText(sub).waitFor()
    assert.deepEqual(await violations(page), [])
    if (sub !== '3 of 3') await page.getByRole('button', { name: 'Next' }).click()
  }
  await page.getByRole('button', { name: 'Put it there' }).click()
  await page.getByText('It is there.').waitFor()
  assert.equal(await page.evaluate('window.prompted'), true)
  await page.getByRole('button', { name: 'Look around' }).click()
  await page.getByText('Waits for you').waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
})

test('/welcome: a browser that can neither has one page, and Safari on a phone is told how', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const plain = (await web.openAs(heidi.username)).page
  await plain.addInitScript(`delete window.Notification`)
  await plain.goto('/welcome')
  await plain.getByRole('button', { name: 'Look around' }).waitFor()
  assert.equal(await plain.getByRole('button', { name: 'Skip', exact: true }).count(), 0)
  const safari = (await web.openAs(heidi.username)).page
  await safari.addInitScript(`delete window.Notification; navigator.standalone = false`)
  await safari.goto('/welcome')
  await safari.getByRole('button', { name: 'Next' }).click()
  await safari.getByText('Add to Home Screen').waitFor()
  await safari.getByRole('button', { name: 'Look around' }).click()
  await safari.getByText('Waits for you').waitFor()
})
