// Forums in the browser: who has reacted, quotes, pinned posts, the way to what is new, and the search with its filters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { body, people, type Person } from '../support/fez.ts'
import { content, fillForum, postIn, setState, startForum } from '../support/forum.ts'
import { write as tweet } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { go, hasValue, webTests } from '../support/web.ts'

const web = webTests()

const cast = () =>
  people(web.nodes, { displayName: 'Heidi' }, { displayName: 'Sam' }, { displayName: 'Kim' }) as Promise<[Person, Person, Person]>
const post = (page: Page, text: string): Locator => page.getByRole('article').filter({ hasText: text })
const isOnScreen = (element: Locator) =>
  until(async () => {
    const [box, height] = [await element.boundingBox(), await element.page().evaluate<number>('innerHeight')]
    return box !== null && box.y >= 0 && box.y + box.height <= height
  }, 'it is on the screen')

test('a post of a forum and one of the microblog: the number of reactions opens the names', async () => {
  const [heidi, sam, kim] = await cast()
  const { forumID, postID } = await startForum(heidi.one, 'Whales', { text: 'Three humpbacks' })
  await body(sam.one.post(`/forum/post/${postID}/like`))
  await body(kim.one.post(`/forum/post/${postID}/love`))
  const twarrtID = await tweet(heidi.one, 'A green flash')
  await body(kim.one.post(`/microblog/${twarrtID}/laugh`))
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forum/${forumID}`)
  await post(page, 'Three humpbacks').getByRole('button', { name: '2 reactions' }).click()
  const names = page.getByRole('dialog', { name: 'Who has reacted' })
  await names.locator('section', { hasText: 'Like' }).getByRole('link', { name: /Sam/ }).waitFor()
  await names.locator('section', { hasText: 'Love' }).getByRole('link', { name: /Kim/ }).waitFor()
  assert.equal(await names.locator('section').count(), 2)
  await page.goto('/tweets')
  await post(page, 'A green flash').getByRole('button', { name: '1 reaction' }).click()
  await names.locator('section', { hasText: 'Laugh' }).getByRole('link', { name: /Kim/ }).waitFor()
})

test('an answer begins with what it quotes; what was written before stays', async () => {
  const [heidi, sam, kim] = await cast()
  const { forumID } = await startForum(sam.one, 'Menus', { text: 'Lemon tart tonight\n> @somebody: and before?\nIn the main hall' })
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forum/${forumID}`)
  const field = page.getByRole('textbox', { name: 'Your post' })
  await field.fill('Well,')
  await page.getByRole('button', { name: /^Post by Sam/ }).click()
  await page.getByRole('button', { name: 'Quote' }).click()
  await hasValue(field, `Well,\n> @${sam.username}: Lemon tart tonight\n> In the main hall\n`)
  await until(() => page.evaluate<boolean>(`document.activeElement?.tagName === 'TEXTAREA'`), 'the field has the focus')
  await page.keyboard.type('I am in')
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = post(page, 'I am in').filter({ hasNotText: 'sending' })
  assert.match((await answer.locator('blockquote').textContent()) ?? '', /: Lemon tart tonight\nIn the main hall$/)
  await answer
    .locator('blockquote')
    .getByRole('link', { name: `@${sam.username}` })
    .waitFor()

  // The quote leads to its post: also to one that is further up than what is here, and says so when it has gone.
  const { posts } = await body(heidi.one.get(`/forum/${forumID}`))
  await fillForum(web.nodes, forumID, heidi.id, 70)
  await body(heidi.one.post(`/forum/${forumID}/create`, content(`> @${sam.username}: Lemon tart tonight\n> In the …\nWas good`)), 201)
  await body(kim.one.get(`/forum/${forumID}?start=60`))
  const other = (await web.openAs(kim.username)).page
  await other.goto(`/forum/${forumID}`)
  const toQuoted = post(other, 'Was good').getByRole('button', { name: `Show the post by @${sam.username}` })
  await toQuoted.waitFor()
  assert.equal(await post(other, 'and before?').count(), 0)
  await toQuoted.click()
  await isOnScreen(post(other, 'and before?'))
  await body(sam.one.delete(`/forum/post/${posts[0].postID}`), 204)
  await other.reload()
  // What this browser has kept still has it, until the server has answered.
  await toQuoted.waitFor()
  await other.locator(`#post-${posts[0].postID}`).waitFor({ state: 'detached' })
  await toQuoted.click()
  await other.getByText('That post is not there any more').waitFor()

  const conversation = await tweet(sam.one, 'Who has seen my hat?')
  await page.goto(`/tweets/${conversation}`)
  await page.getByRole('button', { name: /^Post by Sam/ }).click()
  await page.getByRole('button', { name: 'Quote' }).click()
  await hasValue(page.getByRole('textbox', { name: 'Your reply' }), `> @${sam.username}: Who has seen my hat?\n`)
})

test('pinned posts stand above the others, and lead to where they are', async () => {
  const [heidi, sam] = await cast()
  const { forumID } = await startForum(heidi.one, 'Rules of the pool', { text: 'No diving' })
  await fillForum(web.nodes, forumID, sam.id, 70)
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forum/${forumID}`)
  await post(page, 'No diving')
    .getByRole('button', { name: /^Post by Heidi/ })
    .click()
  await page.getByRole('button', { name: 'Pin', exact: true }).click()
  await page.getByText('1 pinned post').waitFor()
  await until(async () => (await body(heidi.one.get(`/forum/${forumID}/pinnedposts`))).length === 1, 'the server has it pinned')

  // Somebody who has read all but the last posts: the pinned one is not on the page that they get.
  await body(sam.one.get(`/forum/${forumID}?start=60`))
  const other = (await web.openAs(sam.username)).page
  await other.goto(`/forum/${forumID}`)
  await other.getByText('Post 70', { exact: true }).waitFor()
  assert.equal(await post(other, 'No diving').count(), 0)
  assert.equal(await other.getByRole('button', { name: 'Pin', exact: true }).count(), 0)
  await other
    .locator('.pinned')
    .getByRole('button', { name: /No diving/ })
    .click()
  await isOnScreen(post(other, 'No diving'))

  await page.getByRole('button', { name: /^Post by Heidi/ }).click()
  await page.getByRole('button', { name: 'Unpin' }).click()
  await page.getByText('1 pinned post').waitFor({ state: 'detached' })
})

test('a forum opens at its first new post, also by its address alone, and the line stays', async () => {
  const [heidi, sam] = await cast()
  const { forumID, postID } = await startForum(sam.one, 'Long talk')
  await fillForum(web.nodes, forumID, sam.id, 40)
  await body(heidi.one.get(`/forum/${forumID}?start=0`))
  const { page } = await web.openAs(heidi.username)
  const first = await postIn(sam.one, forumID, 'Did you see that?')
  await fillForum(web.nodes, forumID, sam.id, 20)
  await page.goto(`/forum/${forumID}`)
  const line = page.getByText('New from here')
  await isOnScreen(line)
  assert.equal(await page.evaluate(`document.querySelector('.new').nextElementSibling.id`), `post-${first}`)
  await post(page, 'Did you see that?').getByRole('button', { name: 'Like' }).click()
  await post(page, 'Did you see that?').getByRole('button', { name: 'Like', pressed: true }).waitFor()
  assert.equal(await page.evaluate(`document.querySelector('.new').nextElementSibling.id`), `post-${first}`)

  // Everything is read now; an address of a post leads there.
  await page.goto(`/forum/containingpost/${postID}`)
  await isOnScreen(post(page, 'first'))
  assert.equal(await line.count(), 0)
})

test('a locked forum says so and takes no posts', async () => {
  const [heidi, sam] = await cast()
  const { forumID } = await startForum(sam.one, 'Closed talk')
  await setState(web.nodes, 'forum', forumID, 'locked')
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forum/${forumID}`)
  await page.getByText('This forum is locked.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Your post' }).count(), 0)
})

test('the search: forums by their starter, posts by a hashtag and by what one has to do with them; the address keeps it', async () => {
  const [heidi, sam] = await cast()
  const { forumID } = await startForum(sam.one, 'Knots and ropes', { text: 'A bowline first' })
  await startForum(heidi.one, 'Knots for beginners', { text: 'And then?' })
  const tagged = await postIn(sam.one, forumID, 'Sheet bend #ropework')
  await body(heidi.one.post(`/forum/post/${tagged}/bookmark`), 201)
  const { page } = await web.openAs(heidi.username)
  await page.goto('/forums')
  await page.getByRole('searchbox', { name: 'Search forums' }).fill('knots')
  await page.getByRole('link', { name: /Knots and ropes/ }).waitFor()
  await page.getByRole('link', { name: /Knots for beginners/ }).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('searchbox', { name: 'Started by (username)' }).fill(`@${sam.username}`)
  await page.getByRole('link', { name: /Knots for beginners/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Knots and ropes/ }).click()
  await post(page, 'A bowline first').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: /Knots and ropes/ }).waitFor()
  await hasValue(page.getByRole('searchbox', { name: 'Started by (username)' }), `@${sam.username}`)

  await page.goto('/forums')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Look in').selectOption('Posts')
  await page.getByRole('searchbox', { name: 'Hashtag' }).fill('#ropework')
  await page.getByRole('link', { name: /Sheet bend/ }).waitFor()
  await page.getByRole('button', { name: 'By me' }).click()
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('button', { name: 'By me' }).click()
  await page.getByRole('button', { name: 'Bookmarked' }).click()
  await page.getByRole('link', { name: /Sheet bend/ }).click()
  await isOnScreen(post(page, 'Sheet bend'))

  await page.goto('/forums?list=bookmarks')
  await page.getByRole('link', { name: /Sheet bend/ }).waitFor()
})

test('the search follows its address: a link to other words, and the way back to the lists', async () => {
  const [heidi, sam] = await cast()
  await startForum(sam.one, 'Lanterns of the harbour')
  const { page } = await web.openAs(heidi.username)
  await page.goto('/forums')
  const field = page.getByRole('searchbox', { name: 'Search forums' })
  await field.waitFor()
  // At once: the field has nothing to say that would take the words away again.
  await go(page, '/forums?words=lanterns')
  await hasValue(field, 'lanterns')
  await page.getByRole('link', { name: /Lanterns of the harbour/ }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Forums' }).click()
  await hasValue(field, '')
  await page.getByRole('button', { name: 'Categories' }).waitFor()
  await field.fill('harbour')
  await page.waitForURL('**/forums?words=harbour')
  await page.getByRole('link', { name: /Lanterns of the harbour/ }).waitFor()
})

test('a category: forums with something new come first', async () => {
  const [heidi, sam] = await cast()
  const [older, newer] = [await startForum(sam.one, 'Older talk'), await startForum(sam.one, 'Newer talk')]
  const { categoryID } = await body(heidi.one.get(`/forum/${older.forumID}`))
  await postIn(sam.one, older.forumID, 'Something new')
  await postIn(sam.one, newer.forumID, 'Something read')
  await body(heidi.one.get(`/forum/${newer.forumID}`))
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forums/${categoryID}`)
  const titles = page.locator('main li .row-text p')
  const isBefore = async (one: string, other: string) => {
    const all = await titles.allTextContents()
    return all.includes(one) && all.indexOf(one) < all.indexOf(other)
  }
  await until(() => isBefore('Older talk', 'Newer talk'), 'what is new comes first')
  await page.getByLabel('Sort by').selectOption('Last post')
  await until(() => isBefore('Newer talk', 'Older talk'), 'the last post decides')
})

test('/tweets: the stream reads on at its end by itself', async () => {
  const [heidi, sam] = await cast()
  await web.nodes.sql`
    insert into microblog_post (author_id, real_author_id, text, images, hashtags, mentions, created_at)
    select ${sam.id}, ${sam.id}, 'Tweet ' || number, '{}', '{}', '{}', now() from generate_series(1, 120) number`
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/profile/${sam.username}`)
  await post(page, 'Tweet 120').waitFor()
  assert.equal(await page.getByText('Tweet 1', { exact: true }).count(), 0)
  await until(async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    return (await page.getByText('Tweet 1', { exact: true }).count()) === 1
  }, 'the oldest is there')
  await page.getByRole('button', { name: 'Earlier posts' }).waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('article').count(), 120, 'each of them once')
})

test('a search in one forum: what it finds leads to where it is, and the way back to what was found', async () => {
  const [heidi, sam] = await cast()
  const { forumID } = await startForum(sam.one, 'Birds', { text: 'An albatross at dawn' })
  const elsewhere = await startForum(sam.one, 'Golf', { text: 'An albatross on the fourth hole' })
  await fillForum(web.nodes, forumID, sam.id, 90)
  await body(heidi.one.get(`/forum/${forumID}?start=60`))
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forum/${forumID}`)
  await page.getByText('Post 90', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'More about this forum' }).click()
  await page.getByRole('button', { name: 'Search this forum' }).click()
  await until(() => page.evaluate<boolean>(`document.activeElement?.type === 'search'`), 'the field has the focus')
  await page.keyboard.type('albatross')
  const found = page.getByRole('link', { name: /An albatross/ })
  await found.waitFor()
  assert.equal(await found.count(), 1, elsewhere.forumID)
  await found.click()
  await isOnScreen(post(page, 'An albatross at dawn'))
  await page.goBack()
  await found.waitFor()
  await page.getByRole('searchbox', { name: 'Search this forum' }).fill('penguin')
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await post(page, 'Post 90').waitFor()
})
