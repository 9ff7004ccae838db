// The service worker: keeps the files of the app, so that it opens without a network. Answers of the API are
// not its concern; store.ts keeps those.
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { wordsPath, type ForWorker, type PushWords } from './notification/for-worker.ts'
import { sentenceOf, type Translate } from './notification/sentence.ts'

/** Filled in by launch/web.mjs. */
declare const builtFiles: { url: string; revision: string | null }[]
/** Of the console: kept when they are first asked for. */
declare const laterFiles: string[]

/** A window of the app. */
interface Shown {
  id: string
  visibilityState: DocumentVisibilityState
  focus(): Promise<unknown>
  postMessage(what: { open: string }): void
}

declare const self: {
  skipWaiting(): Promise<void>
  registration: ServiceWorkerRegistration
  clients: { matchAll(which: { type: 'window' }): Promise<readonly Shown[]>; openWindow(href: string): Promise<unknown> }
} & typeof globalThis

/** Pages of the server that are not the app's. */
const others = [
  /^\/api\//,
  /^\/docs/,
  /^\/openapi\.json/,
  /^\/asyncapi\.json/,
  /^\/metrics/,
  /^\/sdk\//,
  /^\/public\//,
  /^\/oidc\//,
  /\.(ics|csv)$/,
]

const laterCache = 'later'

/** What the server has sent over a push service. */
interface Pushed {
  type: string
  contentID: string
  info?: string
}

/** The worker stays for as long as the work takes. */
const on = <E>(name: string, work: (event: E) => Promise<unknown>) =>
  self.addEventListener(name, (event) => (event as unknown as { waitUntil(until: Promise<unknown>): void }).waitUntil(work(event as E)))

on('install', () => self.skipWaiting())
on('activate', dropOld)
on('message', asked)
on('notificationclick', answered)
on('push', pushed)
cleanupOutdatedCaches()
precacheAndRoute(builtFiles)
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: others }))
registerRoute(({ url }) => laterFiles.includes(url.pathname), kept)

async function kept({ request }: { request: Request }): Promise<Response> {
  const cache = await caches.open(laterCache)
  const found = await cache.match(request)
  if (found) return found
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}

/** Removes files of earlier versions. */
async function dropOld(): Promise<void> {
  const cache = await caches.open(laterCache)
  for (const request of await cache.keys()) if (!laterFiles.includes(new URL(request.url).pathname)) await cache.delete(request)
}

/** Browsers demand that each one shows something, unless somebody looks at the app. */
async function pushed({ data }: { data: { json(): Pushed } | null }): Promise<void> {
  const { type, contentID, info }: Pushed = data?.json() ?? { type: '', contentID: '' }
  const windows = await self.clients.matchAll({ type: 'window' })
  if (windows.some(({ visibilityState }) => visibilityState === 'visible')) return
  const words = (await (await caches.match(wordsPath))?.json()) as PushWords | undefined
  const { title = 'Quarterdeck', href = '/' } = words?.types[type] ?? {}
  const translate: Translate = (key, values) => words?.sentences[key]?.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '')
  await self.registration.showNotification(title, {
    body: info === undefined ? (words?.body ?? '') : sentenceOf({ type, info }, translate),
    tag: `${type} ${contentID}`,
    icon: '/icon-192.png',
    silent: words?.isSilent ?? false,
    data: href.replace('{id}', contentID),
  })
}

async function asked({ data: what, source }: { data: ForWorker; source: { id: string } | null }): Promise<void> {
  if ('close' in what) {
    const shown = await self.registration.getNotifications({ tag: what.close })
    for (const each of shown) each.close()
    return
  }
  // Whoever looks at another window of the app sees it there.
  const windows = await self.clients.matchAll({ type: 'window' })
  if (windows.some(({ id, visibilityState }) => id !== source?.id && visibilityState === 'visible')) return
  const { title, href, stays, vibrate, ...more } = what.show
  // What vibrates and is silent at once is refused.
  const moved = more.silent || vibrate.length === 0 ? {} : { vibrate }
  await self.registration.showNotification(title, { ...more, ...moved, icon: '/icon-192.png', data: href, requireInteraction: stays })
}

/** Leads to the page in a window that is there, else in a new one. */
async function answered({ notification }: { notification: Notification }): Promise<void> {
  notification.close()
  const href = notification.data as string
  const [window] = await self.clients.matchAll({ type: 'window' })
  if (!window) return void (await self.clients.openWindow(href))
  await window.focus().catch(() => undefined)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's message to its own window has no other origin
  window.postMessage({ open: href })
}
