// Feedback in the browser: which events one is offered, in which order.
import { test } from 'node:test'
import { body, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { hasCount, webTests } from '../support/web.ts'

const web = webTests()

test('/eventfeedback: what one followed stands before the rest, each once', async () => {
  const [admin, heidi] = (await people(web.nodes, { level: 'admin' }, {})) as [Person, Person]
  const at = (hours: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 - hours * 3_600_000).toISOString()
  const workshop = (uid: string, hours: number) => ({
    uid,
    title: `Workshop ${uid}`,
    location: 'Card Room',
    category: 'SHADOW CRUISE',
    start: at(hours),
    end: at(hours - 1),
  })
  await apply(admin, [workshop('one', 2), workshop('two', 4), workshop('three', 6)])
  const { eventID } = await body(heidi.one.get('/events/two'))
  const { page } = await web.openAs(heidi.username)
  await page.goto('/eventfeedback')
  const part = (name: string) => page.locator('section', { has: page.getByRole('heading', { name, exact: true }) }).getByRole('link')
  await part('What was on last').nth(2).waitFor()
  await hasCount(part('What you followed'), 0)
  await body(heidi.one.post(`/events/${eventID}/favorite`), 201)
  await page.reload()
  await part('What you followed')
    .getByText(/Workshop two/)
    .waitFor()
  await hasCount(part('What you followed'), 1)
  await hasCount(part('What was on last'), 2)
  await part('What you followed').click()
  await page.waitForURL(`**/events/${eventID}/feedback`)
})
