// Pictures that are chosen for a post: what is taken, what is not and why, and that nothing chosen is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { startTestNodes } from '../support/app.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { settled, storeOf, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))

async function picture(name: string) {
  const buffer = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#2a7f9e' } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

test('what is no picture, and what has no room, is left out with its name', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(ann.username)
  await page.goto('/tweets')
  const chooser = page.locator('input[type=file]')
  await chooser.setInputFiles([
    await picture('one.png'),
    { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') },
    await picture('two.png'),
  ])
  await page.getByText('Not a picture: notes.pdf').waitFor()
  await page.getByRole('button', { name: 'Remove picture 2' }).waitFor()
  await chooser.setInputFiles(await Promise.all(['three.png', 'four.png', 'five.png', 'six.png'].map(picture)))
  await page.getByText('Only 2 more pictures fit. Left out: five.png and six.png').waitFor()
  await page.getByRole('button', { name: 'Remove picture 4' }).waitFor()
  assert.equal(await page.locator('.chosen img').count(), 4)
})

test('a picture that the browser cannot show is named', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(ann.username)
  await page.goto('/tweets')
  await page.locator('input[type=file]').setInputFiles({ name: 'IMG_1.HEIC', mimeType: '', buffer: Buffer.from('ftypheic') })
  await page.locator('.chosen').getByText('HEIC').waitFor()
})

test('a picture needs no words, in a post and in a chat', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const fezID = await createChat(ann.one)
  const { page } = await web.openAs(ann.username)
  for (const [path, post] of [
    ['/tweets', 'article.said'],
    [`/lfg/${fezID}`, '[data-post]'],
  ] as const) {
    await page.goto(path)
    await page.locator('input[type=file]').setInputFiles(await picture('alone.png'))
    await page.locator('.chosen img').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator(`${post} .pictures button`).waitFor()
    assert.equal(await page.getByText('📷').count(), 0)
  }
  const [post] = (await body<{ text: string; images: string[] }[]>(ann.one.get('/microblog'))) as [{ text: string; images: string[] }]
  // What other apps show of it.
  assert.deepEqual([post.text, post.images.length], ['📷', 1])
})

test('a chosen picture is there again after a look elsewhere, and after a reload, until it is sent', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(ann.username)
  await page.goto('/tweets')
  await page.getByRole('textbox', { name: 'What is new?' }).fill('Kept for later')
  await page.locator('input[type=file]').setInputFiles(await picture('kept.png'))
  const chosen = page.locator('.chosen img')
  const sent = page.locator('article.said').filter({ hasText: 'Kept for later' }).locator('.pictures button')
  await chosen.waitFor()
  await page.getByRole('link', { name: 'Schedule' }).first().click()
  await chosen.waitFor({ state: 'detached' })
  await page.goBack()
  await chosen.waitFor()
  await until(async () => Object.keys(await storeOf(page)).some((name) => name.includes('pictures microblog')), 'the device has it')
  await page.reload()
  await chosen.waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await sent.waitFor()
  await settled(page)
  await page.reload()
  await sent.waitFor()
  await chosen.waitFor({ state: 'detached' })
})

test('a picture is described once: before it is sent, and then it is read out and shown', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { page } = await web.openAs(ann.username)
  await page.goto('/tweets')
  await page.locator('input[type=file]').setInputFiles([await picture('one.png'), await picture('two.png')])
  await page.getByRole('button', { name: 'Describe picture 2' }).click()
  await page.getByLabel('For those who cannot see it').fill('A grey seal on a rock')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Change the description of picture 2' }).waitFor()
  assert.equal(await page.locator('article.said').getByRole('button', { name: 'Picture 2' }).count(), 0)
  // It is kept with the picture, and goes to the other place when the first one is taken away.
  await page.reload()
  await page.getByRole('button', { name: 'Change the description of picture 2' }).waitFor()
  await page.getByRole('button', { name: 'Remove picture 1' }).click()
  await page.getByRole('button', { name: 'Change the description of picture 1' }).waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  const shown = page.locator('article.said').getByRole('button', { name: 'Picture 1: A grey seal on a rock' })
  await shown.waitFor()
  const other = (await web.openAs(bob.username)).page
  await other.goto('/tweets')
  await other.getByRole('button', { name: 'Picture 1: A grey seal on a rock' }).click()
  await other.locator('.pswp__caption').getByText('A grey seal on a rock').waitFor()
})
