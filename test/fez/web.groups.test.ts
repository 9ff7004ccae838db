// Groups, seamails and private events in the browser: what their owner changes, and who sees it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, createChat, createSeamail, people, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { hasValue, webTests } from '../support/web.ts'

const web = webTests()
const hour = 60 * 60_000
/** Of the moment when the file begins: the same for all tests, also when an hour ends between them. */
const now = Date.now()
const at = (offset: number) => new Date(Math.ceil((now + offset) / hour) * hour).toISOString()

test('/lfg/:id/edit: title, place, times and number change; the waiting list moves up', async () => {
  const [heidi, sam, kim] = (await people(web.nodes, {}, {}, {})) as [Person, Person, Person]
  const group = await createChat(heidi.one, { title: 'Cards', startTime: at(hour), endTime: at(2 * hour), maxCapacity: 2 })
  for (const person of [sam, kim]) await body(person.one.post(`/fez/${group}/join`), 201)
  const waiting = (await web.openAs(kim.username)).page
  await waiting.goto(`/lfg/${group}`)
  await waiting.getByText('You are number 1 on the waiting list').waitFor()

  const { page } = await web.openAs(heidi.username)
  await page.goto(`/lfg/${group}`)
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await hasValue(page.getByLabel('Title'), 'Cards')
  await page.getByLabel('Title').fill('Cards and dice')
  await page.getByLabel('Where').fill('Deck 4')
  await page.getByLabel('At most').fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Cards and dice' }).waitFor()
  const { title, location, startTime, members } = await body(kim.one.get(`/fez/${group}`))
  assert.deepEqual([title, location, Date.parse(startTime)], ['Cards and dice', 'Deck 4', Date.parse(at(hour))])
  assert.equal(members.waitingList.length, 0)
  await waiting.reload()
  await waiting.getByText('Deck 4').waitFor()
  await waiting.getByText('waiting list').waitFor({ state: 'detached' })
  await waiting.getByRole('button', { name: 'More about this chat' }).click()
  assert.equal(await waiting.getByRole('button', { name: 'Edit' }).count(), 0, 'only its owner changes it')
})

test('a group is called off after a question, and takes place again when it is saved', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const group = await createChat(heidi.one, { title: 'A walk', startTime: at(hour), endTime: at(2 * hour) })
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/lfg/${group}`)
  const menu = async (entry: string) => {
    await page.getByRole('button', { name: 'More about this chat' }).click()
    await page.getByRole('button', { name: entry }).click()
  }
  await menu('Call the group off')
  await page.getByRole('button', { name: 'Keep it' }).click()
  assert.equal((await body(heidi.one.get(`/fez/${group}`))).cancelled, false)
  await menu('Call the group off')
  await page.getByRole('button', { name: 'Call off', exact: true }).click()
  await page.getByText('Called off').waitFor()
  await menu('Edit')
  await page.getByText('It was called off.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Called off').waitFor({ state: 'detached' })
  assert.equal((await body(heidi.one.get(`/fez/${group}`))).cancelled, false)
})

test('a seamail gets another title; the list shows what is unread', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const [chat, other] = [
    await createSeamail(heidi.one, [sam], { title: 'Plans' }),
    await createSeamail(heidi.one, [sam], { title: 'Else' }),
  ]
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/seamail/${chat}`)
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Subject').fill('Dinner plans')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Dinner plans' }).waitFor()
  assert.equal((await body(sam.one.get(`/fez/${chat}`))).title, 'Dinner plans')
  await say(sam.one, other, 'And this?')
  await page.goto('/seamail')
  await page.getByText('Dinner plans').waitFor()
  await page.getByRole('button', { name: 'Unread' }).click()
  await page.getByText('Dinner plans').waitFor({ state: 'detached' })
  await page.getByText('Else').waitFor()
})

test('/fez: groups by kind, and those that one has begun or left', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const future = { startTime: at(hour), endTime: at(2 * hour) }
  const left = await createChat(sam.one, { title: 'Ukulele circle', fezType: 'music', ...future })
  await createChat(sam.one, { title: 'Vegan table', fezType: 'dining', ...future })
  await createChat(heidi.one, { title: 'Sketching', ...future })
  await body(heidi.one.post(`/fez/${left}/join`), 201)
  const { page } = await web.openAs(heidi.username)
  await page.goto('/fez')
  await page.getByText('Vegan table').waitFor()
  await page.getByLabel('Kind').selectOption('Music')
  await page.getByText('Nothing found').waitFor()
  await page.getByLabel('Kind').selectOption('Dining')
  await page.getByText('Vegan table').waitFor()
  await page.getByLabel('Kind').selectOption('Any kind')
  await page.getByRole('button', { name: 'By me' }).click()
  await page.getByText('Vegan table').waitFor({ state: 'detached' })
  await page.getByText('Sketching').waitFor()
  assert.equal(await page.getByText('Ukulele circle').count(), 0)
  await body(heidi.one.post(`/fez/${left}/unjoin`))
  await page.getByRole('button', { name: 'Left' }).click()
  await page.getByText('Ukulele circle').waitFor()
})

test('/privateevent/new: an event for those who are invited, in the planners of all of them', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam Smith' })) as [Person, Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/dayplanner')
  await page.getByRole('link', { name: 'New private event' }).click()
  await page.getByLabel('Title').fill('Breakfast in the cabin')
  await page.getByRole('searchbox', { name: 'Find people by name' }).fill(sam.username)
  await page.getByRole('button', { name: /Sam Smith/ }).click()
  await page.getByLabel('Starts').fill('2099-03-01T09:00')
  await hasValue(page.getByLabel('Ends'), '2099-03-01T10:00')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Breakfast in the cabin' }).waitFor()
  const other = (await web.openAs(sam.username)).page
  await other.goto('/dayplanner')
  await other.getByRole('link', { name: /Breakfast in the cabin/ }).click()
  await other.getByRole('heading', { name: 'Breakfast in the cabin' }).waitFor()
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Late breakfast')
  await page.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await body(sam.one.get('/personalevents')))[0]?.title === 'Late breakfast', 'the event has changed')
})

test('two people in one chat see that the other is there, until one goes', async () => {
  const [heidi, sam] = (await people(web.nodes, { displayName: 'Heidi' }, { displayName: 'Sam' })) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Plans' })
  const [{ page: one }, { page: two }] = await Promise.all([web.openAs(heidi.username), web.openAs(sam.username)])
  await Promise.all([one.goto(`/seamail/${chat}`), two.goto(`/seamail/${chat}`)])
  await one.getByText('Sam is here').waitFor()
  await two.getByText('Heidi is here').waitFor()
  await two.getByRole('link', { name: 'Back' }).click()
  await one.getByText('Sam is here').waitFor({ state: 'detached' })
})
