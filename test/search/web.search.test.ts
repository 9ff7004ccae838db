// One field for everything, in the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../support/browser.ts'
import { createChat, createSeamail, people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { apply } from '../support/schedule.ts'
import { disable } from '../support/settings.ts'
import { go, hasCount, settled, webTests } from '../support/web.ts'

const web = webTests()
const hourMs = 3_600_000

/** A place in which one word stands everywhere, and Heidi's page of the search. */
async function aPlace(word: string, options: object = {}) {
  const [heidi, sam, admin] = (await people(web.nodes, {}, { displayName: `Sam ${word}` }, { level: 'admin' })) as [Person, Person, Person]
  const start = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + hourMs)
  await apply(admin, [
    { uid: word, title: `Concert of ${word}`, start: start.toISOString(), end: new Date(start.getTime() + hourMs).toISOString() },
  ])
  const thread = await createSeamail(sam.one, [heidi], { title: 'Breakfast' })
  await say(sam.one, thread, `Have you seen the ${word}?`)
  await createChat(sam.one, { title: `${word} painting` })
  const { postID } = await startForum(sam.one, `Where is the ${word}?`, { text: `A ${word} on deck 9` })
  await write(sam.one, `Look, a ${word}`)
  const { page, context } = await web.openAs(heidi.username, { bypassCSP: true, expected: /Failed to load resource|WebSocket/, ...options })
  return { heidi, sam, thread, postID, page, context }
}

test('/search: what there is of each kind, with the way to it; it is there again on the way back', async () => {
  const { page, thread } = await aPlace('Albatross')
  await page.goto('/')
  await page.getByRole('link', { name: 'Search' }).first().click()
  const field = page.getByRole('searchbox', { name: 'Search everything' })
  await page.getByText('Find anything aboard').waitFor()
  assert.equal(await field.evaluate('document.activeElement.type'), 'search')
  await field.fill('albatross')
  const part = (name: string) => page.locator('section', { has: page.getByRole('heading', { name, exact: true }) })
  await part('People').getByText('Sam Albatross').waitFor()
  await part('Your messages and groups').getByText('Sam Albatross: Have you seen the Albatross?').waitFor()
  await part('Groups to join').getByText('Albatross painting').waitFor()
  await part('Schedule').getByText('Concert of Albatross').waitFor()
  await part('Forums').getByText('Where is the Albatross?').waitFor()
  await part('Posts in forums').getByText('A Albatross on deck 9').waitFor()
  await part('Microblog').getByText('Look, a Albatross').waitFor()
  await settled(page)
  assert.deepEqual(await violations(page), [])
  await part('Your messages and groups').getByRole('link').first().click()
  await page.waitForURL(`**/seamail/${thread}?post=*`)
  await page.goBack()
  await part('Microblog').getByText('Look, a Albatross').waitFor()
  assert.equal(await field.inputValue(), 'albatross')
  // What was followed from here is remembered, also after the page was loaded again; until it is forgotten.
  await field.fill('')
  await page.getByRole('button', { name: 'albatross' }).waitFor()
  await page.goto('/search')
  await page.getByRole('button', { name: 'albatross' }).click()
  await part('Forums').getByText('Where is the Albatross?').waitFor()
  await field.fill('')
  await page.getByRole('button', { name: 'Forget these' }).click()
  await page.getByText('Find anything aboard').waitFor()
})

test('/search: more than five lead to the page with all of them; nothing found says so', async () => {
  const { page, sam } = await aPlace('Petrel')
  for (let number = 1; number <= 7; number++) await write(sam.one, `Petrel number ${number}`)
  await page.goto('/search?search=petrel')
  await page.getByRole('link', { name: 'Show all: Microblog' }).click()
  await page.waitForURL('**/tweets?search=petrel')
  await hasCount(page.getByRole('article').filter({ hasText: /petrel/i }), 8)
  await page.goto('/search?search=qqqwwwzzz')
  await page.getByText('Nothing found').waitFor()
})

test('/search: without a network, what the device has kept', async () => {
  const { page, context, thread } = await aPlace('Cormorant')
  await page.goto('/')
  for (const [path, text] of [
    ['/events', 'Concert of Cormorant'],
    [`/seamail/${thread}`, 'Have you seen the Cormorant?'],
    ['/tweets', 'Look, a Cormorant'],
  ] as const) {
    await go(page, path)
    await page.getByText(text).first().waitFor()
  }
  await go(page, '/search')
  await page.getByText('Find anything aboard').waitFor()
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('cormorant')
  await page.getByText('Without a network only what this device has kept is searched.').waitFor()
  for (const found of ['Concert of Cormorant', 'Have you seen the Cormorant?', 'Look, a Cormorant'])
    await page.getByText(found).first().waitFor()
  await hasCount(page.getByText('Cormorant painting'), 0)
})

test('/search: without a network, groups to join that the device has kept', async () => {
  const { page, context, heidi, sam } = await aPlace('Dunlin')
  await createChat(sam.one, { title: 'Backgammon' })
  const own = await createChat(heidi.one, { title: 'Dunlin watching' })
  await page.goto('/fez')
  for (const title of ['Dunlin painting', 'Backgammon']) await page.getByText(title).first().waitFor()
  await go(page, `/lfg/${own}`)
  await page.getByRole('heading', { name: 'Dunlin watching' }).waitFor()
  await go(page, '/search')
  await page.getByText('Find anything aboard').waitFor()
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('dunlin')
  const groups = page.locator('section', { has: page.getByRole('heading', { name: 'Groups to join', exact: true }) })
  await groups.getByText('Dunlin painting').waitFor()
  await hasCount(groups.getByRole('link'), 1)
})

test('/search: nothing of what the host has switched off', async () => {
  const { page } = await aPlace('Gannet')
  await disable(web.nodes, 'tweets')
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await page.goto('/search?search=gannet')
  await page.getByText('Where is the Gannet?').waitFor()
  await settled(page)
  await hasCount(page.getByText('Look, a Gannet'), 0)
  assert.ok(!asked.some((path) => path.includes('/microblog')), asked.join())
})
