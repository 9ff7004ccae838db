// Pictures in the browser app: lists do not jump when they come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { startTestNodes } from '../support/app.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))

async function image(width: number, height: number) {
  const file = sharp({ create: { width, height, channels: 3, background: '#2a7f9e' } }).png()
  return { image: (await file.toBuffer()).toString('base64') }
}

test('a post has the room of its picture, in its shape, before the picture is there; in full it has that shape, too', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  await write(ann.one, 'wide', { images: [await image(400, 200)] })
  await write(ann.one, 'high', { images: [await image(300, 600)] })
  const fezID = await createChat(ann.one)
  await body(ann.one.post(`/fez/${fezID}/post`, { text: 'look', images: [await image(100, 100)] }), 201)
  const { page } = await web.openAs(ann.username)
  let come = () => undefined as void
  const coming = new Promise<void>((resolve) => (come = resolve))
  await page.route('**/image/**', async (route) => {
    await coming
    await route.continue()
  })
  const room = async (text: string) => {
    const { width, height } = (await page.locator('article', { hasText: text }).locator('.pictures > button img').boundingBox()) ?? {}
    return [width, height]
  }
  await page.goto('/tweets')
  await page.getByText('wide').waitFor()
  const before = [await room('wide'), await room('high')]
  assert.deepEqual(before, [
    [260, 130],
    [100, 200],
  ])
  await page.locator('article', { hasText: 'high' }).locator('.pictures button').click()
  // Also while the picture itself is still held.
  const viewer = page.getByRole('dialog', { name: 'Picture' })
  const shape = async (what: Locator) => {
    const { width = 0, height = 0 } = (await what.boundingBox()) ?? {}
    return [Math.round(width), Math.round(height)] as const
  }
  come()
  const inFull = '.pswp__img:not(.pswp__img--placeholder)'
  const full = viewer.locator(inFull)
  await until(async () => (await page.evaluate(`document.querySelector('${inFull}')?.naturalWidth`)) === 300, 'the picture in full')
  // As large as it is, in the middle.
  await until(async () => (await shape(full)).join() === '300,600', 'it has its shape')
  await viewer.getByRole('button', { name: 'Close' }).click()
  await viewer.waitFor({ state: 'detached' })
  assert.deepEqual([await room('wide'), await room('high')], before)
  await page.goto(`/lfg/${fezID}`)
  await page.locator('.pictures > button img').waitFor()
  const chat = await page.locator('.pictures > button img').boundingBox()
  assert.deepEqual([chat?.width, chat?.height], [100, 100])
})

test('pictures open over the page: one after another, with what was said, to save; the way back closes them', async () => {
  const [ann, bob] = (await people(web.nodes, { displayName: 'Ann' }, {})) as [Person, Person]
  await write(ann.one, 'three of the harbor', { images: [await image(400, 300), await image(300, 400), await image(400, 400)] })
  const { page } = await web.openAs(bob.username)
  await page.goto('/')
  await page.goto('/tweets')
  const thumb = page.getByRole('button', { name: 'Picture 2' })
  await thumb.click()
  const viewer = page.getByRole('dialog', { name: 'Picture' })
  await viewer.getByText('2 / 3').waitFor()
  await viewer.getByText(/Ann/).waitFor()
  await viewer.getByText(/three of the harbor/).waitFor()
  const saved = () => viewer.getByRole('link', { name: 'Save the picture' }).getAttribute('href')
  const second = await saved()
  await viewer.getByRole('button', { name: 'Next picture' }).click()
  await viewer.getByText('3 / 3').waitFor()
  assert.notEqual(await saved(), second)
  const [download] = await Promise.all([page.waitForEvent('download'), viewer.getByRole('link', { name: 'Save the picture' }).click()])
  assert.match(download.suggestedFilename(), /^[-0-9A-F]+\.png$/)
  assert.equal(new URL(page.url()).pathname, '/tweets')
  await page.goBack()
  await viewer.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/tweets')
  await thumb.click()
  await viewer.getByRole('button', { name: 'Close' }).click()
  await viewer.waitFor({ state: 'detached' })
  await until(async () => (await page.evaluate(`document.activeElement.ariaLabel`)) === 'Picture 2', 'the focus is where it was')
  // Nothing of the pictures is left in the history.
  await page.goBack()
  await page.waitForURL('/', { waitUntil: 'commit' })
})

test('a photo of the stream opens in the app, with the others; one is left with the page of the last', async () => {
  const [ann, bob] = (await people(web.nodes, { displayName: 'Ann' }, {})) as [Person, Person]
  for (const { one } of [ann, bob])
    await body(
      one.post('/photostream/upload', { ...(await image(400, 300)), createdAt: new Date().toISOString(), locationName: 'On Boat' }),
    )
  const { photos } = await body<{ photos: { postID: number }[] }>(bob.one.get('/photostream'))
  const [second, first] = photos.map(({ postID }) => postID)
  const { page } = await web.openAs(bob.username)
  await page.goto(`/photostream/${second}`)
  // The way back takes a browser a moment, and more of one on a slow phone.
  await page.evaluate(`{
    const back = history.back.bind(history)
    history.back = () => setTimeout(back, 500)
    addEventListener('popstate', () => (document.body.dataset.back = 'done'))
  }`)
  await page.locator('button.opens').click()
  const viewer = page.getByRole('dialog', { name: 'Picture' })
  await viewer.getByText('1 / 2').waitFor()
  // Keys are heard once it is wholly there.
  await until(async () => {
    await page.keyboard.press('ArrowRight')
    return (await viewer.getByText('2 / 2').count()) === 1
  }, 'the other photo')
  await page.keyboard.press('Escape')
  await page.locator('body[data-back=done]').waitFor()
  await page.waitForURL(`**/photostream/${first}`, { waitUntil: 'commit' })
})
