// Where a chat opens in the browser, what of it counts as read, and how one comes to its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

/** A chat of the two in which `sam` has written so many posts, of which `heidi` has read the first ones. */
async function chatWith(heidi: Person, sam: Person, { posts, read }: { posts: number; read: number }): Promise<string> {
  const id = await createSeamail(sam.one, [heidi], { title: 'Long' })
  await say(sam.one, id, 'Post 1')
  await web.nodes.sql`
    insert into fez_post (fez_id, author_id, real_author_id, text, created_at)
    select ${id}, ${sam.id}, ${sam.id}, 'Post ' || number, now() from generate_series(2, ${posts}::int) number`
  const [row] = await web.nodes.sql<{ seq: number }[]>`update fez set seq = seq + 1 where id = ${id} returning seq`
  await web.nodes.apps[0]?.node.channels.publishConfirmed('fez', id, { type: 'changed', seq: row?.seq })
  const [last] = await web.nodes.sql<{ id: number }[]>`select id from fez_post where fez_id = ${id} order by id offset ${read - 1} limit 1`
  await body(heidi.one.post(`/fez/${id}/markRead?upTo=${last?.id}`), 201)
  return id
}

const readOf = async (who: Person, id: string): Promise<number> =>
  (await body(who.one.get(`/fez/${id}?limit=1&peek=true`))).members.readCount

test('/seamail/:id opens at the first new post; read is what was on the screen; the button leads to the end', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const id = await chatWith(heidi, sam, { posts: 90, read: 50 })
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/seamail/${id}`)
  const line = page.locator('.new', { hasText: '40 new' })
  await line.waitFor()
  assert.ok(await page.getByText('Post 51', { exact: true }).isVisible())
  const box = (await page.locator('.thread-box').boundingBox()) as { y: number; height: number }
  const { y } = (await line.boundingBox()) as { y: number }
  assert.ok(y >= box.y && y < box.y + 150, `the line is at ${y - box.y}`)
  // Some of them can be seen, and are read; the rest is not.
  await until(async () => (await readOf(heidi, id)) > 50, 'what is on the screen counts')
  const read = await readOf(heidi, id)
  assert.ok(read < 75, `${read} are read`)
  await page.getByRole('button', { name: /new posts?$/ }).click()
  await page.getByText('Post 90', { exact: true }).waitFor()
  await until(async () => (await readOf(heidi, id)) === 90, 'all of it is read')
  await page.reload()
  await page.getByText('Post 90', { exact: true }).waitFor()
  assert.equal(await page.locator('.new').count(), 0)
})

test('with more new posts than are read at once the chat has no false end, and new ones never stand where others are missing', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const id = await chatWith(heidi, sam, { posts: 1460, read: 20 })
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/seamail/${id}`)
  await page
    .locator('.new', { hasText: '1440 new' })
    .or(page.locator('.new', { hasText: '1,440 new' }))
    .waitFor()
  await page.getByText('Post 21', { exact: true }).waitFor()
  await say(sam.one, id, 'The very last one')
  const later = page.locator('.later')
  await later.waitFor()
  const box = page.locator('.thread-box')
  // Where the posts that are here end, further ones come.
  await box.evaluate((element) => (element.scrollTop = element.scrollHeight - element.clientHeight - 800))
  await later.scrollIntoViewIfNeeded()
  await page.getByText('Post 900', { exact: true }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: /new posts?$/ }).click()
  await page.getByText('The very last one').waitFor()
  await later.waitFor({ state: 'detached' })
  const texts = await page.locator('.stretch .words').allTextContents()
  const numbers = texts.flatMap((text) => /^Post (\d+)$/.exec(text)?.[1] ?? []).map(Number)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => (numbers[0] as number) + index),
    'no gap',
  )
  assert.equal(numbers.at(-1), 1460)
})
