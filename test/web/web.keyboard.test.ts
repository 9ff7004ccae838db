// Without a mouse and without a touch: sign in, go somewhere, write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../support/accounts.ts'
import { violations } from '../support/browser.ts'
import { createSeamail, people, say, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { hasValue, webTests } from '../support/web.ts'

const web = webTests()
const mostKeys = 40

/** Presses Tab until the wanted element has the focus; all on the way show that they have it. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  for (let keys = 0; keys < mostKeys; keys++) {
    await page.keyboard.press('Tab')
    const { name, isShown } = await page.evaluate<{ name: string; isShown: boolean }>(`(() => {
      const { activeElement } = document
      // Between the last and the first element of a page.
      if (activeElement === document.body) return { name: '', isShown: true }
      const labels = Array.from(activeElement.labels ?? [], ({ textContent }) => textContent)
      // A field may leave it to the box around it.
      const outlines = [activeElement, activeElement.parentElement].map((element) => getComputedStyle(element))
      return {
        name: [activeElement.getAttribute('aria-label') ?? '', ...labels, activeElement.textContent].join(' '),
        isShown: outlines.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2),
      }
    })()`)
    assert.ok(isShown, `the focus is not to be seen on ${name}`)
    if (wanted.test(name)) return
  }
  assert.fail(`Tab does not lead to ${String(wanted)} within ${mostKeys} keys`)
}

test('sign in, go to a chat, write, and come back: by keyboard alone', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(sam.one, [heidi], { title: 'By keyboard' })
  await say(sam.one, chat, 'Type something')
  const { page } = await web.open()
  await page.goto('/login')
  await page.getByLabel('Username').waitFor()
  await tabTo(page, /Username/)
  await page.keyboard.type(heidi.username)
  await tabTo(page, /Password/)
  await page.keyboard.type(testPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  await page.getByText('By keyboard').waitFor()

  await tabTo(page, /Seamail/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Seamail' }).waitFor()
  await tabTo(page, /By keyboard/)
  await page.keyboard.press('Enter')
  await page.locator('.bubble', { hasText: 'Type something' }).waitFor()
  await tabTo(page, /^Message/)
  await page.keyboard.type('Typed')
  await page.keyboard.press('Enter')
  await page.locator('.bubble.me', { hasText: 'Typed' }).waitFor()

  // A menu opens, closes with Escape, and gives the focus back.
  await page.locator('h1').focus()
  await tabTo(page, /About this chat|More/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'BUTTON')
  await page.locator('h1').focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Seamail' }).waitFor()
})

test('the first stop of a page leads past the places; it shows while it has the focus', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/events')
  // The whole page: what stands there while it comes goes with the focus that it has.
  await page.getByRole('searchbox').waitFor()
  const skip = page.getByRole('button', { name: 'Skip to the page' })
  assert.ok(((await skip.boundingBox())?.y ?? 0) < 0, 'it is out of the way')
  await skip.focus()
  await until(async () => ((await skip.boundingBox())?.y ?? -1) >= 0, 'it is to be seen')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.localName'), 'main')
})

test('the keys of a desk: through a list, to answer, to edit, to search, to places; none of them in a field or a dialog', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  for (const text of ['The first post', 'The second post']) await write(sam.one, text)
  await write(heidi.one, 'A post of mine')
  const { page } = await web.openAs(heidi.username, { viewport: { width: 1280, height: 860 }, bypassCSP: true })
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const help = page.getByRole('dialog', { name: 'Keys' })
  // They come a moment after the page.
  await until(async () => {
    await page.keyboard.press('?')
    return await help.isVisible()
  }, 'the keys are shown')
  await help.getByText('the next one').waitFor()
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('m')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })

  for (const key of ['g', 'm']) await page.keyboard.press(key)
  await page.getByRole('heading', { level: 1, name: 'Microblog' }).waitFor()
  await page.getByText('A post of mine').waitFor()
  const here = () => page.evaluate<string>(`document.activeElement.closest('article')?.textContent ?? ''`)
  await page.keyboard.press('j')
  await until(async () => (await here()).includes('A post of mine'), 'the first of the list')
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByRole('textbox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('article').filter({ hasText: 'A post of mine' }).getByRole('link').first().focus()
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key)
  await until(async () => (await here()).includes('The second post'), 'two on and one back')
  // A post of somebody else is not to be edited.
  await page.keyboard.press('e')
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.keyboard.press('r')
  await page.getByRole('heading', { level: 1, name: 'Conversation' }).waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('jot it down, r?')
  await hasValue(page.getByRole('textbox', { name: 'Your reply' }), 'jot it down, r?')
  await page.locator('h1').focus()
  await page.keyboard.press('/')
  await page.getByRole('searchbox', { name: 'Search everything' }).waitFor()
  await page.locator('h1').focus()
  for (const key of ['g', 's']) await page.keyboard.press(key)
  await page.getByRole('heading', { level: 1, name: 'Seamail' }).waitFor()
  await page.keyboard.press('/')
  await until(() => page.evaluate(`document.activeElement.type === 'search'`), 'the field of this page')
})
