// Lists of chats in the browser: the last words, what is begun, what waits for the network.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../support/browser.ts'
import { createChat, createSeamail, people, say, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('/seamail and Today: the last words of each chat, as they come; a draft and what waits go before them', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const thread = await createSeamail(sam.one, [heidi], { title: 'Breakfast' })
  await say(sam.one, thread, 'Where shall we\nmeet?')
  const { page, context } = await web.openAs(heidi.username, { bypassCSP: true, expected: /Failed to load resource|WebSocket/ })
  await page.goto('/')
  const row = page.locator('main .row', { hasText: 'Breakfast' })
  await row.getByText('Sam: Where shall we meet?').waitFor()
  await page.goto('/seamail')
  await row.getByText('Sam: Where shall we meet?').waitFor()
  await say(sam.one, thread, 'At eight')
  await row.getByText('Sam: At eight').waitFor()
  await row.getByRole('link').click()
  await page.getByRole('textbox', { name: 'Message' }).fill('In the Lido, I th')
  await page.getByRole('link', { name: 'Back' }).click()
  await row.getByText('Draft: In the Lido, I th').waitFor()
  assert.deepEqual(await violations(page), [])
  // Also after the page was loaded again.
  await page.reload()
  await row.getByText('Draft: In the Lido').waitFor()
  await row.getByRole('link').click()
  await page.getByRole('textbox', { name: 'Message' }).fill('In the Lido')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('link', { name: 'Back' }).click()
  await row.getByText('Waits: In the Lido').waitFor()
  await context.setOffline(false)
  await row.getByText('You: In the Lido').waitFor()
})

test('/lfg: the last words of a group that one is in', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const group = await createChat(sam.one, { title: 'Skat', initialUsers: [heidi.id] })
  await say(sam.one, group, 'I bring the cards')
  const { page } = await web.openAs(heidi.username)
  await page.goto('/lfg')
  await page.getByRole('button', { name: 'Mine' }).click()
  await page.getByText('Sam: I bring the cards').waitFor()
})
