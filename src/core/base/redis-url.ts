// Addresses of Redis: of one server, of Sentinels that know which one is the primary, or of a Cluster.

/**
 * `redis-sentinel://[[user]:password@]host[:port][,...]/<name of the primary>[?sentinelPassword=...]`; `rediss-sentinel` with TLS,
 * also to the Sentinels.
 */
const sentinelForm = /^(rediss?)-sentinel:\/\/(?:([^@/]*)@)?([^@/?#]+)\/([^/?#]+)(?:\?sentinelPassword=([^&#]*))?$/
const sentinelPort = 26_379

/** `redis-cluster://[[user]:password@]host[:port][,...]`, some hosts of a Cluster; `rediss-cluster` with TLS. */
const clusterForm = /^(rediss?)-cluster:\/\/(?:([^@/]*)@)?([^@/?#]+)$/
const redisPort = 6379

/** Where a server of Redis is. */
export interface RedisHost {
  host: string
  port: number
}

/** Servers that know where the keys are. */
export interface RedisHosts {
  hosts: RedisHost[]
  username: string | undefined
  password: string | undefined
  tls: boolean
}

/** A group of Sentinels, and the primary that they watch. User and password are of that one. */
export interface Sentinels extends RedisHosts {
  name: string
  /** Of the Sentinels themselves. */
  sentinelPassword: string | undefined
}

/** What an address of Sentinels says; undefined for any other text. */
export function sentinelsIn(url: string): Sentinels | undefined {
  const [, scheme, user, list, name, sentinelPassword] = sentinelForm.exec(url) ?? []
  if (name === undefined) return undefined
  const hosts = hostsIn(scheme, user, list, sentinelPort)
  return hosts && { ...hosts, name, sentinelPassword: decoded(sentinelPassword ?? '') || undefined }
}

/** What an address of a Cluster says; undefined for any other text. */
export function clusterIn(url: string): RedisHosts | undefined {
  const [, scheme, user, list] = clusterForm.exec(url) ?? []
  return hostsIn(scheme, user, list, redisPort)
}

function hostsIn(scheme: string | undefined, user = '', list: string | undefined, defaultPort: number): RedisHosts | undefined {
  if (list === undefined) return undefined
  const urls = list.split(',').map((each) => `redis://${each}`)
  if (!urls.every((each) => URL.canParse(each) && new URL(each).hostname !== '')) return undefined
  const hosts = urls
    .map((each) => new URL(each))
    .map(({ hostname, port }) => ({
      // Without the brackets of an address of IPv6.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || defaultPort),
    }))
  const [username, password] = user.split(/:(.*)/s).map(decoded)
  return { hosts, username: username || undefined, password: password || undefined, tls: scheme === 'rediss' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether this is the address of a Redis, of Sentinels or of a Cluster. */
export const isRedisUrl = (url: string): boolean =>
  severalIn(url) !== undefined || (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol))

/** The hosts that an address names: it holds a password. */
export const redisHostsOf = (url: string): string =>
  severalIn(url)
    ?.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(', ') ?? new URL(url).host

/** The password of the primary that an address holds. */
export const redisPasswordOf = (url: string): string => (severalIn(url) ?? new URL(url)).password ?? ''

/** Whether an address is that of a Cluster. */
export const isClusterUrl = (url: string): boolean => clusterIn(url) !== undefined

const severalIn = (url: string): RedisHosts | undefined => sentinelsIn(url) ?? clusterIn(url)
