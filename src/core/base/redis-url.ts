// Addresses of Redis: of one server, or of Sentinels that know which one is the primary.

/**
 * `redis-sentinel://[[user]:password@]host[:port][,...]/<name of the primary>[?sentinelPassword=...]`; `rediss-sentinel` with TLS,
 * also to the Sentinels.
 */
const sentinelForm = /^(rediss?)-sentinel:\/\/(?:([^@/]*)@)?([^@/?#]+)\/([^/?#]+)(?:\?sentinelPassword=([^&#]*))?$/
const sentinelPort = 26_379

/** A group of Sentinels, and the primary that they watch. */
export interface Sentinels {
  hosts: { host: string; port: number }[]
  name: string
  username: string | undefined
  password: string | undefined
  /** Of the Sentinels themselves. */
  sentinelPassword: string | undefined
  tls: boolean
}

/** What an address of Sentinels says; undefined for any other text. */
export function sentinelsIn(url: string): Sentinels | undefined {
  const [, scheme, user, list, name, sentinelPassword] = sentinelForm.exec(url) ?? []
  if (list === undefined || name === undefined) return undefined
  const urls = list.split(',').map((each) => `redis://${each}`)
  if (!urls.every((each) => URL.canParse(each) && new URL(each).hostname !== '')) return undefined
  const hosts = urls.map((each) => new URL(each)).map(({ hostname, port }) => ({ host: hostname, port: Number(port || sentinelPort) }))
  const [username, password] = (user ?? '').split(/:(.*)/s).map(decoded)
  return {
    hosts,
    name,
    username: username || undefined,
    password: password || undefined,
    sentinelPassword: decoded(sentinelPassword ?? '') || undefined,
    tls: scheme === 'rediss',
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether this is the address of a Redis, or of Sentinels. */
export const isRedisUrl = (url: string): boolean =>
  sentinelsIn(url) !== undefined || (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol))

/** The hosts that an address names: it holds a password. */
export const redisHostsOf = (url: string): string =>
  sentinelsIn(url)
    ?.hosts.map(({ host, port }) => `${host}:${port}`)
    .join(', ') ?? new URL(url).host

/** The password of the primary that an address holds. */
export const redisPasswordOf = (url: string): string => (sentinelsIn(url) ?? new URL(url)).password ?? ''
