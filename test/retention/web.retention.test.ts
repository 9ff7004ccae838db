// Retention in the console: what would go is said before it is agreed to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { hasValue, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1))

test('days are typed, what would go is counted, asked about, and set; what is too short is refused by name', async () => {
  const [captain, ann] = (await people(web.nodes, { level: 'admin' }, {})) as [Person, Person]
  for (const text of ['one', 'two']) {
    const id = await write(ann.one, text)
    await body(ann.one.delete(`/microblog/${id}`), 204)
    await web.nodes.sql`update microblog_post set deleted_at = now() - interval '10 days' where id = ${id}`
  }
  const { page } = await web.openAs(captain.username, { expected: /400/ })
  await page.goto('/admin/retention')
  const deleted = page.getByLabel('Deleted posts, photos, forums and chats')
  await deleted.fill('20')
  await page.getByText('None is so old now.').waitFor()
  await deleted.fill('9')
  await page.getByText('2 would go now.').waitFor()
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  const question = page.getByRole('dialog')
  await question.getByText('2 things go now, for good.').waitFor()
  await question.getByText('It cannot be undone.').waitFor()
  await page.keyboard.press('Escape')
  const days = async () => (await body(captain.one.get('/admin/retention'))).kinds[0].days
  assert.equal(await days(), 0)
  await save.click()
  await question.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await days()) === 9, 'it is set')
  await page.reload()
  await hasValue(deleted, '9')
  await deleted.fill('')
  await page.getByLabel('Records of what the team has done').fill('31')
  await save.click()
  await question.getByText('Nothing is so old now.').waitFor()
  await question.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await days()) === 0, 'it is for good again')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await days()) === 9, 'it is as it was')
})
