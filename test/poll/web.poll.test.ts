// Polls in the browser: asked and voted on in a chat, a forum and the microblog, live, and without a network.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../support/browser.ts'
import { body, createSeamail, people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { until } from '../support/until.ts'
import { hasCount, listens, webTests } from '../support/web.ts'

const web = webTests()
const pictures = process.env['PICTURES']

const ask = async (who: Person, more: object = {}) =>
  await body(
    who.one.post('/poll/create', { place: 'microblog', question: 'Where do we eat?', choices: ['Lido', 'Galley', 'Grill'], ...more }),
    201,
  )

test('/seamail/:id: somebody asks, the other votes, both see it at once', async () => {
  const [heidi, sam] = (await people(web.nodes, { displayName: 'Heidi' }, { displayName: 'Sam' })) as [Person, Person]
  const id = await createSeamail(heidi.one, [sam], { title: 'Dinner' })
  const { page } = await web.openAs(heidi.username, { bypassCSP: true })
  await page.goto(`/seamail/${id}`)
  await listens(page)
  await page.getByRole('button', { name: 'Ask with choices' }).click()
  await page.getByLabel('Question').fill('Where do we eat tonight?')
  await page.getByLabel('Choice 1').fill('Lido')
  await page.getByLabel('Choice 2').fill('lido')
  await page.getByText('Two choices are alike.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled())
  await page.getByLabel('Choice 2').fill('Galley')
  await page.getByLabel('Choice 3').fill('Grill on the pool deck')
  await page.getByLabel('Open for').selectOption('A day')
  if (pictures) await page.screenshot({ path: `${pictures}/poll-form.png` })
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  const poll = page.getByRole('group', { name: 'Where do we eat tonight?' })
  await poll.getByText('0 voted').waitFor()
  await hasCount(page.locator('.bubble'), 1)

  const { page: other } = await web.openAs(sam.username, { bypassCSP: true })
  await other.goto(`/seamail/${id}`)
  const seen = other.getByRole('group', { name: 'Where do we eat tonight?' })
  await seen.getByRole('button', { name: /Galley/ }).click()
  await seen.getByRole('button', { name: /Galley/, pressed: true }).waitFor()
  await poll.getByText('One voted').waitFor()
  await seen.getByRole('button', { name: /Grill/ }).click()
  await seen.getByRole('button', { name: /Galley/, pressed: false }).waitFor()
  await poll.getByRole('button', { name: 'Grill on the pool deck One vote' }).waitFor()
  await poll.getByRole('button', { name: 'Who voted' }).click()
  await page.locator('dialog', { hasText: 'Sam' }).waitFor()
  if (pictures) await page.screenshot({ path: `${pictures}/poll-voters.png` })
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Close' }).click()
  if (pictures) await other.screenshot({ path: `${pictures}/poll-chat.png` })

  assert.equal(await seen.getByRole('button', { name: 'End now' }).count(), 0, 'not for others')
  await poll.getByRole('button', { name: 'End now' }).click()
  await page.locator('dialog').getByRole('button', { name: 'End now' }).click()
  await seen.getByText(/has ended/).waitFor()
  assert.ok(await seen.getByRole('button', { name: /Lido/ }).isDisabled())
})

test('/forum/:id, /tweets, /poll/:id: polls stand in place of their texts', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const { forumID } = await startForum(heidi.one, 'Food')
  const inForum = await ask(heidi, { place: 'forum', placeID: forumID, several: true, anonymous: true })
  const { pollID } = await ask(heidi, { question: 'And tomorrow?' })
  const { page } = await web.openAs(sam.username, { bypassCSP: true })
  await page.goto(`/forum/${forumID}`)
  const poll = page.getByRole('group', { name: 'Where do we eat?' })
  for (const name of ['Lido', 'Grill']) await poll.getByRole('button', { name: new RegExp(name) }).click()
  await poll.getByText('One voted · several choices · anonymous').waitFor()
  assert.equal(await page.getByText('/poll/').count(), 0, 'the address is not shown')
  assert.equal(await poll.getByRole('button', { name: 'Who voted' }).count(), 0)
  if (pictures) await page.screenshot({ path: `${pictures}/poll-forum.png` })
  assert.deepEqual(await violations(page), [])
  await until(
    async () =>
      (await body(sam.one.get(`/poll/${inForum.pollID}`))).choices.map(({ votes }: { votes: number }) => votes).join() === '1,0,1',
    'both votes are there',
  )

  await page.goto('/tweets')
  await page.getByRole('group', { name: 'And tomorrow?' }).getByRole('button', { name: /Lido/ }).click()
  if (pictures) await page.screenshot({ path: `${pictures}/poll-microblog.png` })
  await page.goto(`/poll/${pollID}`)
  await page.getByRole('group', { name: 'And tomorrow?' }).getByRole('button', { name: /Lido/, pressed: true }).waitFor()
  if (pictures) await page.screenshot({ path: `${pictures}/poll-page.png` })
  assert.deepEqual(await violations(page), [])
  await page.getByRole('link', { name: 'To the conversation' }).click()
  await page.waitForURL(/\/tweets\/\d+$/)
  await page.goto('/poll/7c9e6679-7425-40de-944b-e07fc1f90ae7')
  await page.getByText('This poll is not here').waitFor()
})

test('without a network: a question and a vote wait, and arrive once', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const id = await createSeamail(heidi.one, [sam], { title: 'Offline' })
  const { pollID } = await ask(sam, { place: 'fez', placeID: id })
  const { page, context } = await web.openAs(heidi.username, {
    serviceWorkers: 'allow',
    expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/,
  })
  await page.goto(`/seamail/${id}`)
  const poll = page.getByRole('group', { name: 'Where do we eat?' })
  await poll.waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await context.setOffline(true)
  await poll.getByRole('button', { name: /Galley/ }).click()
  await poll.getByText('One voted · your vote waits for the network').waitFor()
  await poll.getByRole('button', { name: /Grill/ }).click()
  await page.getByRole('button', { name: 'Ask with choices' }).click()
  await page.getByLabel('Question').fill('When?')
  await page.getByLabel('Choice 1').fill('At seven')
  await page.getByLabel('Choice 2').fill('At eight')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.locator('.bubble.waiting', { hasText: 'At eight' }).waitFor()
  // Begun again on a page that shows no posts: it is still a question.
  await context.route('**/poll/create', (route) => route.abort())
  await context.setOffline(false)
  await page.goto('/')
  await context.unroute('**/poll/create')
  await until(async () => (await body(sam.one.get(`/fez/${id}`))).members.postCount === 2, 'it is sent')
  await page.goto(`/seamail/${id}`)
  await page.getByRole('group', { name: 'When?' }).waitFor()
  await hasCount(page.locator('.bubble', { hasText: 'At eight' }), 1)
  await until(
    async () => (await body(sam.one.get(`/poll/${pollID}`))).choices.map(({ votes }: { votes: number }) => votes).join() === '0,0,1',
    'the last choice is there',
  )
  const { members } = await body(sam.one.get(`/fez/${id}`))
  assert.equal(members.postCount, 2)
})
