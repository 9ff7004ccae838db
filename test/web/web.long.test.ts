// Long lists of posts: earlier ones come above what is being read, and it stays where it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { fillForum, startForum } from '../support/forum.ts'
import { write as tweet } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

/** Posts of every length, by turns of two people, straight into the database. */
async function fillChat(fezID: string, [one, two]: readonly [Person, Person], count: number): Promise<void> {
  const [fez] = await web.nodes.sql<{ seq: number }[]>`
    with written as (
      insert into fez_post (fez_id, author_id, real_author_id, text, created_at)
      select ${fezID}, author, author, 'Post ' || number || repeat(' and so on', number * 7 % 40), now() - (${count} - number) * interval '10 minutes'
      from (select number, (array[${one.id}::uuid, ${two.id}::uuid])[1 + number / 3 % 2] as author from generate_series(1, ${count}::int) number) as line
      order by number returning id)
    update fez set seq = seq + 1, post_count = post_count + ${count}, last_post_id = (select max(id) from written)
    where id = ${fezID} returning seq`
  await web.nodes.sql`update fez_member set read_post_id = (select max(id) from fez_post where fez_id = ${fezID}) where fez_id = ${fezID}`
  await web.nodes.apps[0]?.node.channels.publishConfirmed('fez', fezID, { type: 'changed', seq: fez?.seq })
}

/** Resolves when the page is drawn as it is now: a new width is seen, and so is a scroll, at the next frame. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))`)

/** How far the first element on the screen moves while the page does something. */
const moved = (page: Page, selector: string, box: string, work: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const box = document.querySelector(${JSON.stringify(box)}) ?? document.documentElement
    const edge = Math.max(0, box.getBoundingClientRect().top) + 70
    const first = Array.from(document.querySelectorAll(${JSON.stringify(selector)})).find((each) => each.getBoundingClientRect().top >= edge)
    const before = first.getBoundingClientRect().top
    await (${work})(box)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return first.getBoundingClientRect().top - before
  })()`)

test('a chat of 600 posts: nothing jumps when earlier posts come, nor on the way up; what is far away is left out', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Long talk' })
  await fillChat(chat, [heidi, sam], 600)
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/seamail/${chat}`)
  await page.getByText('Post 600').waitFor()
  const bubbles = page.locator('.bubble')
  while ((await page.getByRole('button', { name: 'Earlier posts' }).count()) > 0) {
    const count = await bubbles.count()
    await page.evaluate(`document.querySelector('.thread-box').scrollTop = 150`)
    await drawn(page)
    const shift = await moved(
      page,
      '.bubble',
      '.thread-box',
      `async () => {
        document.querySelector('.thread > button').click()
        while (document.querySelectorAll('.bubble').length === ${count}) await new Promise(requestAnimationFrame)
      }`,
    )
    assert.ok(Math.abs(shift) <= 1, `a post moved by ${shift} px when earlier ones came`)
  }
  assert.equal(await bubbles.count(), 600)
  // From the end to the beginning: a post moves just as far as it is scrolled.
  await page.evaluate(`document.querySelector('.thread-box').scrollTop = 1e6`)
  for (let top = 1; top > 0;) {
    const shift = await moved(page, '.bubble', '.thread-box', `async (box) => { window.from = box.scrollTop; box.scrollTop -= 500 }`)
    const [from, to] = await page.evaluate<[number, number]>(`[from, document.querySelector('.thread-box').scrollTop]`)
    assert.ok(Math.abs(shift - (from - to)) <= 1, `scrolled by ${from - to} px, moved by ${shift} px`)
    top = to
  }
  const leftOut = await page.evaluate<boolean>(
    `!Array.from(document.querySelectorAll('.bubble')).at(-1).checkVisibility({ contentVisibilityAuto: true })`,
  )
  assert.ok(leftOut, 'the last post is not drawn while the first is read')
  // In another width posts have other heights, and still nothing jumps.
  await page.setViewportSize({ width: 700, height: 500 })
  await drawn(page)
  await page.evaluate(`document.querySelector('.thread-box').scrollTop = 1e6`)
  await drawn(page)
  for (let step = 0; step < 20; step++) {
    const shift = await moved(page, '.bubble', '.thread-box', `async (box) => { window.from = box.scrollTop; box.scrollTop -= 300 }`)
    assert.ok(Math.abs(shift - 300) <= 1, `scrolled by 300 px, moved by ${shift} px`)
  }
  // Somebody who reads above is told of what is new, and is not moved.
  await say(sam.one, chat, 'Anybody awake?')
  await page.getByRole('button', { name: '1 new post' }).click()
  await page.getByText('Anybody awake?').waitFor()
})

/** On pages that scroll as a whole, the browser corrects what the page did, once more by whole pixels. */
const roundedTwice = 2

test('a conversation of 450 answers: the post above, the newest below, those before them when they are wanted', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const head = await tweet(sam.one, 'Count with me')
  await web.nodes.sql`
    insert into microblog_post (author_id, real_author_id, text, images, hashtags, mentions, reply_group, created_at)
    select ${sam.id}, ${sam.id}, 'Answer ' || number || repeat(' and more', number * 7 % 60), '{}', '{}', '{}', ${head}, now()
    from generate_series(1, 450) number order by number`
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/tweets/${head}`)
  const posts = page.getByRole('article')
  await page.getByText('Answer 450').waitFor()
  await page.getByText('Count with me').waitFor()
  assert.equal(await posts.count(), 201)
  for (const count of [401, 451]) {
    const shift = await moved(
      page,
      'article ~ article',
      'nothing',
      `async () => {
        document.querySelector('.said-list > button').click()
        while (document.querySelectorAll('article').length < ${count}) await new Promise(requestAnimationFrame)
      }`,
    )
    assert.ok(Math.abs(shift) < roundedTwice, `an answer moved by ${shift} px`)
    assert.equal(await posts.count(), count)
  }
  assert.equal(await page.getByRole('button', { name: 'Earlier posts' }).count(), 0)
  const texts = await page.locator('article .words').allTextContents()
  assert.deepEqual(
    texts.map((text) => /^Answer (\d+)/.exec(text)?.[1] ?? text),
    ['Count with me', ...Array.from({ length: 450 }, (_, index) => String(index + 1))],
  )
  await page.getByRole('textbox', { name: 'Your reply' }).fill('451!')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('article').filter({ hasText: '451!' }).filter({ hasNotText: 'sending' }).waitFor()
  await until(async () => (await posts.count()) === 452, 'all of them are still there')
})

test('a forum: what is being read stays where it is when earlier posts come above it', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(sam.one, 'Long list')
  await fillForum(web.nodes, forumID, sam.id, 120)
  await body(heidi.one.get(`/forum/${forumID}?start=80`))
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forum/${forumID}`)
  await page.getByText('Post 120', { exact: true }).waitFor()
  const count = await page.getByRole('article').count()
  await page.evaluate('scrollTo(0, 0)')
  const shift = await moved(
    page,
    'article',
    'nothing',
    `async () => {
      document.querySelector('main > button.wide').click()
      while (document.querySelectorAll('article').length === ${count}) await new Promise(requestAnimationFrame)
    }`,
  )
  assert.ok(Math.abs(shift) < roundedTwice, `a post moved by ${shift} px`)
})

test('the microblog: earlier posts follow when they are wanted, each once and newest first', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const count = 120
  for (let number = 0; number < count; number++) await tweet(heidi.one, `Post ${number} of many`)
  const { page } = await web.openAs(heidi.username)
  await page.goto('/tweets')
  const posts = page.locator('article').getByText(/^Post \d+ of many$/)
  await posts.first().waitFor()
  await until(async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    return (await posts.count()) >= count
  }, 'all are there')
  assert.deepEqual(
    await posts.allTextContents(),
    Array.from({ length: count }, (_, index) => `Post ${count - 1 - index} of many`),
  )
})

test('a chat that ends on the screen does so on a smaller one, too', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'On a small screen' })
  await fillChat(chat, [heidi, sam], 40)
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/seamail/${chat}`)
  const last = page.locator('.bubble', { hasText: 'Post 40' })
  await last.waitFor()
  await page.setViewportSize({ width: 390, height: 500 })
  await until(async () => {
    const [bubble, field] = await Promise.all([last.boundingBox(), page.locator('textarea').boundingBox()])
    return bubble !== null && field !== null && bubble.y + bubble.height <= field.y
  }, 'the last post stands above the field')
})
