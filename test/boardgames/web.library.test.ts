// The schedule by kind, a group for a game, and the log of what was sung, in the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { hasValue, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))

test('/events: events of one kind; two that one follows at the same time are said to overlap', async () => {
  const [admin, heidi] = (await people(web.nodes, { level: 'admin' }, {})) as [Person, Person]
  const event = (uid: string, title: string, category: string, hour: number) => ({
    uid,
    title,
    category,
    location: 'Deck 4',
    start: `2025-03-05T${hour}:00:00Z`,
    end: `2025-03-05T${hour + 2}:00:00Z`,
  })
  await apply(admin, [event('knit', 'Knitting', 'SHADOW CRUISE', 18), event('concert', 'Opening night', 'MAIN CONCERT', 19)])
  const { page } = await web.openAs(heidi.username)
  await page.goto('/events')
  await page.getByText('Opening night').waitFor()
  await page.getByLabel('Kind').selectOption('By people aboard')
  await page.getByText('Opening night').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Follow Knitting' }).click()
  await page.getByLabel('Kind').selectOption('Every kind')
  await page.getByRole('button', { name: 'Follow Opening night' }).click()
  await page.getByText('Overlaps Knitting').waitFor()
  await page.goto('/dayplanner')
  await page.getByRole('button', { name: 'With past' }).click()
  await page.getByText('Overlaps Opening night').waitFor()
})

test('/boardgames: a game tells about itself and begins a group with its name and number of players', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { gameArray } = await body(heidi.one.get('/boardgames?limit=50'))
  const game = gameArray.find(({ maxPlayers }: { maxPlayers?: number }) => maxPlayers)
  const { page } = await web.openAs(heidi.username)
  await page.goto('/boardgames')
  await page.getByRole('button', { name: 'Recommend' }).click()
  await page.getByText('Any complexity').waitFor()
  await page.getByLabel('Any complexity').fill('3')
  await page.getByLabel('Complexity 3 or more').waitFor()
  await page.getByLabel('Grown-ups only').fill('8')
  await page.getByLabel('The youngest is 8 years old').waitFor()
  await page.getByRole('button', { name: 'All' }).click()
  await page.getByText(game.gameName, { exact: true }).click()
  await page.getByRole('link', { name: 'Start a group' }).click()
  await hasValue(page.getByLabel('Title'), game.gameName)
  await hasValue(page.getByLabel('At most'), String(game.maxPlayers))
  await hasValue(page.getByLabel('Kind'), 'gaming')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: game.gameName }).waitFor()
  await until(async () => (await body(heidi.one.get('/fez/owner'))).fezzes[0]?.fezType === 'gaming', 'the group is there')
})

test('/karaoke: somebody with the role logs what was sung; others have no button for it', async () => {
  const [manager, heidi] = (await people(web.nodes, { roles: ['karaokemanager'] }, {})) as [Person, Person]
  const { songs } = await body(manager.one.get('/karaoke?search=love'))
  const { songName } = songs[0]
  const { page } = await web.openAs(manager.username)
  await page.goto('/karaoke')
  await page.getByLabel('Search songs').fill('love')
  await page
    .getByRole('button', { name: `Log ${songName} as sung` })
    .first()
    .click()
  await page.getByLabel('Sung by').fill('Heidi and Sam')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Sung', exact: true }).click()
  await page.getByLabel('Search songs').fill('')
  await page.getByText('Heidi and Sam').waitFor()
  const other = (await web.openAs(heidi.username)).page
  await other.goto('/karaoke')
  await other.getByLabel('Search songs').fill('love')
  await other
    .getByRole('button', { name: `Favorite ${songName}` })
    .first()
    .waitFor()
  assert.equal(await other.getByRole('button', { name: /^Log / }).count(), 0)
})
