// The service worker: keeps the files of the app, so that it opens without a network. Answers of the API are
// not its concern; store.ts keeps those.
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Filled in by launch/web.mjs. */
declare const builtFiles: { url: string; revision: string | null }[]

declare const self: { skipWaiting(): Promise<void> } & typeof globalThis

/** Pages of the server that are not the app's. */
const others = [/^\/api\//, /^\/docs/, /^\/openapi\.json/, /^\/asyncapi\.json/, /^\/metrics/, /^\/sdk\//, /^\/public\//, /\.(ics|csv)$/]

self.addEventListener('install', () => void self.skipWaiting())
cleanupOutdatedCaches()
precacheAndRoute(builtFiles)
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: others }))
