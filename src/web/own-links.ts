// Addresses of this server in what people write: shown by the name of what they lead to.
import { showAddresses } from './kit/words.tsx'
import { t, type TextKey } from './texts.ts'

/** Other names of this server, as it says itself. */
export const ownHosts = new Set<string>()

/** Words for pages of ours, by how their addresses begin. The first that fits counts. */
const names: readonly (readonly [begins: RegExp, word: TextKey])[] = [
  [/^\/(lfg|fez)\/[\da-f-]{36}/i, 'link.group'],
  [/^\/(lfg|fez)\b/, 'link.groups'],
  [/^\/tweets\b/, 'link.microblog'],
  [/^\/forums\/[\da-f-]{36}/i, 'link.category'],
  [/^\/forums?\b/, 'link.forum'],
  [/^\/seamail\b/, 'link.seamail'],
  [/^\/events\b/, 'link.event'],
  [/^\/(user|username|profile)\b/, 'link.person'],
  [/^\/boardgames\b/, 'link.games'],
  [/^\/karaoke\b/, 'link.karaoke'],
  [/^\/poll\b/, 'link.poll'],
  [/^\/./, 'link.page'],
]

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
  const word = names.find(([begins]) => begins.test(path))?.[1]
  return [path, word ? `[${t(word)}]` : address]
})
