// Notices while the app is closed, in a browser: asked for, chosen, shown by the service worker in the reader's language.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { userKind } from '../../src/users/channel.ts'
import { startTestNodes } from '../support/app.ts'
import { createSeamail, people, say, type Person } from '../support/fez.ts'
import { PushDevice, pushEnv, startPushService, type PushService } from '../support/push-service.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

let service: PushService
const web = webTests(async () => {
  service = await startPushService()
  return await startTestNodes(1, { workers: 1, env: pushEnv(service) })
})
after(() => service.close())

interface Shown {
  title: string
  body: string
  data: string
  tag: string
}

/** Headless browsers have no push service, and show nothing: the first and the last step are played here. */
async function subscribing(username: string, locale = 'en-GB'): Promise<{ page: Page; device: PushDevice }> {
  const device = new PushDevice(service)
  const { endpoint, p256dh, auth } = device.subscription([]) as Record<string, string>
  const { page } = await web.openAs(username, { locale, serviceWorkers: 'allow' })
  await page.addInitScript(`
    Object.defineProperty(Notification, 'permission', { value: 'granted' })
    Notification.requestPermission = async () => 'granted'
    const made = () => localStorage.getItem('made') === null ? null : {
      endpoint: ${JSON.stringify(endpoint)},
      toJSON: () => ({ endpoint: ${JSON.stringify(endpoint)}, keys: ${JSON.stringify({ p256dh, auth })} }),
      unsubscribe: async () => localStorage.removeItem('made'),
    }
    PushManager.prototype.getSubscription = async () => made()
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      localStorage.setItem('made', applicationServerKey)
      return made()
    }`)
  await page.goto('/notices')
  return { page, device }
}

const workerOf = async (page: Page) => page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
/** The server that tells devices reads them a moment after they were written. */
const isTold = (person: Person, type: string): boolean =>
  web.nodes.apps.some(({ node }) =>
    node.channels
      .of(userKind)
      .peek(person.id)
      ?.sockets.devices.some((device) => (device as unknown as { row: { types: string[] } }).row.types.includes(type)),
  )

const rows = (person: Person) => web.nodes.sql<{ types: string[]; quietFrom: string | null; timeZone: string }[]>`
  select types, quiet_from, time_zone from push_device where account_id = ${person.id}`

/** As the push service hands it over, in the worker. */
async function deliver(page: Page, notice: object): Promise<Shown> {
  const worker = await workerOf(page)
  await worker.evaluate(`
    self.shown = undefined
    registration.showNotification = async (title, more) => (self.shown = { title, ...more })
    self.clients.matchAll = async () => []`)
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    }),
  )
  await session.send('ServiceWorker.disable')
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  await session.send('ServiceWorker.deliverPushMessage', { origin: web.url, registrationId, data: JSON.stringify(notice) })
  const shown = () => worker.evaluate<Shown | undefined>('self.shown')
  await until(async () => (await shown()) !== undefined, 'it is shown')
  return (await shown()) as Shown
}

test('asked for, chosen, and shown without what was written; turned off again', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const fezID = await createSeamail(bob.one, [ann])
  const { page, device } = await subscribing(ann.username)
  await page.getByRole('button', { name: 'Show notices on this device' }).click()
  await page.getByLabel('Also while the app is closed').check()
  await until(async () => (await rows(ann))[0]?.types.includes('seamailUnreadMsg') ?? false, 'the server knows the device')
  await page.getByLabel('Messages').uncheck()
  await until(async () => (await rows(ann))[0]?.types.includes('seamailUnreadMsg') === false, 'and what is wanted')
  assert.ok((await rows(ann))[0]?.types.includes('announcement'))
  await page.getByLabel('Messages').check()
  await page.getByLabel('Quiet hours').check()
  await until(async () => (await rows(ann))[0]?.quietFrom === '22:00', 'and the quiet hours')
  await page.getByLabel('Quiet hours').uncheck()
  await until(async () => (await rows(ann))[0]?.quietFrom === null, 'which are over')

  await until(() => isTold(ann, 'seamailUnreadMsg'), 'it is told')
  await say(bob.one, fezID, 'meet me at nine')
  await until(() => device.notices.length === 1, 'it is sent')
  const [notice] = device.notices as [object]
  const { title, body, data, tag } = await deliver(page, notice)
  assert.deepEqual([title, body, data, tag], ['New message', 'Open the app to read it.', `/seamail/${fezID}`, `seamailUnreadMsg ${fezID}`])
  await page.getByLabel('Also while the app is closed').uncheck()
  await until(async () => (await rows(ann)).length === 0, 'the server knows it no more')
})

test('with texts, in the language of the reader', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const fezID = await createSeamail(bob.one, [ann])
  await onlySettings(web.nodes, { pushTexts: true })
  try {
    const { page, device } = await subscribing(ann.username, 'de-DE')
    await page.getByRole('button', { name: /Hinweise/ }).click()
    await page.getByLabel('Auch bei geschlossener App').check()
    await until(() => isTold(ann, 'seamailUnreadMsg'), 'it is told')
    await say(bob.one, fezID, 'um neun?')
    await until(() => device.notices.length === 1, 'it is sent')
    const { title, body } = await deliver(page, device.notices[0] as object)
    assert.deepEqual([title, body], ['Neue Nachricht', `${bob.username}: um neun?`])
  } finally {
    await onlySettings(web.nodes)
  }
})
