// The service worker: keeps the files of the app, so that it opens without a network. Answers of the API are
// not its concern; store.ts keeps those.
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Filled in by launch/web.mjs. */
declare const builtFiles: { url: string; revision: string | null }[]
/** Of the console: kept when they are first asked for. */
declare const laterFiles: string[]

declare const self: { skipWaiting(): Promise<void> } & typeof globalThis

/** Pages of the server that are not the app's. */
const others = [/^\/api\//, /^\/docs/, /^\/openapi\.json/, /^\/asyncapi\.json/, /^\/metrics/, /^\/sdk\//, /^\/public\//, /\.(ics|csv)$/]

const laterCache = 'later'

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => (event as unknown as { waitUntil(work: Promise<void>): void }).waitUntil(dropOld()))
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
