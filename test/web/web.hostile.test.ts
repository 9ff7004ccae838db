// Hostile texts, wherever people and publishers write: no script runs, nothing of them becomes an element, no page is broken.
// The page's policy, which would stop most of it, is off here: what is tested is the app itself.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { body, createChat, people, say, type Person } from '../support/fez.ts'
import { categories, startForum } from '../support/forum.ts'
import { apply } from '../support/schedule.ts'
import { onlySettings } from '../support/settings.ts'
import { startTestNodes } from '../support/app.ts'
import { boardItem } from '../support/quartermaster.ts'
import { settled, webTests } from '../support/web.ts'

const vectors = readFileSync(join(process.cwd(), 'test', 'support', 'xss-vectors.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
/** Text that breaks lines, directions and columns. */
const misshapen = [
  '\u202Egnp.exe \u2066 ' + 'W'.repeat(300),
  'a\u0300\u0301\u0302'.repeat(100),
  '\u{1F3F4}'.repeat(80),
  '\uFDFD'.repeat(40),
  '‮'.repeat(50) + 'x',
]

const web = webTests(() => startTestNodes(1, { env: { WRITES_PER_MINUTE: '0' } }))

const mostLines = 20

/** As many of them as fit into one text. */
function parts(length: number): string[] {
  const texts: string[] = []
  for (const vector of vectors.map((each) => each.slice(0, length))) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + vector.length + 1 <= length && last.split('\n').length < mostLines)
      texts[texts.length - 1] = `${last}\n${vector}`
    else texts.push(vector)
  }
  return texts
}

test(`${vectors.length} known vectors and misshapen texts run nothing and break no page`, async () => {
  assert.ok(vectors.length >= 200)
  const [heidi, sam, admin] = (await people(web.nodes, {}, { displayName: '<b onclick=x>Sam' }, { level: 'admin' })) as [
    Person,
    Person,
    Person,
  ]
  const short = vectors.filter(({ length }) => length >= 2 && length <= 100)
  const chat = await createChat(sam.one, { fezType: 'closed', title: short[0], info: '', initialUsers: [heidi.id] })
  const forum = await startForum(sam.one, short[1] as string)
  for (const text of [...parts(1900), ...misshapen]) {
    await say(sam.one, chat, text)
    await body(sam.one.post(`/forum/${forum.forumID}/create`, { text, images: [] }), 201)
    await body(sam.one.post('/microblog/create', { text, images: [] }), 201)
  }
  for (const title of short.slice(2, 40)) {
    await createChat(sam.one, { title, info: title, location: title, startTime: new Date(Date.now() + 3_600_000).toISOString() })
    await startForum(sam.one, title)
  }
  await apply(
    admin,
    vectors.map((text, index) => ({
      uid: `hostile-${index}`,
      title: text.slice(0, 100),
      description: text,
      location: text.slice(0, 100),
      start: new Date(Date.now() + 3_600_000).toISOString(),
      end: new Date(Date.now() + 7_200_000).toISOString(),
    })),
  )
  const [event] = await body(heidi.one.get('/events'))
  const [about] = parts(400) as [string]
  const profile = {
    realName: '',
    preferredPronoun: '',
    homeLocation: '',
    roomNumber: '',
    email: '',
    message: '',
    displayName: '<b onclick=x>Sam',
    discordUsername: '',
  }
  await body(
    sam.one.post('/user/profile', {
      ...profile,
      about,
      realName: '<img src=x onerror=window.__ran=1>',
      homeLocation: '"><svg onload=window.__ran=1>',
    }),
  )
  const { barrelID } = await body(heidi.one.post('/user/barrel', { name: '<img src=x onerror=window.__ran=1>', uuidList: [sam.id] }), 201)
  await body(
    admin.one.post('/hunts/create', {
      title: '<svg onload=window.__ran=1>',
      description: parts(400)[1],
      puzzles: [{ title: '<img src=x onerror=window.__ran=1>', body: parts(1900)[0], answer: 'x', hints: {} }],
    }),
    201,
  )
  const [{ huntID }] = (await body(heidi.one.get('/hunts'))).hunts
  const [{ puzzleID }] = (await body(heidi.one.get(`/hunts/${huntID}`))).puzzles
  const item = await boardItem(sam.one, { itemName: '<img src=x onerror=window.__ran=1>', itemDescription: parts(1900)[0] })
  await body(
    admin.one.post('/notification/announcement/create', {
      text: parts(1900)[0],
      displayUntil: new Date(Date.now() + 3_600_000).toISOString(),
    }),
    201,
  )

  const { page } = await web.openAs(heidi.username, { bypassCSP: true })
  page.on('dialog', (dialog) => assert.fail(`a dialog: ${dialog.message()}`))
  const paths = [
    '/',
    '/seamail',
    `/seamail/${chat}`,
    '/fez',
    '/forums',
    `/forums/${categories.general}`,
    `/forum/${forum.forumID}`,
    '/tweets',
    '/events',
    `/events/${event.eventID}`,
  ]
  const more = [
    '/dayplanner',
    '/directory',
    `/profile/${sam.username}`,
    '/barrels',
    `/barrels/${barrelID}`,
    '/quartermaster',
    `/quartermaster/${item}`,
    '/hunts',
    `/hunt/${huntID}`,
    `/puzzle/${puzzleID}`,
    `/tweets?hashtag=${encodeURIComponent('"><img src=x onerror=window.__ran=1>')}`,
  ]
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 720 })
    for (const path of [...paths, ...more]) {
      await page.goto(path)
      await settled(page)
      assert.equal(await page.evaluate(`'__ran' in window`), false, `${path} has run a script`)
      const foreign = await page
        .locator('#app :is(iframe, script, object, embed, form[action], base, link, meta, style, svg script, math, marquee)')
        .count()
      assert.equal(foreign, 0, `${path} has elements of a text`)
      const handlers = await page.evaluate<number>(
        `Array.from(document.querySelectorAll('#app *')).filter((each) => each.getAttributeNames().some((name) => name.startsWith('on'))).length`,
      )
      assert.equal(handlers, 0, `${path} has handlers of a text`)
      const targets = await page.evaluate<string[]>(`Array.from(document.querySelectorAll('#app a'), (link) => link.protocol)`)
      assert.deepEqual(
        [...new Set(targets)].filter((protocol) => !/^https?:$/.test(protocol)),
        [],
        `${path} has a link to no page`,
      )
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than ${width} px`)
    }
  }
})

test('a link that looks like one of this server leads nowhere else', async () => {
  const [sam, admin] = (await people(web.nodes, {}, { level: 'admin' })) as [Person, Person]
  const origin = web.nodes.urls[0] as string
  const texts = [`${origin}//evil.example/a`, `${origin}/\\evil.example/b`, `${origin}/forums`, 'https://foreign.example/i']
  const forum = await startForum(sam.one, 'Links')
  for (const text of texts) await body(sam.one.post(`/forum/${forum.forumID}/create`, { text, images: [] }), 201)
  const start = new Date(Date.now() + 3_600_000).toISOString()
  await apply(admin, [{ uid: 'links', title: 'Links', category: 'SHADOW CRUISE', start, end: start }])
  const { eventID } = await body(sam.one.get('/events/links'))
  await onlySettings(web.nodes, { enablePreregistration: true })
  await web.nodes.sql`insert into registration_code (code, person_id) values ('links1', ${sam.id})`
  const bio = [
    '[rules](//evil.example/c)',
    '[rules](/\\evil.example/d)',
    `[${origin}/rules](https://evil.example/e)`,
    '[ship.example](https://evil.example/f)',
    '[our rules](/codeOfConduct) and [a page](https://other.example/g) and [other.example](https://other.example/h)',
  ]
  await body(
    sam.one.post(`/performer/forevent/${eventID}`, {
      name: 'Sam',
      bio: bio.join('\n\n'),
      photo: {},
      isOfficialPerformer: false,
      yearsAttended: [],
      eventUIDs: [],
    }),
  )
  const { header } = await body(sam.one.get('/performer/self'))
  await onlySettings(web.nodes)

  const { page } = await web.openAs(sam.username)
  const links = () =>
    page.evaluate<[string, string, boolean][]>(
      `Array.from(document.querySelectorAll('#app main a'), (link) => [link.textContent, link.href, link.target === '_blank'])`,
    )
  await page.goto(`/forum/${forum.forumID}`)
  await page.getByText('[Forum]').waitFor()
  const inPosts = (await links()).filter(([text]) => text.startsWith('['))
  assert.deepEqual(inPosts, [
    ['[Page of this server]', `${origin}/evil.example/a`, false],
    ['[Page of this server]', `${origin}/evil.example/b`, false],
    ['[Forum]', `${origin}/forums`, false],
  ])
  // A foreign page learns neither where it was named nor who it may talk to.
  const rels = () =>
    page.evaluate<string[][]>(`Array.from(document.querySelectorAll('#app main a[target=_blank]'), (link) => link.rel.split(' ').sort())`)
  const kept = ['nofollow', 'noopener', 'noreferrer']
  assert.deepEqual(await rels(), [kept])
  await page.goto(`/performer/${header.id}`)
  await page.getByRole('link', { name: 'our rules' }).waitFor()
  for (const rel of await rels()) assert.deepEqual(rel, kept)
  const inBio = (await links()).filter(([, href]) => /evil|other|codeOf/.test(href))
  assert.deepEqual(inBio, [
    ['https://evil.example/e', 'https://evil.example/e', true],
    ['https://evil.example/f', 'https://evil.example/f', true],
    ['our rules', `${origin}/codeOfConduct`, false],
    ['a page', 'https://other.example/g', true],
    ['other.example', 'https://other.example/h', true],
  ])
})
