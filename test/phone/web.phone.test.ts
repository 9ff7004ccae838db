// Calls between two browsers, with microphones that beep: ringing, answering, sound both ways, hanging up.
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { App } from '../../src/app.ts'
import { switchboardOf } from '../../src/phone/switchboard.ts'
import { body, people, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { listens, webTests } from '../support/web.ts'

const web = webTests()
const microphone = { permissions: ['microphone'] }

async function pair(): Promise<[Page, Page, Person, Person]> {
  const [heidi, sam] = (await people(web.nodes, { displayName: 'Heidi' }, { displayName: 'Sam' })) as [Person, Person]
  await body(sam.one.post(`/users/${heidi.id}/favorite`), 201)
  const [one, two] = await Promise.all([web.openAs(heidi.username, microphone), web.openAs(sam.username, microphone)])
  await one.page.goto(`/profile/${sam.username}`)
  await until(() => switchboardOf((web.nodes.apps[0] as App).node).isPresent(sam.id), 'the other one can be called')
  return [one.page, two.page, heidi, sam]
}

/** Loud enough to be the beep of the other's microphone. */
const heard = (page: Page) => async () => Number(await page.locator('.call meter').getAttribute('value')) > 0.05

test('a call rings, is answered, carries sound both ways, and ends for both', async () => {
  const [one, two] = await pair()
  await one.getByRole('button', { name: 'Call Sam' }).click()
  await two.getByRole('dialog', { name: 'Call with Heidi' }).getByText('is calling you').waitFor()
  await two.getByRole('button', { name: 'Answer' }).click()
  await Promise.all([one, two].map((page) => page.getByText('You are talking').waitFor()))
  await until(heard(one), 'the caller hears the other one', 60_000)
  await until(heard(two), 'the one who was called hears the caller', 60_000)
  await two.getByRole('button', { name: 'Hang up' }).click()
  await one.getByText('The call is over.').waitFor()
  await one.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await one.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a call that is declined ends for the caller; one that is cancelled stops ringing', async () => {
  const [one, two] = await pair()
  await one.getByRole('button', { name: 'Call Sam' }).click()
  await two.getByRole('button', { name: 'Decline' }).click()
  await one.getByText('The call is over.').waitFor()
  await one.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await one.getByRole('button', { name: 'Call Sam' }).click()
  await two.getByText('is calling you').waitFor()
  await one.getByRole('button', { name: 'Hang up' }).click()
  await two.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a call to somebody who has not favorited the caller says why it did not get through', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const { page } = await web.openAs(heidi.username, { ...microphone, expected: /WebSocket|400/ })
  await page.goto(`/profile/${sam.username}`)
  await page.getByRole('button', { name: 'Call Sam' }).click()
  await page.getByText(/did not get through/).waitFor()
})

test('a call whose end is lost with the connection does not ring for ever', async () => {
  const [one, two, , sam] = await pair()
  await two.clock.install()
  await two.routeWebSocket(/notification\/socket/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      if (!String(message).includes('phoneCallEnded')) socket.send(message)
    })
  })
  await two.reload()
  await listens(two)
  await until(() => switchboardOf((web.nodes.apps[0] as App).node).isPresent(sam.id), 'the other one can be called')
  await one.getByRole('button', { name: 'Call Sam' }).click()
  await two.getByText('is calling you').waitFor()
  await one.getByRole('button', { name: 'Hang up' }).click()
  await one.getByRole('dialog').waitFor({ state: 'detached' })
  await two.clock.fastForward(70_000)
  await two.getByRole('dialog').waitFor({ state: 'detached' })
})

for (const state of ['rings', 'is talked in'] as const) {
  test(`a call that ${state} when the network lets nothing through any more ends on the page`, async () => {
    const [one, two] = await pair()
    await one.clock.install()
    let pongs = 0
    let isFrozen = false
    await one.routeWebSocket(/phone\/socket/, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((message) => {
        if (!isFrozen) server.send(message)
      })
      server.onMessage((message) => {
        if (String(message) === '{"pong":true}') pongs++
        if (!isFrozen) socket.send(message)
      })
    })
    await one.reload()
    await one.getByRole('button', { name: 'Call Sam' }).click()
    await two.getByText('is calling you').waitFor()
    if (state === 'is talked in') {
      await two.getByRole('button', { name: 'Answer' }).click()
      await one.getByText('You are talking').waitFor()
    }
    await one.clock.fastForward(5000)
    await until(() => pongs > 0, 'the server says that it is there')
    isFrozen = true
    const over = one.getByText('The call is over.')
    await until(async () => {
      await one.clock.fastForward(5000)
      return await over.isVisible()
    }, 'the page knows')
  })
}

test('a page that is not secure says why it cannot call', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const { page, context } = await web.openAs(heidi.username)
  await context.addInitScript(`Object.defineProperty(window, 'isSecureContext', { value: false })`)
  await page.goto(`/profile/${sam.username}`)
  await page.getByRole('button', { name: 'Call Sam' }).click()
  await page.getByText(/need a secure connection/).waitFor()
})
