// Writing in a chat: what is on the screen at every moment of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { signIn } from '../support/browser.ts'
import { createSeamail, people, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { go, hasValue, settled, storeOf, webTests, write } from '../support/web.ts'

const web = webTests()

test('a sent post stands in the thread once at every moment, also when the socket is faster than the answer', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Once' })
  await say(heidi.one, chat, 'Again')
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/seamail/${chat}`)
  await page.locator('.bubble', { hasText: 'Again' }).waitFor()
  // The answers wait until the frames of the socket are there.
  const answers: (() => void)[] = []
  await page.route('**/post', async (route) => {
    const response = await route.fetch()
    await new Promise<void>((resolve) => answers.push(resolve))
    await route.fulfill({ response })
  })
  await page.evaluate(`
    window.counts = []
    const count = () => counts.push(Array.from(document.querySelectorAll('.bubble')).map((bubble) => bubble.querySelector('.words').textContent).join('|'))
    new MutationObserver(count).observe(document.body, { subtree: true, childList: true, characterData: true })`)
  await write(page, 'Soup at noon')
  await page.getByRole('textbox', { name: 'Message' }).fill('Again')
  await page.getByRole('button', { name: 'Send' }).click()
  await until(() => answers.length === 1, 'the first post is with the server')
  // A frame that comes after the own one: by then that one has been taken.
  await say(sam.one, chat, 'Yes')
  await page.locator('.bubble', { hasText: 'Yes' }).waitFor()
  answers[0]?.()
  await until(() => answers.length === 2, 'the second post is with the server')
  await say(sam.one, chat, 'Of course')
  await page.locator('.bubble', { hasText: 'Of course' }).waitFor()
  answers[1]?.()
  await page.locator('.bubble.waiting').waitFor({ state: 'detached' })
  const seen = (await page.evaluate('counts')) as string[]
  for (const texts of seen.map((line) => line.split('|'))) {
    assert.ok(texts.filter((text) => text === 'Soup at noon').length <= 1, `twice on the screen: ${texts.join(', ')}`)
    assert.ok(texts.filter((text) => text === 'Again').length <= 2, `three times on the screen: ${texts.join(', ')}`)
  }
  assert.deepEqual(seen.at(-1)?.split('|'), ['Again', 'Soup at noon', 'Yes', 'Again', 'Of course'])
})

test('what somebody has begun to write is there again later, for its own place and its own writer', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const [one, other] = await Promise.all(['One', 'Another'].map((title) => createSeamail(heidi.one, [sam], { title })))
  // Without its cookie, the page is refused what it asks for, and its socket if that has not opened by then.
  const { page, context } = await web.openAs(heidi.username, { expected: /401|HTTP Authentication failed/ })
  const field = page.getByRole('textbox', { name: 'Message' })
  const isKept = async (text: string) => Object.values(await storeOf(page)).includes(text)
  await page.goto(`/seamail/${one}`)
  await field.fill('Half a sen')
  // As a notice does, which leads from chat to chat.
  await go(page, `/seamail/${other}`)
  await page.getByRole('heading', { name: 'Another' }).waitFor()
  assert.equal(await field.inputValue(), '')
  await field.fill('Quite another')
  await page.getByRole('link', { name: 'Back' }).click()
  await page.waitForURL(`**/seamail/${one}`)
  await hasValue(field, 'Half a sen')
  for (const words of ['Half a sen', 'Quite another']) await until(() => isKept(words), `kept: ${words}`)
  await page.reload()
  await hasValue(field, 'Half a sen')
  await write(page, 'Half a sentence is enough')
  await until(async () => !(await isKept('Half a sen')), 'nothing is kept of what was sent')
  await page.reload()
  await page.locator('.bubble', { hasText: 'Half a sentence is enough' }).waitFor()
  await page.goto(`/seamail/${other}`)
  await hasValue(field, 'Quite another')
  await page.goto(`/seamail/${one}`)
  await page.locator('.bubble', { hasText: 'Half a sentence is enough' }).waitFor()
  assert.equal(await field.inputValue(), '')

  const ofTag = page.getByRole('textbox', { name: 'What is new?' })
  await page.goto('/tweets?hashtag=soup')
  await ofTag.fill('#soup is on')
  await go(page, '/tweets?hashtag=bread')
  await hasValue(ofTag, '#bread ')
  await go(page, '/tweets?hashtag=soup')
  await hasValue(ofTag, '#soup is on')

  await page.goto('/')
  await context.clearCookies()
  await signIn(page, sam.username, testPassword)
  await page.goto(`/seamail/${other}`)
  await settled(page)
  // The field has read the store before this does.
  assert.ok(await isKept('Quite another'))
  assert.equal(await field.inputValue(), '')
})

test('@ and # offer names and hashtags; arrows and Enter take one', async () => {
  const [heidi, sam] = (await people(
    web.nodes,
    {},
    { username: 'samantha-of-deck-9', displayName: 'Sammy' },
    { username: 'samantha-the-bot', level: 'client' },
  )) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Names' })
  await sam.one.post('/microblog/create', { text: 'Look at #dolphinwatch', images: [] })
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/seamail/${chat}`)
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.pressSequentially('Ask @samantha')
  await page.getByRole('option', { name: 'Sammy @samantha-of-deck-9' }).waitFor()
  assert.equal(await page.getByRole('option').count(), 1, 'a program is nobody to talk to')
  await field.press('Enter')
  await hasValue(field, 'Ask @samantha-of-deck-9 ')
  await field.pressSequentially('about #dolph')
  await page.getByRole('option', { name: 'dolphinwatch' }).click()
  await hasValue(field, 'Ask @samantha-of-deck-9 about #dolphinwatch ')
  await field.pressSequentially('@sama')
  await page.getByRole('option', { name: 'Sammy @samantha-of-deck-9' }).waitFor()
  await field.press('Escape')
  await page.getByRole('option').waitFor({ state: 'detached' })
})
