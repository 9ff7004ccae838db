// Pictures on their way to the server: made smaller before they leave, with progress, and tried again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startTestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { categories, startForum } from '../support/forum.ts'
import { linkTo } from '../support/link.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))

/** Noise: such a picture stays large however it is packed. */
async function photo(width: number, height: number) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const buffer = await sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 90 })
    .toBuffer()
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer }
}

async function choose(page: Page, button: string, file: Awaited<ReturnType<typeof photo>>): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  await (await chooser).setFiles(file)
}

/** As far as the page has shown an upload to be, in order. */
async function watchProgress(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(`
    window.shares = []
    new MutationObserver(() => {
      const bar = document.querySelector('progress.upload')
      if (bar && bar.value !== shares.at(-1)) shares.push(bar.value)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`)
  return () => page.evaluate<number[]>('shares')
}

const slowly = async (page: Page, bytesPerSecond: number) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const uploadThroughput = bytesPerSecond
  return session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput })
}

test('a picture in a forum: chosen, shrunk to 2,048 pixels, sent with progress, once', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const forum = await startForum(heidi.one, 'Pictures')
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forum/${forum.forumID}`)
  await choose(page, 'Add a picture', await photo(3000, 2000))
  await page.locator('.chosen img').waitFor()
  await page.getByRole('textbox', { name: 'Your post' }).fill('Look')
  const shares = await watchProgress(page)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/create'))
  await slowly(page, 300_000)
  await page.getByRole('button', { name: 'Send' }).click()
  assert.match((await sent).headers()['content-type'] ?? '', /^multipart\/form-data/)
  const picture = page.getByRole('article').filter({ hasText: 'Look' }).locator('.pictures button img')
  await picture.waitFor()
  await page.locator('.waiting').waitFor({ state: 'detached' })
  const seen = await shares()
  assert.ok(
    seen.some((share) => share > 0 && share < 1),
    `progress is seen: ${seen.join(' ')}`,
  )
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  const { posts } = await body(heidi.one.get(`/forum/${forum.forumID}`))
  const images = posts.flatMap(({ images: names = [] }: { images?: string[] }) => names)
  assert.equal(images.length, 1)
  const { bytes } = await heidi.one.file(`/image/full/${images[0]}`)
  const { width, height } = await sharp(bytes).metadata()
  assert.deepEqual([width, height], [2048, 1365])
})

test('an upload that breaks off begins again when the network is back', async (t) => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const forum = await startForum(heidi.one, 'On deck')
  const link = await linkTo(t, web.url)
  const { page } = await web.openAs(heidi.username, {
    baseURL: link.url,
    serviceWorkers: 'allow',
    expected: /request to another host|net::ERR|WebSocket|Failed to load resource/,
  })
  await page.goto(`/forum/${forum.forumID}`)
  // Without a network the page comes from the service worker, once that has all files.
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await choose(page, 'Add a picture', await photo(1600, 1200))
  await page.locator('.chosen img').waitFor()
  await page.getByRole('textbox', { name: 'Your post' }).fill('From the lift')
  const shares = await watchProgress(page)
  await slowly(page, 150_000)
  await page.getByRole('button', { name: 'Send' }).click()
  await until(async () => (await shares()).some((share) => share > 0.1), 'a part has left', 60_000)
  link.cut()
  await page.getByText('waits for the network').first().waitFor()
  // The page is closed and opened meanwhile.
  await page.reload()
  await page.getByText('waits for the network').first().waitFor()
  link.mend()
  await slowly(page, -1)
  const picture = page.getByRole('article').filter({ hasText: 'From the lift' }).locator('.pictures button img')
  await picture.waitFor()
  await page.locator('.waiting').waitFor({ state: 'detached' })
  const { posts } = await body(heidi.one.get(`/forum/${forum.forumID}`))
  assert.equal(posts.filter(({ text }: { text: string }) => text === 'From the lift').length, 1)
})

test('/account/profile: a picture of oneself is sent with progress, and again after a failure', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username, { expected: /ERR_FAILED|Failed to load resource/ })
  await page.goto('/account/profile')
  const shares = await watchProgress(page)
  await page.route('**/user/image', (route) => route.abort(), { times: 1 })
  await choose(page, 'New picture', await photo(1200, 1200))
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  assert.equal((await body(heidi.one.get('/user/profile'))).header.userImage, undefined)
  await slowly(page, 300_000)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.own-portrait img').waitFor()
  assert.ok(
    (await shares()).some((share) => share > 0 && share < 1),
    'progress is seen',
  )
  await until(async () => (await body(heidi.one.get('/user/profile'))).header.userImage !== undefined, 'the picture is theirs')
})

test('/photostream: a photo is sent with progress', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/photostream')
  await choose(page, 'Add a photo', await photo(2500, 2500))
  await page.locator('.photo-preview').waitFor()
  const shares = await watchProgress(page)
  await slowly(page, 300_000)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.locator('.photos img').waitFor()
  assert.ok(
    (await shares()).some((share) => share > 0 && share < 1),
    'progress is seen',
  )
})

test('a new forum: its first post takes pictures', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/forums/${categories.general}`)
  await page.getByRole('button', { name: 'New forum' }).click()
  await page.getByLabel('Title').fill('Our cabin doors')
  await page.getByLabel('First post').fill('Who else has decorated theirs?')
  const dialog = page.getByRole('dialog', { name: 'New forum' })
  await choose(page, 'Add a picture', await photo(300, 200))
  await dialog.locator('.chosen img').waitFor()
  await choose(page, 'Add a picture', await photo(200, 300))
  await dialog.locator('.chosen img').nth(1).waitFor()
  await dialog.getByRole('button', { name: 'Remove picture 1' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('article').filter({ hasText: 'decorated' }).locator('.pictures button img').waitFor()
  const { forumThreads } = await body(heidi.one.get(`/forum/categories/${categories.general}`))
  const { forumID } = forumThreads.find(({ title }: { title: string }) => title === 'Our cabin doors')
  const { posts } = await body(heidi.one.get(`/forum/${forumID}`))
  assert.deepEqual(posts[0].imageSizes, [{ width: 200, height: 300 }])
})

test('an edited post of a forum and one of the microblog: pictures go and come, the others stay', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const images = [{ image: (await photo(40, 30)).buffer.toString('base64') }, { image: (await photo(30, 40)).buffer.toString('base64') }]
  const forum = await startForum(heidi.one, 'Before and after')
  const { postID } = await body(heidi.one.post(`/forum/${forum.forumID}/create`, { text: 'Two doors', images }), 201)
  const { twarrtID } = await body(heidi.one.post('/microblog/create', { text: 'Two doors', images }), 201)
  const { page } = await web.openAs(heidi.username)
  for (const [path, api] of [
    [`/forum/${forum.forumID}`, `/forum/post/${postID}`],
    [`/tweets/${twarrtID}`, `/microblog/${twarrtID}`],
  ] as const) {
    const kept = (await body(heidi.one.get(api))).images[1]
    await page.goto(path)
    const post = page.getByRole('article').filter({ hasText: 'Two doors' })
    await post.locator('.pictures img').nth(1).waitFor()
    await post.getByRole('button', { name: /^Post by/ }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit' })
    await dialog.locator('.chosen img').nth(1).waitFor()
    await dialog.getByRole('button', { name: 'Remove picture 1' }).click()
    const chooser = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Add a picture' }).click()
    await (await chooser).setFiles(await photo(64, 48))
    await dialog.locator('.chosen img').nth(1).waitFor()
    await dialog.getByLabel('Message').fill('Two doors, one of them new')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await until(async () => (await post.locator('.pictures img').count()) === 2, 'both are shown')
    const after = await body(heidi.one.get(api))
    assert.equal(after.text, 'Two doors, one of them new')
    assert.equal(after.images[0], kept)
    assert.deepEqual(after.imageSizes, [
      { width: 30, height: 40 },
      { width: 64, height: 48 },
    ])
    await post.getByRole('button', { name: /^Post by/ }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    for (const _ of [1, 2]) await dialog.getByRole('button', { name: 'Remove picture 1' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await post.locator('.pictures').waitFor({ state: 'detached' })
    assert.deepEqual((await body(heidi.one.get(api))).images ?? [], [])
  }
})

test('a post is not sent before the picture that was chosen for it is small enough', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const forum = await startForum(heidi.one, 'Slow phones')
  const { page } = await web.openAs(heidi.username)
  await page.addInitScript(`
    const make = createImageBitmap
    const waited = new Promise((resolve) => (window.goOn = resolve))
    createImageBitmap = (...values) => waited.then(() => make(...values))`)
  await page.goto(`/forum/${forum.forumID}`)
  const field = page.getByRole('textbox', { name: 'Your post' })
  await field.fill('Look at this')
  await choose(page, 'Add a picture', await photo(300, 200))
  const button = page.getByRole('button', { name: 'Send' })
  await until(() => button.isDisabled(), 'it waits for the picture')
  await field.press('Enter')
  await page.evaluate('goOn()')
  await page.locator('.chosen img').waitFor()
  await button.click()
  const sent = async () =>
    (await body(heidi.one.get(`/forum/${forum.forumID}`))).posts.filter(({ text }: { text: string }) => text === 'Look at this')
  await until(async () => (await sent()).length > 0, 'the post arrives')
  const posts = await sent()
  assert.deepEqual(
    posts.map(({ images }: { images?: string[] }) => images?.length),
    [1],
  )
})
