// The first page: what waits and what comes, each once.
import { test } from 'node:test'
import { people, say, type Person } from './support/fez.ts'
import { webTests } from './support/web.ts'
import assert from 'node:assert/strict'

const web = webTests()

test('Today: a full group with somebody on its waiting list says so, and stands there once', async () => {
  const [heidi, sam, kim] = (await people(web.nodes, {}, {}, {})) as [Person, Person, Person]
  const { body: group } = await heidi.one.post('/fez/create', {
    fezType: 'gaming',
    title: 'Cards at nine',
    info: 'Beginners too',
    startTime: new Date(Date.now() + 3_600_000).toISOString(),
    endTime: new Date(Date.now() + 7_200_000).toISOString(),
    minCapacity: 1,
    maxCapacity: 2,
    initialUsers: [],
  })
  for (const person of [sam, kim]) await person.one.post(`/fez/${group.fezID}/join`)
  const { page } = await web.openAs(heidi.username)
  const next = page.locator('section', { hasText: 'Next' }).getByRole('listitem').filter({ hasText: 'Cards at nine' })
  await next.waitFor()
  assert.match((await next.textContent()) ?? '', /2 of 2, 1 waiting/)
  await say(sam.one, group.fezID, 'I bring the cards')
  const waiting = page.locator('section', { hasText: 'Waits for you' }).getByRole('listitem').filter({ hasText: 'Cards at nine' })
  await waiting.waitFor()
  assert.equal(await page.getByText('Cards at nine', { exact: true }).count(), 1)
})
