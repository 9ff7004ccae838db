// The browser app, in a real browser on a phone-sized screen. Waits are for conditions; none is for a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from 'undici'
import { webPaths } from '../../src/features.ts'
import { createAccount, testPassword } from '../support/accounts.ts'
import type { Visit } from '../support/browser.ts'
import { createSeamail, people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { until } from '../support/until.ts'
import { settled, storeOf, webTests, write } from '../support/web.ts'

const web = webTests()

const get = (path: string, headers: Record<string, string> = {}) => request(web.url + path, { headers })
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('GET of a path of the app: browsers get the page, everybody else JSON', async () => {
  for (const path of webPaths) {
    const page = await get(path.replace(/:\w+/g, 'x'), html)
    assert.equal(page.statusCode, 200, path)
    assert.match(String(page.headers['content-type']), /^text\/html/, path)
    await page.body.dump()
  }
  const program = await get('/forums', { accept: 'application/json' })
  assert.equal(program.statusCode, 404)
  assert.match(String(program.headers['content-type']), /json/)
  assert.equal((await get('/api/v3/nothing', html)).statusCode, 404)
  assert.match(String((await get('/api/v3/nothing', html)).headers['content-type']), /json/)
  const lost = await get('/there/is/no/such/page', html)
  assert.equal(lost.statusCode, 404)
  assert.match(String(lost.headers['content-type']), /^text\/html/)
})

test('GET of the page: asked for again each time, and nothing unsafe in its policy; its files stay for a year', async () => {
  const page = await get('/', html)
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  assert.equal(page.headers['cache-control'], 'no-cache')
  assert.equal(page.headers['x-content-type-options'], 'nosniff')
  assert.equal(page.headers['access-control-allow-origin'], undefined)
  const text = await page.body.text()
  assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|\son\w+=/)
  assert.equal((await get('/', { ...html, 'if-none-match': String(page.headers['etag']) })).statusCode, 304)

  const [, script] = text.match(/src="(\/web\/main-[^"]+\.js)"/) ?? []
  assert.ok(script, 'the page names its script')
  for (const encoding of ['br', 'gzip']) {
    const file = await get(script, { 'accept-encoding': encoding })
    assert.equal(file.headers['content-encoding'], encoding)
    assert.match(String(file.headers['cache-control']), /immutable/)
    await file.body.dump()
  }
  for (const path of ['/web/..%2findex.html', '/web/nothing.js']) {
    assert.equal((await get(path)).statusCode, 404, path)
  }
})

test('create an account, note the recovery key, and be in', async () => {
  const { page } = await web.open()
  await page.goto('/')
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Username').fill('newcomer')
  await page.getByLabel('Password').fill('a new password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Welcome aboard, newcomer' }).waitFor()
  assert.match((await page.locator('.recovery').textContent()) ?? '', /\w+ \w+ \w+/)
  await page.getByRole('button', { name: 'I have written them down' }).click()
  await page.getByRole('heading', { name: 'What you find here' }).waitFor()
  await page.getByRole('button', { name: /^(Skip|Look around)$/ }).click()
  await page.getByText('Waits for you').waitFor()
})

test('create an account whose answer is lost: the next attempt shows the recovery key; a name that somebody else has is said to be taken', async () => {
  const { page } = await web.open({ expected: /ERR_FAILED|409|401/ })
  const taken = await createAccount(web.nodes.sql)
  const create = page.getByRole('button', { name: 'Create account' })
  await page.goto('/createAccount')
  await page.getByLabel('Password').fill('a new password')
  for (const [username, reaches] of [
    [taken.username, false],
    ['lost-on-the-way', true],
  ] as const) {
    await page.getByLabel('Username').fill(username)
    await page.route('**/api/v3/user/create', async (route) => {
      if (reaches) await route.fetch()
      await route.abort()
    })
    await create.click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await page.unroute('**/api/v3/user/create')
    await create.click()
    if (!reaches) await page.getByText('This username is taken').waitFor()
  }
  await page.getByRole('heading', { name: 'Welcome aboard, lost-on-the-way' }).waitFor()
  assert.match((await page.locator('.recovery').textContent()) ?? '', /\w+ \w+ \w+/)
  await page.getByRole('button', { name: 'I have written them down' }).click()
  await page.getByRole('heading', { name: 'What you find here' }).waitFor()
  await page.getByRole('button', { name: /^(Skip|Look around)$/ }).click()
  await page.getByText('Waits for you').waitFor()
})

test('a registration code whose answer is lost counts on the page, too', async () => {
  const { username } = await createAccount(web.nodes.sql, { level: 'unverified' })
  await web.nodes.sql`insert into registration_code (code) values ('lost01')`
  const { page } = await web.openAs(username, { expected: /ERR_FAILED/ })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Enter the code' }).click()
  await page.route('**/api/v3/user/verify', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByLabel('Registration code').fill('lost01')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Enter the code' }).waitFor({ state: 'detached' })
})

test('sign in: a wrong password is said; the page knows no credential; signing out forgets', async () => {
  const { username } = await createAccount(web.nodes.sql)
  const { page, context } = await web.open({ expected: /401/ })
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Waits for you').waitFor()
  const known = await page.evaluate<string>('document.cookie + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })')
  const cookie = (await context.cookies()).find(({ httpOnly }) => httpOnly)
  assert.equal(cookie?.sameSite, 'Strict')
  assert.ok(!known.includes(cookie.value) && !known.includes(testPassword), 'no script can read a credential')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  // The page comes anew meanwhile.
  await until(
    async () => (await page.evaluate(`localStorage.getItem('me')`).catch(() => undefined)) === null,
    'it has forgotten who it was',
  )
})

test('two browsers side by side: a post appears in the other, and numbers follow', async () => {
  const [heidi, sam] = (await people(web.nodes, { displayName: 'Heidi' }, { displayName: 'Sam' })) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Dinner plans' })
  await say(heidi.one, chat, 'Shall we all eat together?')
  const [one, two] = await Promise.all([web.openAs(heidi.username), web.openAs(sam.username)])
  await two.page.getByText('Dinner plans').waitFor()
  await Promise.all([one.page.goto(`/seamail/${chat}`), two.page.getByText('Dinner plans').click()])
  await two.page.getByText('Shall we all eat together?').waitFor()
  await write(one.page, 'At seven?')
  await two.page.getByText('At seven?').waitFor()
  await write(two.page, 'Yes!')
  await one.page.getByText('Yes!').waitFor()

  await two.page.goto('/events')
  await settled(two.page)
  const unread = two.page.getByRole('link', { name: /Seamail/ }).locator('.badge')
  await until(async () => (await unread.count()) === 0, 'what was read counts no more')
  await say(heidi.one, chat, 'Where are you?')
  await unread.waitFor()
})

test('what is written without a network arrives once, also after the page was loaded again', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'In the lift' })
  const { page, context } = await web.openAs(heidi.username, {
    serviceWorkers: 'allow',
    expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/,
  })
  await page.goto(`/seamail/${chat}`)
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await context.setOffline(true)
  await write(page, 'Written in the lift')
  await page.getByText('waits for the network').waitFor()
  await page.reload()
  await page.getByText('Written in the lift').waitFor()
  await context.setOffline(false)
  await until(async () => (await postsOf(sam.one, chat)).length > 0, 'the post arrives', 60_000)
  await page.getByText('waits for the network').waitFor({ state: 'detached' })
  assert.deepEqual(await postsOf(sam.one, chat), ['Written in the lift'])
})

test('a post that the server fails to take keeps no posts to other places waiting, and arrives when it takes it', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const [broken, whole] = [
    await createSeamail(heidi.one, [sam], { title: 'Broken' }),
    await createSeamail(heidi.one, [sam], { title: 'Whole' }),
  ]
  const { page } = await web.openAs(heidi.username, { expected: /Failed to load resource/ })
  const path = `**/api/v3/fez/${broken}/post`
  let attempts = 0
  await page.route(path, async (route) => {
    attempts++
    await route.fulfill({ status: 500, json: { error: true, reason: 'Something went wrong.', code: 'internal' } })
  })
  await page.goto(`/seamail/${broken}`)
  await write(page, 'Held up')
  await write(page, 'Behind it')
  await until(() => attempts > 0, 'it is tried', 60_000)
  const letters = async () => Object.keys(await storeOf(page)).filter((name) => name.startsWith('letter ')).length
  await until(async () => (await letters()) === 2, 'both are kept')
  await page.goto(`/seamail/${whole}`)
  await write(page, 'On its way')
  await until(async () => (await postsOf(sam.one, whole)).length > 0, 'the other post arrives', 60_000)
  assert.deepEqual(await postsOf(sam.one, broken), [])
  await page.unroute(path)
  await until(async () => (await postsOf(sam.one, broken)).length === 2, 'the posts arrive', 60_000)
  assert.deepEqual(await postsOf(sam.one, broken), ['Held up', 'Behind it'])
})

test('follow an event, write in a forum and in the microblog, join a group, block somebody', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { body: group } = await sam.one.post('/fez/create', {
    fezType: 'gaming',
    title: 'Cards at nine',
    info: 'Beginners too',
    minCapacity: 0,
    maxCapacity: 0,
    initialUsers: [],
  })
  const forum = await startForum(sam.one, 'Lost and found')
  const { page } = await web.openAs(heidi.username)

  await page.getByRole('link', { name: /Schedule/ }).click()
  const star = page.getByRole('button', { name: 'Follow Boarding' })
  await star.click()
  await until(async () => (await heidi.one.get('/events/favorites')).body.length === 1, 'the event is followed')

  await page.getByRole('link', { name: /Groups/ }).click()
  await page.getByText('Cards at nine').click()
  await page.getByRole('button', { name: 'Join' }).click()
  await write(page, 'I come along')
  await until(async () => (await postsOf(sam.one, group.fezID)).includes('I come along'), 'the post is in the group')

  await page.goto(`/forum/${forum.forumID}`)
  await page.getByRole('textbox', { name: 'Your post' }).fill('Found a blue hat')
  await page.getByRole('button', { name: 'Send' }).click()
  await until(
    async () => JSON.stringify((await sam.one.get(`/forum/${forum.forumID}`)).body).includes('blue hat'),
    'the post is in the forum',
  )

  await page.goto('/tweets')
  await page.getByRole('textbox', { name: 'What is new?' }).fill('Dolphins, port side')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('article').filter({ hasText: 'Dolphins, port side' }).waitFor()

  await page.goto(`/profile/${sam.username}`)
  await page.getByRole('button', { name: 'More about this person' }).click()
  await page.getByRole('button', { name: 'Block' }).click()
  await page.getByRole('heading', { name: 'Blocked people' }).waitFor()
  await page.getByText(`@${sam.username}`).waitFor()
})

test('the service worker loads the files of the console for nobody but who opens it, and keeps them then', async () => {
  const [heidi, mod] = (await people(web.nodes, {}, { level: 'moderator' })) as [Person, Person]
  /** Names of scripts that the browser keeps, by what is in them. */
  const kept = async ({ page }: Visit, words: string) => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    return await page.evaluate<string[]>(`(async () => {
      const found = []
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        for (const request of await cache.keys()) {
          if (request.url.endsWith('.js') && (await (await cache.match(request)).text()).includes(${JSON.stringify(words)})) found.push(request.url)
        }
      }
      return found
    })()`)
  }
  const one = await web.openAs(heidi.username, { serviceWorkers: 'allow' })
  assert.ok((await kept(one, '/api/v3')).length > 0, 'the app itself is kept')
  assert.deepEqual(await kept(one, 'No report waits'), [])
  const two = await web.openAs(mod.username, {
    serviceWorkers: 'allow',
    expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/,
  })
  await two.page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await two.page.goto('/reports')
  await two.page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  assert.ok((await kept(two, 'No report waits')).length > 0, 'the console is kept')
  await two.context.setOffline(true)
  await two.page.reload()
  await two.page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
})

// oxlint-disable-next-line no-explicit-any -- answers of every shape
async function postsOf(client: { get(path: string): Promise<{ body: any }> }, fezID: string): Promise<string[]> {
  const { body } = await client.get(`/fez/${fezID}?start=0&limit=200`)
  return body.members.posts.map(({ text }: { text: string }) => text)
}
