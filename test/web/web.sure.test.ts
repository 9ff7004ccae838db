// What takes something away: a question before what nobody can take back, ten seconds of undo after what can be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, createChat, createSeamail, lfg, people, say, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

const membersOf = async ({ one }: Person, fezID: string) =>
  (await body<{ members?: { participants: { userID: string }[] } }>(one.get(`/fez/${fezID}`))).members?.participants.map(
    ({ userID }) => userID,
  )

test('a post and a message are deleted after a question, and stay with a no', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  await write(ann.one, 'a post to think about')
  const fezID = await createSeamail(ann.one, [bob], { title: 'Dinner' })
  await say(ann.one, fezID, 'a message to think about')
  const { page } = await web.openAs(ann.username)
  for (const [path, what] of [
    ['/tweets', page.getByRole('article').filter({ hasText: 'a post to think about' })],
    [`/seamail/${fezID}`, page.locator('[data-post]').filter({ hasText: 'a message to think about' })],
  ] as const) {
    await page.goto(path)
    for (const [answer, count] of [
      ['Cancel', 1],
      ['Delete', 0],
    ] as const) {
      await what.getByRole('button', { name: /^Post by/ }).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      const question = page.getByRole('dialog', { name: /^Delete this/ })
      await question.getByRole('button', { name: answer }).click()
      await question.waitFor({ state: 'detached' })
      await until(async () => (await what.count()) === count, `${path}: ${answer}`)
    }
  }
})

test('whoever leaves a group can take it back; out of a thread nobody goes without a question', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const group = await createChat(ann.one, lfg({ title: 'Chess', initialUsers: [bob.id] }))
  const thread = await createSeamail(ann.one, [bob], { title: 'Plans', fezType: 'open' })
  const { page } = await web.openAs(bob.username)
  const leave = async (path: string) => {
    await page.goto(path)
    await page.getByRole('button', { name: 'More about this chat' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
  }
  await leave(`/lfg/${group}`)
  await page.getByText('You have left “Chess”.').waitFor()
  await until(async () => !(await membersOf(ann, group))?.includes(bob.id), 'out')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await membersOf(ann, group))?.includes(bob.id) ?? false, 'in again')
  await leave(`/seamail/${thread}`)
  const question = page.getByRole('dialog', { name: 'Leave “Plans”?' })
  assert.ok((await membersOf(ann, thread))?.includes(bob.id))
  await question.getByRole('button', { name: 'Leave' }).click()
  await until(async () => !(await membersOf(ann, thread))?.includes(bob.id), 'out of the thread')
})

test('a block, and somebody who was removed, can be taken back', async () => {
  const [ann, bob] = (await people(web.nodes, {}, { displayName: 'Bob Hill' })) as [Person, Person]
  const group = await createChat(ann.one, lfg({ title: 'Chess', initialUsers: [bob.id] }))
  const { page } = await web.openAs(ann.username)
  await page.goto(`/lfg/${group}`)
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('button', { name: 'Who is here' }).click()
  await page.getByRole('button', { name: 'Remove Bob Hill' }).click()
  await until(async () => !(await membersOf(ann, group))?.includes(bob.id), 'out')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await membersOf(ann, group))?.includes(bob.id) ?? false, 'in again')
  const blocked = async () => (await body<{ userID: string }[]>(ann.one.get('/users/blocks'))).length
  await page.goto(`/profile/${bob.username}`)
  await page.getByRole('button', { name: 'More about this person' }).click()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await until(async () => (await blocked()) === 1, 'blocked')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await blocked()) === 0, 'not any more')
})
