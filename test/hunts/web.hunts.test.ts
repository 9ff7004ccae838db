// Puzzle hunts in the browser: wrong answers, hints, and the right one.
import { test } from 'node:test'
import { body, people, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('/hunts: a puzzle is found, tried and solved', async () => {
  const [heidi, team] = (await people(web.nodes, {}, { level: 'serviceteam' })) as [Person, Person]
  await body(
    team.one.post('/hunts/create', {
      title: 'The missing bell',
      description: 'Somebody has taken the bell.',
      puzzles: [
        { title: 'On the bridge', body: 'What rings **at noon**?', answer: 'The Bell', hints: { clock: 'Older than a clock.' } },
        { title: 'Below deck', body: 'And now?', answer: 'Rope', hints: {}, unlockTime: new Date(Date.now() + 3_600_000).toISOString() },
      ],
    }),
    201,
  )
  const { page } = await web.openAs(heidi.username)
  await page.goto('/hunts')
  await page.getByRole('link', { name: 'The missing bell' }).click()
  await page.getByText('Somebody has taken the bell.').waitFor()
  await page.getByText(/The next puzzle opens on/).waitFor()
  await page.getByRole('link', { name: 'On the bridge' }).click()
  await page.locator('strong, b', { hasText: 'at noon' }).waitFor()
  const attempt = async (answer: string) => {
    await page.getByLabel('Your answer').fill(answer)
    await page.getByRole('button', { name: 'Try it' }).click()
  }
  await attempt('a whistle')
  await page.getByText('Not this one').waitFor()
  await attempt('clock')
  await page.getByText('Older than a clock.').waitFor()
  await attempt('the bell!')
  await page.getByText('Right!').waitFor()
  await page.getByLabel('Your answer').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByText('Solved: The Bell').waitFor()
})
