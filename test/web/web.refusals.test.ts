// What the server refuses is said in the language of the reader.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { people, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('every code of a refusal and every rule of a field has a sentence in each further language', async () => {
  const document = await fetch(`${web.url}/openapi.json`)
  const { info } = (await document.json()) as { info: { description: string } }
  const words = [...info.description.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, word]) => word as string)
  assert.ok(words.length > 150, `${words.length} words`)
  const books = (await readdir('src/web/texts')).filter((name) => name.endsWith('de.json'))
  const german = Object.assign(
    {},
    ...(await Promise.all(books.map((name) => readFile(`src/web/texts/${name}`, 'utf8')))).map((text) => JSON.parse(text)),
  ) as object
  const missing = words.filter((word) => !(`error.${word}` in german) && !(`rule.${word}` in german))
  assert.deepEqual(missing, [])
})

test('a German reader sees no English of the server: at the sign-in, beside a field, on a page, in a message', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const options = { locale: 'de-DE', expected: /40\d/ }
  const { page: gate } = await web.open(options)
  await gate.goto('/login')
  await gate.getByLabel('Benutzername').fill(ann.username)
  await gate.getByLabel('Passwort', { exact: true }).fill('wrong-and-long')
  await gate.getByRole('button', { name: 'Anmelden' }).click()
  await gate.getByText('Benutzername oder Passwort stimmen nicht.').waitFor()
  await gate.goto('/createAccount')
  await gate.getByLabel('Benutzername').fill('-ann')
  await gate.getByLabel('Passwort', { exact: true }).fill('wrong-and-long')
  await gate.locator('form button[type=submit]').click()
  await gate.getByText('Am Anfang muss ein Buchstabe oder eine Ziffer stehen.').waitFor()
  const { page } = await web.openAs(bob.username, { expected: options.expected })
  await page.evaluate(`localStorage.setItem('language', 'de')`)
  await page.goto(`/forum/${randomUUID()}`)
  await page.getByText('Das gibt es nicht, oder du kannst es nicht sehen.').waitFor()
  await page.goto('/alertwords')
  await page.getByLabel('Wort').fill('ab')
  await page.getByRole('button', { name: 'Hinzufügen' }).click()
  await page.locator('.toast', { hasText: 'Gib genau ein Wort' }).waitFor()
})
