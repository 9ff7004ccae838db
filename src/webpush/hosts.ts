// Push services of browsers. Pure.

/** Of Chrome and Edge on Android and elsewhere, Firefox, Safari, Edge on Windows; a dot before a name: everything below it. */
const known = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  '.push.services.mozilla.com',
  'web.push.apple.com',
  '.push.apple.com',
  '.notify.windows.com',
]

/** Whether an endpoint is one of a push service. `more`: origins that the operator trusts beside these, also without TLS. */
export function isPushService(endpoint: string, more: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const url = new URL(endpoint)
  if (url.username !== '' || url.password !== '') return false
  if (more.includes(url.origin)) return true
  const isKnown = known.some((name) => (name.startsWith('.') ? url.hostname.endsWith(name) : url.hostname === name))
  return url.protocol === 'https:' && url.port === '' && isKnown
}
