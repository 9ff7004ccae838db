// The inboxes of the teams: read and answered in the team's name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { body, createChat, people, say, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('/seamail as a moderator: a seamail to the moderators is read and answered in their name', async () => {
  const [heidi, mod] = (await people(web.nodes, { displayName: 'Heidi' }, { level: 'moderator' })) as [Person, Person]
  const chat = await createChat(heidi.one, { fezType: 'closed', title: 'A lost ring', info: '', initialUsers: [builtIn.moderator] })
  await say(heidi.one, chat, 'I have found a ring.')
  const { page } = await web.openAs(mod.username)
  await page.goto('/seamail')
  await page.getByRole('button', { name: 'Moderators', exact: true }).click()
  await page.getByRole('link', { name: /A lost ring/ }).click()
  await page.getByText('I have found a ring.').waitFor()
  await page.getByRole('textbox', { name: 'Answer as moderators' }).fill('Thank you. Please bring it to the desk.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.bubble', { hasText: 'bring it to the desk' }).waitFor()
  await page.locator('.bubble.waiting').waitFor({ state: 'detached' })
  const { members } = await body(heidi.one.get(`/fez/${chat}`))
  assert.deepEqual(
    members.posts.map(({ author, text }: { author: { username: string }; text: string }) => [author.username, text]),
    [
      [heidi.username, 'I have found a ring.'],
      ['moderator', 'Thank you. Please bring it to the desk.'],
    ],
  )
})

test('/seamail of an ordinary user has no inboxes of teams', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/seamail')
  await page.getByText('No seamail yet').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Moderators', exact: true }).count(), 0)
})
