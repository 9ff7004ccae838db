// A trip that changes its clocks: each moment is shown in the zone that holds then, and what is typed means the clocks of that day.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { settingsChanged } from '../support/fez.ts'
import { hasValue, webTests } from '../support/web.ts'

const web = webTests()
const hourMs = 60 * 60_000

/** Noon UTC, some days from now. */
const noonIn = (days: number) => new Date(Math.floor(Date.now() / (24 * hourMs) + days) * 24 * hourMs + 12 * hourMs)
const atUtc = (day: Date, hours: number) => new Date(day.getTime() + hours * hourMs).toISOString()
/** As a field for date and time has it. */
const field = (day: Date, clock: string) => `${day.toISOString().slice(0, 10)}T${clock}`

/** Until the test ends the clocks change in three days at noon, from one zone to another. */
async function changeClocks(t: TestContext, before: string, after: string): Promise<void> {
  const forget = () => web.nodes.sql`delete from time_zone_change`
  t.after(async () => {
    await forget()
    await settingsChanged(web.nodes)
  })
  await forget()
  await web.nodes
    .sql`insert into time_zone_change (active_date, abbreviation, zone_id) values ('2020-01-01', 'AAA', ${before}), (${noonIn(3)}, 'BBB', ${after})`
  await settingsChanged(web.nodes)
}

for (const [what, before, after, shift] of [
  ['forward', 'Etc/GMT+4', 'Etc/GMT+3', 1],
  ['back', 'Etc/GMT+3', 'Etc/GMT+4', -1],
] as const)
  test(`clocks that go ${what}: times of other days, and what is typed for them`, async (t) => {
    const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
    await changeClocks(t, before, after)
    const offset = before === 'Etc/GMT+4' ? -4 : -3
    const at = (day: Date) => ({ startTime: day.toISOString(), endTime: new Date(day.getTime() + 2 * hourMs).toISOString() })
    const early = await createChat(sam.one, { title: 'Before', ...at(noonIn(2)) })
    const late = await createChat(sam.one, { title: 'After', ...at(noonIn(5)) })
    // The server moves what is stored with the clocks; what it sends is the moment.
    const sent = async (id: string) => new Date((await body(heidi.one.get(`/fez/${id}`))).startTime)
    const clockOf = (moment: Date, hours: number) => atUtc(moment, hours).slice(11, 16)

    const { page } = await web.openAs(heidi.username)
    await page.goto(`/lfg/${early}`)
    await page.locator('.about', { hasText: clockOf(await sent(early), offset) }).waitFor()
    await page.goto(`/lfg/${late}`)
    await page.locator('.about', { hasText: clockOf(await sent(late), offset + shift) }).waitFor()

    await page.goto('/fez/new')
    await page.getByLabel('Title').fill('Typed')
    await page.getByLabel('About').fill('By the clocks of that day')
    const day = noonIn(6)
    await page.getByLabel('Starts').fill(field(day, '23:30'))
    await hasValue(page.getByLabel('Ends'), field(new Date(day.getTime() + 24 * hourMs), '00:30'))
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.about', { hasText: '23:30' }).waitFor()
    const { fezzes } = await body(heidi.one.get('/fez/owner'))
    assert.equal(clockOf(new Date(fezzes[0].startTime), offset + shift), '23:30')
  })

test('/time: how far the clocks are apart, and when those of the ship change next', async (t) => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  await changeClocks(t, 'Etc/GMT+4', 'Etc/GMT+3')
  for (const [timezoneId, says] of [
    ['Etc/GMT+4', 'Both show the same time.'],
    ['Etc/GMT+6', /^Aboard it is 2 hours later than on this device/],
    ['Etc/GMT-1', /^Aboard it is 5 hours earlier than on this device/],
  ] as const) {
    const { page, context } = await web.openAs(heidi.username, { timezoneId })
    await page.goto('/time')
    await page.getByText(says).waitFor()
    await page.getByText(/^The clocks change next on .*: it becomes (09:00|9:00) .*Etc\/GMT\+3/).waitFor()
    await context.close()
  }
})
