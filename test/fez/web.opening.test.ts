// Where a chat opens in the browser, what of it counts as read, and how one comes to its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, createChat, createSeamail, people, say, type Person } from '../support/fez.ts'
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
  const [row] = await web.nodes.sql<{ seq: number }[]>`
    update fez set seq = seq + 1, last_post_id = (select max(id) from fez_post where fez_id = ${id}) where id = ${id} returning seq`
  await web.nodes.apps[0]?.node.channels.publishConfirmed('fez', id, { type: 'changed', seq: row?.seq })
  const [last] = await web.nodes.sql<
    { id: number }[]
  >`select id from fez_post where fez_id = ${id} order by id offset ${Math.max(0, read - 1)} limit 1`
  if (read > 0) await body(heidi.one.post(`/fez/${id}/markRead?upTo=${last?.id}`), 201)
  return id
}

/** How many posts of a chat the browser has kept. */
const keptPosts = `new Promise((resolve) => {
  const asked = indexedDB.open('keyval-store')
  asked.onsuccess = () => {
    const all = asked.result.transaction('keyval').objectStore('keyval').getAll()
    all.onsuccess = () => resolve(all.result.find(({ key } = {}) => key?.[0] === 'chat')?.data.posts.length)
  }
})`

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
  // What was kept may be from a moment before.
  await page.locator('.new').waitFor({ state: 'detached' })
  await page.getByText('Post 90', { exact: true }).waitFor()
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

test('a chat with hundreds of new posts opens at the first of them, time after time, and nothing counts that was not seen', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const id = await chatWith(heidi, sam, { posts: 520, read: 20 })
  const { page } = await web.openAs(heidi.username)
  const opens = async () => {
    const line = page.locator('.new', { hasText: /^\d+ new$/ })
    await line.waitFor()
    await until(async () => {
      const box = (await page.locator('.thread-box').boundingBox()) as { y: number }
      const { y = 0 } = (await line.boundingBox()) ?? {}
      return y >= box.y && y < box.y + 150
    }, 'the line is on the screen')
  }
  await page.goto(`/seamail/${id}`)
  await opens()
  await until(async () => (await readOf(heidi, id)) > 20, 'what is on the screen counts')
  // What was kept is a part of it.
  await until(async () => (await page.evaluate(keptPosts)) === 200, 'the browser keeps it')
  for (let visit = 2; visit < 5; visit++) {
    await page.goto('/seamail')
    await page.locator('.row').first().waitFor()
    // The answer takes so long that what was kept would count as read.
    await page.route('**/api/v3/fez/*', (route) => setTimeout(() => void route.continue().catch(() => undefined), 1500))
    const answered = page.waitForResponse(/api\/v3\/fez\/[\da-f-]{36}/)
    await page.goto(`/seamail/${id}`)
    await opens()
    await answered
    await opens()
    const read = await readOf(heidi, id)
    assert.ok(read < 20 + 20 * visit, `${read} are read`)
    await page.unroute('**/api/v3/fez/*')
  }
})

test('a chat that one has never read opens at its beginning', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const id = await chatWith(heidi, sam, { posts: 90, read: 0 })
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/seamail/${id}`)
  await page.getByText('Post 1', { exact: true }).waitFor()
  await until(async () => (await readOf(heidi, id)) > 0, 'what is on the screen counts')
  const read = await readOf(heidi, id)
  assert.ok(read < 40, `${read} are read`)
})

test('on a phone what a group is about is one line above its posts, and opens; beside a list at a desk it is all there', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createChat(sam.one, { title: 'Sardines', location: 'Library', info: 'Bring a torch' })
  await heidi.one.post(`/fez/${chat}/join`)
  await say(sam.one, chat, 'Who hides first?')
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/lfg/${chat}`)
  const short = page.locator('.about summary', { hasText: 'Library' })
  await short.waitFor()
  assert.equal(await page.getByText('Bring a torch').isVisible(), false)
  await short.click()
  await page.getByText('Bring a torch').waitFor()
  const desk = await web.openAs(heidi.username, { viewport: { width: 1280, height: 900 } })
  await desk.page.goto(`/lfg/${chat}`)
  await desk.page.getByText('Bring a torch').waitFor()
  assert.equal(await desk.page.locator('.about summary').count(), 0)
})

test('a search leads to the post that has its words, far above, and what is new before it stays unread', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const id = await chatWith(heidi, sam, { posts: 1460, read: 20 })
  await web.nodes.sql`update fez_post set text = 'An osprey over deck 9' where fez_id = ${id} and text = 'Post 120'`
  const { page } = await web.openAs(heidi.username)
  await page.goto('/seamail?search=osprey')
  await page.getByRole('link', { name: /An osprey over deck 9/ }).click()
  const found = page.locator('.bubble.found', { hasText: 'An osprey over deck 9' })
  await found.waitFor()
  const box = (await page.locator('.thread-box').boundingBox()) as { y: number; height: number }
  await until(async () => {
    const { y = 0 } = (await found.boundingBox()) ?? {}
    return y > box.y && y < box.y + box.height
  }, 'it is on the screen')
  // Both ways one reads on from there.
  await page.getByRole('button', { name: 'Earlier' }).click()
  await page.getByText('Post 50', { exact: true }).waitFor({ state: 'attached' })
  assert.equal(await readOf(heidi, id), 20)
  // Without a search the chat opens at what is new.
  await page.goto(`/seamail/${id}`)
  await page.locator('.new', { hasText: '1440 new' }).waitFor()
  assert.ok(await page.getByText('Post 21', { exact: true }).isVisible())
  assert.equal(await page.locator('.found').count(), 0)
})
