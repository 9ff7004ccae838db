// Favorites, marks as read, and unlisted events in the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../support/browser.ts'
import { body, createChat, createSeamail, people, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { hasValue, webTests } from '../support/web.ts'

const web = webTests()
const times = { startTime: '2099-03-01T09:00:00Z', endTime: '2099-03-01T10:00:00Z' }

test('/seamail: favorites come first and alone, are pressed in the chat, and unread ones are marked as read', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const old = await createSeamail(sam.one, [heidi], { title: 'Old friends' })
  const fresh = await createSeamail(sam.one, [heidi], { title: 'Fresh news' })
  await say(sam.one, fresh, 'read me')
  const { page } = await web.openAs(heidi.username, { bypassCSP: true })
  const titles = async () => (await page.locator('main .row-text p').allTextContents()).map((text) => text.trim())
  await page.goto('/seamail')
  await page.getByText('Old friends').waitFor()
  assert.deepEqual(await titles(), ['Fresh news', 'Old friends'])
  await page.getByRole('button', { name: 'Favorites' }).click()
  await page.getByText('No favorites yet').waitFor()
  await page.goto(`/seamail/${old}`)
  await page.getByRole('button', { name: 'Favorite' }).click()
  await page.getByRole('button', { name: 'Favorite', pressed: true }).waitFor()
  await page.goto('/seamail')
  await page.getByRole('img', { name: 'Favorite' }).waitFor()
  assert.deepEqual(await titles(), ['Old friends', 'Fresh news'])
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Favorites' }).click()
  await page.getByText('Fresh news').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Unread' }).click()
  await page.getByRole('button', { name: 'Mark “Fresh news” as read' }).click()
  await page.getByText('You have read everything').waitFor()
  assert.equal((await body(heidi.one.get('/notification/user'))).newSeamailMessageCount, 0)
  // Muting a favorite ends that.
  await page.goto(`/seamail/${old}`)
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('button', { name: 'Mute' }).click()
  await page.getByRole('button', { name: 'Mute', pressed: true }).waitFor()
  const { members } = await body(heidi.one.get(`/fez/${old}?limit=1&peek=true`))
  assert.deepEqual([members.isMuted, members.isFavorite], [true, false])
})

test('/seamail/new, /fez/new: the first message is there with the chat', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const { page } = await web.openAs(heidi.username, { bypassCSP: true })
  await page.goto(`/seamail/new?to=${sam.username}`)
  await page.getByLabel('Subject').fill('Dinner')
  await page.getByRole('textbox', { name: 'Message' }).fill('At eight?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.bubble', { hasText: 'At eight?' }).waitFor()
  const { fezzes } = await body(sam.one.get('/fez/joined'))
  assert.deepEqual([fezzes[0].title, fezzes[0].members.postCount], ['Dinner', 1])
  await page.goto('/fez/new')
  await page.getByLabel('Title').fill('Skat')
  await page.getByLabel('About').fill('A round of cards')
  await page.getByLabel('First message').fill('I have the cards')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('.bubble', { hasText: 'I have the cards' }).waitFor()
})

test('/privateevent: an unlisted event is shared by its link, and joined by it; private again, nobody comes', async () => {
  const [heidi, sam, kim] = (await people(web.nodes, {}, {}, {})) as [Person, Person, Person]
  const { page } = await web.openAs(heidi.username, { bypassCSP: true })
  await page.goto('/privateevent/new')
  await page.getByLabel('Title').fill('Secret party')
  await page.getByLabel('Who can see it').selectOption('Everybody who has the link')
  await page.getByLabel('Starts').fill('2099-03-01T09:00')
  await hasValue(page.getByLabel('Ends'), '2099-03-01T10:00')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('.about', { hasText: 'Everybody who has the link' }).waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  const address = await page.getByLabel('Link', { exact: true }).inputValue()
  assert.equal(address, page.url())
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
  await until(() => page.evaluate(`document.querySelector('.qr-code').naturalWidth === 400`), 'the QR code has loaded')
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Copied.').waitFor()

  const other = (await web.openAs(sam.username, { bypassCSP: true })).page
  await other.goto(new URL(address).pathname)
  await other.getByRole('heading', { name: 'Secret party' }).waitFor()
  assert.deepEqual(await violations(other), [])
  await other.getByRole('button', { name: 'Join' }).click()
  await other.getByRole('textbox', { name: 'Message' }).waitFor()
  const id = address.split('/').at(-1)
  assert.equal((await body(heidi.one.get(`/fez/${id}`))).participantCount, 2)

  await page.goto(`/privateevent/${id}/edit`)
  await hasValue(page.getByLabel('Who can see it'), 'unlisted')
  await page.getByLabel('Who can see it').selectOption('Only those who are invited')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.about', { hasText: 'Only those who are invited' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Share' }).count(), 0)
  assert.equal((await kim.one.get(`/fez/${id}`)).status, 400)
})

test('moderators remove members of an event from the list of those in it', async () => {
  const [heidi, sam, moderator] = (await people(web.nodes, {}, { displayName: 'Sam Smith' }, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
  ]
  const id = await createChat(heidi.one, { fezType: 'privateEvent', title: 'Rowdy party', ...times, initialUsers: [sam.id] })
  const { page } = await web.openAs(moderator.username)
  await page.goto(`/privateevent/${id}`)
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('button', { name: 'Who is here' }).click()
  await page.getByRole('button', { name: 'Remove Sam Smith' }).click()
  await page.getByRole('dialog', { name: 'Remove Sam Smith?' }).getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Sam Smith' }).waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0, 'not the owner')
  assert.equal((await sam.one.get(`/fez/${id}`)).status, 400)
})
