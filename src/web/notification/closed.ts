// Notices while the app is closed: the browser's push service is asked for an address, and the server is told it.
import { effect } from '@preact/signals'
import { client } from '../client.ts'
import { me } from '../session.ts'
import { language, t, type Language, type TextKey } from '../texts.ts'
import { wordsCache, wordsPath, type PushWords } from './for-worker.ts'
import { hrefOf } from './query.ts'
import { kindNames, kinds, wish, wishes } from './wishes.ts'

/** Whether this browser could. */
export const canClosed = 'PushManager' in window && 'serviceWorker' in navigator

/** Calls cannot wait. */
const pushed = kindNames.filter((kind) => kind !== 'calls')
const notices: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<string, string> }>>> = {
  de: () => import('../texts/notices.de.json'),
}

/** Asks the push service and tells the server. @throws when one of them refuses. */
export async function turnOnClosed(publicKey: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  // One that was made for another key is of no use.
  await (await pushManager.getSubscription())?.unsubscribe()
  await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  await tell()
  wish({ closed: true })
}

export async function turnOffClosed(): Promise<void> {
  wish({ closed: false })
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription()
  if (!subscription) return
  await client.notification.removePush({ endpoint: subscription.endpoint }).catch(() => undefined)
  await subscription.unsubscribe()
}

/** Tells the server what is wanted now, and the worker in which words. */
async function tell(): Promise<void> {
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription()
  const { endpoint, keys } = subscription?.toJSON() ?? {}
  if (!endpoint || !keys) return wish({ closed: false })
  await (await caches.open(wordsCache)).put(wordsPath, new Response(JSON.stringify(await wordsNow())))
  const { isOn, without, quiet } = wishes.value
  await client.notification.setPush({
    endpoint,
    p256dh: keys['p256dh'] ?? '',
    auth: keys['auth'] ?? '',
    types: isOn ? pushed.filter((kind) => !without.includes(kind)).flatMap((kind) => [...kinds[kind]]) : [],
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(quiet ? { quietFrom: quiet.from, quietTo: quiet.to } : {}),
  })
}

async function wordsNow(): Promise<PushWords> {
  const of = (type: string, kind: string) => ({
    title: t(`notices.of.${kind}` as TextKey),
    href: hrefOf({ type, contentID: '{id}' }) ?? '/',
  })
  return {
    types: Object.fromEntries(pushed.flatMap((kind) => kinds[kind].map((type) => [type, of(type, kind)]))),
    body: t('notices.closedBody'),
    sentences: language.value === 'en' ? {} : (await notices[language.value]()).default,
    isSilent: !wishes.value.sound,
  }
}

/** Follows what is wished, for as long as the page is there. Also says anew what a server has forgotten. */
export function startClosed(): void {
  if (!canClosed) return
  effect(() => {
    const { closed } = wishes.value
    if (closed && me.value && language.value) void tell().catch(() => undefined)
  })
  // Whoever comes next reads nothing of it, also when the server is told later.
  me.subscribe((user) => {
    if (!user) void navigator.serviceWorker.ready.then(async ({ pushManager }) => (await pushManager.getSubscription())?.unsubscribe())
  })
}
