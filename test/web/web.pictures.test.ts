// Pictures in the browser app: lists do not jump when they come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { startTestNodes } from '../support/app.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))

test('a post has the room of its picture, in its shape, before the picture is there; so has a picture in full', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const image = async (width: number, height: number) => ({
    image: (
      await sharp({ create: { width, height, channels: 3, background: '#2a7f9e' } })
        .png()
        .toBuffer()
    ).toString('base64'),
  })
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
  // Once it is seen, which takes its room: the picture itself is still held.
  await page.locator('img.full').waitFor()
  const { width = 0, height = 0 } = (await page.locator('img.full').boundingBox()) ?? {}
  assert.ok(width > 50 && Math.abs(height - 2 * width) < 2, `${width} x ${height}`)
  come()
  await until(async () => (await page.evaluate(`document.querySelector('img.full').naturalWidth`)) === 300, 'the picture in full')
  assert.deepEqual(
    await page
      .locator('img.full')
      .boundingBox()
      .then((box) => [box?.width, box?.height]),
    [width, height],
  )
  assert.deepEqual([await room('wide'), await room('high')], before)
  await page.goto(`/lfg/${fezID}`)
  await page.locator('.pictures > button img').waitFor()
  const chat = await page.locator('.pictures > button img').boundingBox()
  assert.deepEqual([chat?.width, chat?.height], [100, 100])
})
