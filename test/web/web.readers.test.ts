// Somebody who may read and not write, in the browser: no page offers what the server would refuse.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startTestNodes } from '../support/app.ts'
import { body, createChat, createSeamail, lfg, people, type Person } from '../support/fez.ts'
import { categories, postIn, startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { boardItem } from '../support/quartermaster.ts'
import { apply } from '../support/schedule.ts'
import { onlySettings } from '../support/settings.ts'
import { go, hasCount, settled, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1))
const minuteMs = 60_000
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString()

/** What somebody who may write finds on a page, or behind one of its menus. */
interface Offer {
  path: string
  menu?: string | RegExp
  finds: (page: Page) => Locator[]
}

const link = (name: string) => (page: Page) => [page.getByRole('link', { name, exact: true })]
const button = (name: string) => (page: Page) => [page.getByRole('button', { name, exact: true })]
const field = (name: string) => (page: Page) => [page.getByRole('textbox', { name, exact: true })]

/** Opens the page, and its menu where there is one; `check` gets each of what may stand there. */
async function look(page: Page, { path, menu, finds }: Offer, check: (control: Locator) => Promise<void>): Promise<void> {
  await go(page, path)
  await settled(page)
  if (menu !== undefined) {
    await page.getByRole('button', { name: menu }).first().click()
    await page.getByRole('dialog').waitFor()
  }
  for (const control of finds(page)) await check(control)
  if (menu !== undefined) await page.keyboard.press('Escape')
}

/** Fills a place with what `writer` has written, and with what others have. */
async function offersOf(writer: Person, other: Person, team: Person): Promise<Offer[]> {
  const uid = 'of-users'
  await apply(team, [{ uid, title: 'Knots', category: 'SHADOW CRUISE', start: minutesFromNow(-30), end: minutesFromNow(30) }])
  const [event] = await body(writer.one.get('/events'))
  const puzzles = [{ title: 'At the mast', body: 'Which colour?', answer: 'Red', hints: {} }]
  await body(team.one.post('/hunts/create', { title: 'The lost flag', description: 'Somebody has taken it.', puzzles }), 201)
  const { hunts } = await body(writer.one.get('/hunts'))
  const hunt = await body(writer.one.get(`/hunts/${hunts[0].huntID}`))
  const { forumID } = await startForum(writer.one, 'Ours')
  await postIn(writer.one, forumID, 'Mine in the forum')
  const postID = await write(writer.one, 'Mine in the microblog')
  const poll = { place: 'microblog', question: 'Where?', choices: ['Here', 'There'] }
  const { pollID } = await body(other.one.post('/poll/create', poll), 201)
  const seamail = await createSeamail(writer.one, [other], { title: 'Between us' })
  const group = await createChat(other.one, lfg({ title: 'Of others' }))
  const own = await createChat(writer.one, lfg({ title: 'Of mine' }))
  const mine = await boardItem(writer.one)
  const theirs = await boardItem(other.one)
  const { barrelID } = await body(writer.one.post('/user/barrel', { name: 'Friends', uuidList: [other.id] }), 201)
  const { gameArray } = await body(writer.one.get('/boardgames'))
  return [
    { path: '/tweets', finds: field('What is new?') },
    { path: `/tweets/${postID}`, finds: field('Your reply') },
    { path: `/tweets/${postID}`, menu: /^Post by .*/, finds: button('Quote') },
    { path: `/forum/${forumID}`, finds: field('Your post') },
    { path: `/forum/${forumID}`, menu: 'More about this forum', finds: button('Rename') },
    {
      path: `/forum/${forumID}`,
      menu: /^Post by .*/,
      finds: (page) => ['Pin', 'Edit', 'Delete', 'Quote'].flatMap((name) => button(name)(page)),
    },
    { path: `/forums/${categories.general}`, finds: button('New forum') },
    { path: `/poll/${pollID}`, finds: (page) => [page.getByRole('button', { name: /^Here/, disabled: false })] },
    { path: '/seamail', finds: link('New seamail') },
    { path: `/seamail/${seamail}`, finds: field('Message') },
    { path: `/seamail/${seamail}`, menu: 'More about this chat', finds: button('Rename') },
    { path: '/fez', finds: link('New group') },
    { path: `/fez/${group}`, finds: button('Join') },
    { path: `/fez/${own}`, menu: 'More about this chat', finds: button('Edit') },
    { path: '/photostream', finds: (page) => [page.getByText('Add a photo')] },
    { path: '/microkaraoke', finds: link('Sing a line') },
    { path: '/dayplanner', finds: link('New private event') },
    { path: '/quartermaster', finds: link('Add to the board') },
    { path: `/quartermaster/${theirs}`, finds: link('Write to them') },
    {
      path: `/quartermaster/${mine}`,
      menu: 'More about this thing',
      finds: (page) => ['Edit', 'Take off the board'].flatMap((name) => button(name)(page)),
    },
    { path: '/boardgames', menu: gameArray[0].gameName, finds: link('Start a group') },
    { path: `/puzzle/${hunt.puzzles[0].puzzleID}`, finds: field('Your answer') },
    { path: `/events/${event.eventID}`, finds: (page) => [...link('Give feedback')(page), ...link('I organise this')(page)] },
    { path: '/performers', finds: link('My performer page') },
    {
      path: `/profile/${other.username}`,
      finds: (page) => [page.getByRole('link', { name: /^Write to/ }), page.getByRole('button', { name: /^Call/ })],
    },
    { path: `/barrels/${barrelID}`, finds: link('Write to all of them') },
    { path: '/account', finds: (page) => [...button('Change username')(page), ...link('New sub-account')(page)] },
    { path: '/account/tokens', finds: button('Make a token') },
  ]
}

test('what a verified person finds on the pages, a quarantined one does not', async () => {
  const [writer, other, team] = (await people(web.nodes, {}, { displayName: 'Sam' }, { level: 'admin' })) as [Person, Person, Person]
  await onlySettings(web.nodes, { enablePreregistration: true })
  const offers = await offersOf(writer, other, team)
  const { page } = await web.openAs(writer.username, { expected: /401|notification\/socket/ })
  for (const offer of offers) await look(page, offer, (control) => control.first().waitFor())

  await body(team.one.post(`/mod/user/${writer.id}/setaccesslevel/quarantined`))
  const { page: reader } = await web.openAs(writer.username)
  for (const offer of offers)
    await look(reader, offer, (control) => hasCount(control, 0).catch(() => assert.fail(`${offer.path} offers ${String(control)}`)))
})
