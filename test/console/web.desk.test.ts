// What the host's team does from day to day, in a real browser: letters, slow mode, songs, performers, libraries; and people
// who leave.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresIn } from '../../src/console/figures.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes } from '../support/app.ts'
import { body, people, say, createChat, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { sungSong } from '../support/microkaraoke.ts'
import { until } from '../support/until.ts'
import { hasValue, listens, sayYes, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(2, { workers: 1 }))
const desk = { viewport: { width: 1280, height: 860 } }
const someone = async (options: object = {}): Promise<Person> => (await people(web.nodes, options))[0] as Person

test('a letter is written once, and sent from a report with the name of whom it is to', async () => {
  const moderator = await someone({ level: 'moderator' })
  const [writer, reporter] = [await someone({ displayName: 'Walrus' }), await someone()]
  const { forumID } = await startForum(writer.one, 'A rude title')
  await body(reporter.one.post(`/forum/${forumID}/report`, { message: 'Rude' }), 201)
  const { page } = await web.openAs(moderator.username, desk)
  await page.goto('/admin/templates')
  await page.getByRole('button', { name: 'New letter' }).click()
  await page.getByLabel('Subject').fill('A kind word')
  await page.getByLabel('Text', { exact: true }).fill('Dear {name}, mind the rules.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Dear {name}, mind the rules.').waitFor()
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Write …' }).click()
  await page.getByLabel('Letter', { exact: true }).selectOption({ label: 'A kind word' })
  await hasValue(page.getByRole('dialog').getByLabel('Text', { exact: true }), 'Dear Walrus, mind the rules.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Sent to Walrus.').waitFor()
  await until(async () => {
    const { fezzes } = await body(writer.two.get('/fez/joined?type=closed'))
    if (fezzes.length === 0) return false
    const { members } = await body(writer.two.get(`/fez/${fezzes[0].fezID}`))
    return members.posts[0]?.text === 'Dear Walrus, mind the rules.' && members.posts[0].author.username === 'moderator'
  }, 'the letter is there')
})

test('slow mode is set by a moderator, shown where people write, and a post waits for its time', async () => {
  const moderator = await someone({ level: 'moderator' })
  const writer = await someone()
  const { forumID } = await startForum(writer.one, 'Busy forum')
  const { page } = await web.openAs(moderator.username, desk)
  await page.goto(`/forum/${forumID}`)
  await page.getByRole('button', { name: 'Forum menu' }).or(page.locator('header button[aria-haspopup=dialog]')).first().click()
  await page.getByRole('button', { name: 'Moderate' }).click()
  const phone = (await web.openAs(writer.username, { expected: /429/ })).page
  await phone.goto(`/forum/${forumID}`)
  const field = phone.getByRole('textbox', { name: 'Your post' }).or(phone.locator('form.write textarea')).first()
  await field.waitFor()
  await listens(phone)
  const choose = async (label: string) => {
    await page.getByLabel('Slow mode').selectOption({ label })
    await sayYes(page)
    await page.getByText('Saved.').first().waitFor()
  }
  await choose('one post in 10 seconds')
  // The page is open, and nothing is done there.
  await phone.getByText('Slow mode: one post in 10 seconds.').waitFor()
  await field.fill('The first post')
  await phone.getByRole('button', { name: 'Send' }).click()
  await phone.getByText(/The next one goes in \d+ seconds/).waitFor()
  await field.fill('The second post')
  await phone.getByRole('button', { name: 'Send' }).click()
  await phone.getByText(/slow mode: is sent in/).waitFor()
  await until(
    async () => (await body(moderator.two.get(`/forum/${forumID}`))).posts.some(({ text }: { text: string }) => text === 'The second post'),
    'it is sent by itself, once',
    30_000,
  )
  await choose('one post in 1 hour')
  // Also in a page that was loaded since, and on a device where nothing was written.
  await phone.reload()
  await phone.getByText(/The next one goes in \d+ seconds/).waitFor()
  const tablet = (await web.openAs(writer.username)).page
  await tablet.goto(`/forum/${forumID}`)
  await tablet.getByText(/The next one goes in \d+ seconds/).waitFor()
  await field.fill('The third post')
  await phone.getByRole('button', { name: 'Send' }).click()
  await phone.getByText(/slow mode: is sent in/).waitFor()
  await choose('off: as often as people like')
  await phone.getByText(/Slow mode: one post/).waitFor({ state: 'detached' })
  await phone.getByText(/slow mode: is sent in/).waitFor({ state: 'detached' })
  const { posts } = await body(moderator.two.get(`/forum/${forumID}`))
  assert.equal(posts.filter(({ text }: { text: string }) => text === 'The third post').length, 1, 'what waited goes at once')
})

test('a song that is sung is looked at part by part, and shown to everybody', async () => {
  const moderator = await someone({ level: 'moderator' })
  const [one, two] = [await someone({ displayName: 'First Singer' }), await someone()]
  const { songID } = await sungSong(web.nodes, [one.id, two.id])
  await web.nodes.sql`update mk_song set name = 'Sea shanty' where id = ${songID}`
  const { page } = await web.openAs(moderator.username, desk)
  await page.goto('/admin/microkaraoke')
  await page.getByRole('button', { name: 'Look: Sea shanty' }).click()
  await page.getByText('Part 1: First Singer').waitFor()
  await page.getByRole('button', { name: 'Show it to everybody' }).click()
  await page.getByText('can watch “Sea shanty” now').waitFor()
  assert.equal((await body(one.two.get('/microkaraoke/songlist'))).length, 1)
  await page.getByRole('button', { name: 'Look: Sea shanty' }).click()
  await page.getByRole('button', { name: 'Start over …' }).click()
  await page.getByRole('button', { name: 'Really: 2 parts are lost' }).click()
  await page.getByText('“Sea shanty” starts over.').waitFor()
  assert.equal((await body(one.two.get('/microkaraoke/songlist'))).length, 0)
})

test('one part of a song is rejected alone: it can be sung again, and the others stay', async () => {
  const moderator = await someone({ level: 'moderator' })
  const [one, two] = [await someone({ displayName: 'Loud Singer' }), await someone({ displayName: 'Good Singer' })]
  const { songID } = await sungSong(web.nodes, [one.id, two.id])
  await web.nodes.sql`update mk_song set name = 'Half a shanty' where id = ${songID}`
  const { page } = await web.openAs(moderator.username, desk)
  await page.goto('/admin/microkaraoke')
  await page.getByRole('button', { name: 'Look: Half a shanty' }).click()
  await page.locator('dialog li', { hasText: 'Loud Singer' }).getByRole('button', { name: 'Take out' }).click()
  await page.getByText('Part 1: Loud Singer').waitFor({ state: 'detached' })
  await page.getByText('Part 2: Good Singer').waitFor()
  await page.getByRole('button', { name: 'Show it to everybody' }).waitFor({ state: 'detached' })
  const parts = await body(moderator.one.get(`/mod/microkaraoke/snippets/${songID}`))
  assert.deepEqual(
    parts.map(({ snippetIndex }: { snippetIndex: number }) => snippetIndex),
    [1],
  )
  const { completionTime } = await body(moderator.two.get(`/mod/microkaraoke/song/${songID}`))
  assert.equal(completionTime, undefined)
})

test('performers and libraries come as files that are looked at first', async () => {
  const admin = await someone({ level: 'admin' })
  const { page } = await web.openAs(admin.username, { ...desk, expected: /400/ })
  const file = (name: string, content: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(content) })
  await page.goto('/admin/performers')
  const list = page.getByLabel('Choose a list of performers (JSON)')
  await list.setInputFiles(file('broken.json', '{'))
  await page.getByText('The file is not JSON').waitFor()
  const performer = { header: { name: 'The Quartet', isOfficialPerformer: true }, yearsAttended: [2024], scrapedEventRefs: [] }
  await list.setInputFiles(file('performers.json', JSON.stringify([performer])))
  await page.locator('ins', { hasText: 'The Quartet' }).waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await page.getByText('Saved.').first().waitFor()
  const { performers } = await body(admin.two.get('/performer/official?limit=50'))
  assert.ok(performers.some(({ name }: { name: string }) => name === 'The Quartet'))

  await page.goto('/admin/games')
  const songs = page.getByLabel('Choose a file of songs (.txt)')
  await songs.setInputFiles({ name: 'songs.txt', mimeType: 'text/plain', buffer: Buffer.from('The Sailors\tHeave away\n') })
  await page.locator('ins', { hasText: 'Heave away' }).waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await until(async () => (await body(admin.two.get('/karaoke?search=heave'))).songs.length === 1, 'the song is in the library')
  await page.getByText('One song is here.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await until(async () => (await body(admin.two.get('/karaoke?search=heave'))).songs.length === 0, 'the library is what it was')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save them as a file' }).last().click(),
  ])
  assert.equal(saved.suggestedFilename(), 'songs.txt')
})

test('somebody deletes their account with its typed name', async () => {
  const admin = await someone({ level: 'admin' })
  await body(admin.one.post('/admin/serversettings/update', { allowAccountDeletion: true, enableFeatures: [], disableFeatures: [] }))
  const [user, other] = [await someone({ displayName: 'Leaver' }), await someone()]
  const chat = await createChat(user.one)
  await body(other.one.post(`/fez/${chat}/join`), 201)
  await say(user.one, chat, 'Good bye')
  const { page } = await web.openAs(user.username, { expected: /40[01]|WebSocket/ })
  await page.goto('/account/data')
  await page.getByRole('button', { name: 'Delete my account …' }).click()
  await page.getByText('One group of yours is cancelled.').waitFor()
  const last = page.getByRole('button', { name: 'Delete for good' })
  await page.getByLabel(/type the name of your account/).fill(user.username)
  assert.equal(await last.isDisabled(), true)
  await page.getByLabel('Your password').fill('not the password')
  await last.click()
  await page.getByText('is wrong').waitFor()
  await page.getByLabel('Your password').fill(testPassword)
  await last.click()
  await page.waitForURL('**/login')
  assert.equal((await user.two.get('/user/whoami')).status, 401)
  const { members, cancelled } = await body(other.two.get(`/fez/${chat}`))
  assert.deepEqual([members.posts[0].text, cancelled], ['Good bye', true])
})

test('the dashboard moves without asking', async () => {
  const team = await someone({ level: 'serviceteam' })
  const { page } = await web.openAs(team.username, desk)
  const asked: string[] = []
  for (const { node } of web.nodes.apps) figuresIn(node).sample()
  await page.goto('/admin')
  await page.getByText('Online now').waitFor()
  // A point that came before the first answer makes the page ask once more.
  await page.waitForLoadState('networkidle')
  page.on('request', (request) => {
    if (request.url().includes('/admin/figures')) asked.push(request.url())
  })
  const users = await Promise.all([someone(), someone(), someone()])
  const sockets = await Promise.all(users.map((user) => user.two.socket('/notification/socket')))
  // Three, and the one who looks.
  await page.locator('.tiles', { hasText: 'Online now' }).getByText('4', { exact: true }).first().waitFor()
  assert.deepEqual(asked, [])
  for (const socket of sockets) socket.terminate()
})
