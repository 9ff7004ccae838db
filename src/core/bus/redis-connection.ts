// Connections to Redis: to one server, to whichever a group of Sentinels says is the primary, or to the one of a Cluster that has our keys.
import { Redis, type RedisOptions } from 'ioredis'
import { clusterIn, isClusterUrl, sentinelsIn, type RedisHosts } from '../base/redis-url.ts'
import { connectorToOwnerOf } from './cluster-connector.ts'

/** A server that has not answered for so long hangs, or its machine is gone. Workers let it wait for jobs for up to ten seconds. */
const silentMs = 20_000

/** The beginning of all keys of an installation, where nothing else is wanted. In a Cluster the braces keep them all on one server. */
export const redisPrefixFor = (url = ''): string => (isClusterUrl(url) ? '{qd}' : 'qd')

/**
 * A server says so that is not, or no more, the one that has the keys: the connection ends, and the next attempt goes to the one that
 * has them. What was refused is not done, and not sent again.
 */
const isElsewhere = ({ message }: Error): boolean => /^(READONLY|MOVED|CLUSTERDOWN)/.test(message)

/**
 * A connection to the server of an address: the only place that makes one. When another server becomes the primary, a connection to
 * the one before ends, and its next attempt goes to the new one.
 */
export function openRedis(url: string, options: RedisOptions): Redis {
  const common: RedisOptions = { reconnectOnError: isElsewhere, socketTimeout: silentMs, ...options }
  const [sentinels, cluster] = [sentinelsIn(url), clusterIn(url)]
  if (sentinels)
    return new Redis({
      ...common,
      ...accountOf(sentinels),
      sentinels: sentinels.hosts,
      name: sentinels.name,
      sentinelRetryStrategy: options.retryStrategy ?? ((attempt) => Math.min(50 * attempt, 1000)),
      ...(sentinels.sentinelPassword === undefined ? {} : { sentinelPassword: sentinels.sentinelPassword }),
      ...(sentinels.tls ? { enableTLSForSentinelMode: true } : {}),
    })
  if (cluster) return new Redis({ ...common, ...accountOf(cluster), Connector: connectorToOwnerOf(redisPrefixFor(url), cluster.hosts) })
  return new Redis(url, common)
}

const accountOf = ({ username, password, tls }: RedisHosts): RedisOptions => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  ...(tls ? { tls: {} } : {}),
})
