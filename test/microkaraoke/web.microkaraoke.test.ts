// Micro karaoke in the browser: a line is offered, recorded with a camera that shows a clock, and sent.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startTestNodes } from '../support/app.ts'
import { people, type Person } from '../support/fez.ts'
import { sungSong, writeSong } from '../support/microkaraoke.ts'
import { webTests } from '../support/web.ts'

const privateSeeds = mkdtempSync(join(tmpdir(), 'quarterdeck-web-songs-'))
const folder = join(privateSeeds, 'microkaraoke')
const web = webTests(() => startTestNodes(1, { env: { PRIVATE_SEEDS_DIR: privateSeeds } }))
after(() => rmSync(privateSeeds, { recursive: true }))

/** Silence that players take. */
function wav(seconds: number): Buffer {
  const rate = 8000
  const bytes = Buffer.alloc(44 + seconds * rate * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(bytes.length - 44, 40)
  return bytes
}

test('/microkaraoke/record: a line is sung and sent', async () => {
  mkdirSync(folder, { recursive: true })
  writeSong(folder, 'Sea song', { slots: 2 })
  for (const slot of [0, 1])
    for (const file of ['listen.mp3', 'record.mp3']) writeFileSync(join(folder, 'Sea song', String(slot), file), wav(4))
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username, { permissions: ['camera', 'microphone'], expected: /400/ })
  await page.goto('/karaoke')
  await page.getByRole('link', { name: 'Micro karaoke' }).click()
  await page.getByText('No song is ready yet').waitFor()
  await page.getByRole('link', { name: 'Sing a line' }).click()
  const refusal = { error: true, status: 400, reason: 'Every line of every song is taken.' }
  await page.route('**/microkaraoke/offer', (route) => route.fulfill({ status: 400, json: refusal }), { times: 1 })
  await page.getByRole('button', { name: 'Give me a line' }).click()
  await page.getByRole('alert').getByText(refusal.reason).waitFor()
  await page.getByRole('button', { name: 'Give me a line' }).click()
  await page.getByText(/^line \d of Sea song/).waitFor()
  await page.getByRole('button', { name: 'Record' }).click()
  await page.getByLabel('Your recording').waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.toasts').getByText('Your line is in. Thank you!').waitFor()
  await page.getByRole('button', { name: 'Another line' }).waitFor()
  const [clip] = await web.nodes.sql<[{ id: string }]>`select id from mk_snippet where author_id = ${heidi.id} and expires_at is null`
  const readyState = await page.evaluate<number>(`new Promise((resolve, reject) => {
    const video = document.createElement('video')
    video.onloadeddata = () => resolve(video.readyState)
    video.onerror = () => reject(new Error(video.error.message))
    video.src = '/api/v3/microkaraoke/video/${clip.id}.mp4'
  })`)
  assert.ok(readyState >= 2, 'the clip can be played')
})

test('/microkaraoke/record: how far a line is shows while it is sent; one whose answer is lost has arrived', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username, { permissions: ['camera', 'microphone'], expected: /ERR_FAILED/ })
  await page.goto('/microkaraoke/record')
  await page.getByRole('button', { name: 'Give me a line' }).click()
  await page.getByRole('button', { name: 'Record' }).click()
  await page.getByLabel('Your recording').waitFor()
  let attempts = 0
  await page.route('**/api/v3/microkaraoke/recording', async (route) => {
    if (++attempts > 1) return await route.continue()
    await page.getByRole('progressbar').waitFor()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'Another line' }).waitFor()
  assert.ok(attempts > 1)
  const clips = await web.nodes.sql`select from mk_snippet where author_id = ${heidi.id} and expires_at is null`
  assert.equal(clips.length, 1)
})

test('/microkaraoke: a song that is ready is opened, and its lines can be watched', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { songID } = await sungSong(web.nodes, [heidi.id, heidi.id], { approved: true })
  const { page } = await web.openAs(heidi.username, { expected: /404|Failed to load resource/ })
  await page.goto('/microkaraoke')
  await page.getByRole('link', { name: /Sung/ }).click()
  await page.waitForURL(`**/microkaraokesong/${songID}`)
  await page.getByLabel('Line 1 of 2').waitFor()
  await page.getByText('Line 1 of 2').waitFor()
  await page.getByLabel('Music').waitFor()
})

test('/microkaraoke: songs with oneself stand apart from those of others', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const own = await sungSong(web.nodes, [heidi.id, sam.id], { approved: true })
  const other = await sungSong(web.nodes, [sam.id, sam.id], { approved: true })
  const { page } = await web.openAs(heidi.username)
  await page.goto('/microkaraoke')
  const linkTo = (part: string, { songID }: { songID: number }) =>
    page
      .locator('section', { has: page.getByRole('heading', { name: part, exact: true }) })
      .locator(`a[href="/microkaraokesong/${songID}"]`)
  await linkTo('With you', own).waitFor()
  await linkTo('Ready to watch', other).waitFor()
  assert.equal(await linkTo('With you', other).count(), 0)
  assert.equal(await linkTo('Ready to watch', own).count(), 0)
})
