// Addresses of this server in what people write: shown by the name of what they lead to.
import { wordOf } from './kit/feature.tsx'
import { showAddresses } from './kit/words.tsx'
import { t } from './texts.ts'

/** Other names of this server, as it says itself. */
export const ownHosts = new Set<string>()

/** The path of an address of this server; empty for others. */
function ownPathIn(address: string): string {
  try {
    const { host, hostname, pathname, search, hash } = new URL(address)
    return host === location.host || ownHosts.has(hostname) ? pathname.replace(/\/{2,}/g, '/') + search + hash : ''
  } catch {
    return ''
  }
}

showAddresses((address) => {
  const path = ownPathIn(address)
  return [path, path.length > 1 ? `[${t(wordOf(path) ?? 'link.page')}]` : address]
})
