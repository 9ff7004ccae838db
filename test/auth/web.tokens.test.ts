// Tokens for programs in the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, people, refused, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('a token is made, shown once, used, and removed after a question', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/account')
  await page.getByRole('link', { name: 'Programs of your own' }).click()
  await page.getByText('No program has a token.').waitFor()
  await page.getByLabel('Name').fill('wall display')
  await page.getByLabel('Ends after').selectOption({ label: '7 days' })
  await page.getByRole('button', { name: 'Make a token' }).click()
  const token = await page.locator('.token code').innerText()
  const program = web.nodes.client(token)
  assert.equal((await body(program.get('/user/whoami'))).userID, heidi.id)
  await refused(program.post('/microblog/create', { text: 'no', images: [] }), 403)
  await page.getByText('may only read', { exact: false }).first().waitFor()
  await page.reload()
  const line = page.locator('li.row', { hasText: 'wall display' })
  await line.waitFor()
  assert.equal(await page.locator('.token').count(), 0)
  await line.getByRole('button', { name: 'Remove “wall display”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await body(program.get('/user/whoami'))
  await line.getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No program has a token.').waitFor()
  await refused(program.get('/user/whoami'), 401)
})
