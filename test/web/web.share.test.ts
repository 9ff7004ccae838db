// What is given to others: the address of an event, a person, a forum or a group, and what opens with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { violations } from '../support/browser.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { apply } from '../support/schedule.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('events, people, forums and groups have a link to give away, which opens them after the sign-in', async () => {
  const [heidi, sam, admin] = (await people(web.nodes, {}, { displayName: 'Sam Smith' }, { level: 'admin' })) as [Person, Person, Person]
  const start = new Date(Math.ceil(Date.now() / 60_000) * 60_000)
  await apply(admin, [{ uid: 'shared', title: 'A shared evening', start: start.toISOString(), end: start.toISOString() }])
  const { eventID } = await body(heidi.one.get('/events/shared'))
  const group = await createChat(sam.one, { title: 'A shared table' })
  const { forumID } = await startForum(sam.one, 'A shared question')
  const { page } = await web.openAs(heidi.username, { bypassCSP: true })
  for (const [path, heading, menu] of [
    [`/events/${eventID}`, 'A shared evening', undefined],
    [`/profile/${sam.username}`, 'Sam Smith', undefined],
    [`/forum/${forumID}`, 'A shared question', 'More about this forum'],
    [`/lfg/${group}`, 'A shared table', 'More about this chat'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    if (menu) await page.getByRole('button', { name: menu }).click()
    await page.getByRole('button', { name: 'Share' }).click()
    const address = await page.getByLabel('Link', { exact: true }).inputValue()
    assert.equal(new URL(address).pathname, path)
    await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied.').waitFor()
    assert.deepEqual(await violations(page), [])

    const other = (await web.open()).page
    await other.goto(address)
    await other.getByLabel('Username').fill(sam.username)
    await other.getByLabel('Password').fill(testPassword)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('heading', { level: 1, name: heading }).waitFor()
    assert.equal(new URL(other.url()).pathname, path)
  }
})

test('where the device sends things by itself, it is given the title and the address', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam Smith' })) as [Person, Person]
  const { page } = await web.openAs(heidi.username)
  await page.addInitScript(`navigator.share = async (what) => { window.sent = what }`)
  await page.goto(`/profile/${sam.username}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Send …' }).click()
  assert.deepEqual(await page.evaluate('window.sent'), { title: 'Sam Smith', url: page.url() })
})
