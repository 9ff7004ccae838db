// Builds one server node from its configuration. Tests build several in one process.
import { join } from 'node:path'
import type { TemplatedApp } from 'uWebSockets.js'
import type { Redis } from 'ioredis'
import { createAuthenticator } from './auth/authenticator.ts'
import { healthPages } from './client/health.service.ts'
import { Accounts } from './accounts/accounts.ts'
import { chatHeads } from './fez/heads.ts'
import { ForumHeads } from './forum/heads.ts'
import { PostCache } from './post/cache.ts'
import { AccessLog } from './core/base/access-log.ts'
import type { Bus } from './core/bus/bus.ts'
import { detourIn } from './core/bus/detour.queries.ts'
import { RedisBus } from './core/bus/bus-redis.ts'
import { openRedis, redisPrefixFor } from './core/bus/redis-connection.ts'
import { createLeases } from './core/bus/leases.ts'
import { systemRandom, type Clock, type Random } from './core/base/clock.ts'
import { projectRoot, type Config } from './core/base/config.ts'
import type { Node } from './core/work/ctx.ts'
import { WrittenTables } from './core/db/written.ts'
import { DatabaseClock } from './core/db/database-clock.ts'
import { createDb } from './core/db/db.ts'
import { ResponseCache } from './core/http/response-cache.ts'
import { docsPages } from './core/docs/docs.ts'
import { createFiles, keepFromOthers } from './core/files/files.ts'
import { openStore } from './core/files/open-store.ts'
import { OperatorError } from './supervisor/operator-error.ts'
import { serveHttp, type Page } from './core/http/http.ts'
import { createImageQueue } from './image/queue.ts'
import { requireRoom } from './image/room.service.ts'
import { JobWakeUp } from './core/outbox/job-wake-up.ts'
import { SingleFlight } from './core/base/single-flight.ts'
import { createLog, type Log } from './core/base/log.ts'
import { outboxBacklog } from './core/outbox/jobs.ts'
import type { Figures } from './core/work/process.ts'
import { createMetrics, measureLongReads, measureOutbox, type Metrics } from './core/base/metrics.ts'
import { webApp } from './core/http/web.ts'
import { createRateLimiter } from './core/work/rate-limit.ts'
import { Versions, invalidationId, invalidationTopic, slotOf } from './core/live/versions.ts'
import { followReadAgain } from './core/live/read-again.ts'
import { Channels } from './core/live/registry.ts'
import { Writers } from './core/work/writers.ts'
import { openListener, watchCertificate } from './core/http/listener.ts'
import { watchOpenFiles } from './core/http/open-files.ts'
import { Reply } from './core/http/route.ts'
import { serveSockets, type SocketEdge } from './core/http/sockets.ts'
import { startFigures } from './console/figures.ts'
import { startFiguresPush } from './console/figures-push.service.ts'
import { keepMinute } from './console/figures.service.ts'
import { watchedWords } from './hits/watched-words.ts'
import { NewestPages } from './microblog/newest.ts'
import { startWatching } from './fez/watching.ts'
import { startSwitchboard, switchboardOf } from './phone/switchboard.ts'
import { reportsKind } from './moderation/reports.channel.ts'
import { browsersTopic, notificationFrame, slowModeFrame } from './notices/frames.ts'
import { slowModeTopic } from './post/pace.service.ts'
import { teamBrowsersTopic } from './users/sockets.ts'
import { PushDevices } from './webpush/devices.ts'
import { errorCodes, features, routes, socketRoutes, tables, webPaths } from './features.ts'
import { settingsId, settingsKind, settingsOf } from './settings/channel.ts'
import { tokenSecretFor } from './auth/secret.ts'
import { otherPaths } from './web/addresses.ts'
import { inBothWords, inDialect } from './text/dialect.ts'
import { keyedUsers, userTopic } from './accounts/events.ts'
import { keyedChats } from './fez/channel.ts'
import { fieldExamples } from './text/examples.ts'

export interface NodeOptions {
  config: Config
  databaseUrl: string
  redisUrl: string
  /** Names the process in logs and metrics. */
  source: string
  /** Keeps several installations apart in one Redis. */
  redisPrefix?: string
  clock?: Clock
  random?: Random
  log?: Log
}

/** A node with everything but sockets and HTTP: what the worker needs too. */
export interface Parts {
  node: Node
  /** Replaced by the socket edge when there is one. */
  sockets: { edge: SocketEdge | undefined }
  /** `allPublished`: no write is under way whose event could no longer be published. */
  close(allPublished?: boolean): Promise<void>
}

/** How long a start waits for Redis before it goes on without. */
const redisPatienceMs = 5000
/** How old settings may be while messages of other nodes are not received. */
const refreshSettingsMs = 1000

/** More than the longest request takes, and than the oldest live rows: what these have loaded is used for so long. */
const sweepAccountsMs = 60_000

const keepFiguresMs = 60_000

/** A machine's clock drifts by a few seconds a day, and may be set. */
const adjustClockMs = 60_000

/** A worker does not hear what is written, and so keeps nothing that was made of it. */
const unheard: Pick<Bus, 'up' | 'onReset'> = { up: false, onReset: () => undefined }

/** Connects a node to its stores and loads its settings. */
export async function buildNode(
  role: 'server' | 'worker',
  {
    config,
    databaseUrl,
    redisUrl,
    source,
    redisPrefix = redisPrefixFor(redisUrl),
    random = systemRandom,
    log = createLog(config.logLevel, source),
    ...options
  }: NodeOptions,
): Promise<Parts> {
  const db = createDb({
    url: databaseUrl,
    poolerUrl: config.databasePoolerUrl,
    standbyUrl: config.databaseStandbyUrl,
    connectTimeoutSeconds: config.databaseTimeoutSeconds,
  })
  if (!(await db.preparePooler())) log.warn('this Postgres gives statements behind the pooler no limit of time')
  const databaseClock = new DatabaseClock()
  const [isKnown] = await Promise.all([db.knowPrimary(), databaseClock.adjust(db.sql, log)])
  if (!isKnown) log.warn('this Postgres does not say whether another server has taken its place: restart the servers when one has')
  const clock = options.clock ?? databaseClock
  const isServer = role === 'server'
  const bus = new RedisBus({ url: redisUrl, prefix: redisPrefix, clock, log, detour: detourIn(db) })
  const commandRedis = connectForCommands(redisUrl, log)
  const metrics: Metrics = createMetrics(source)
  const sockets: Parts['sockets'] = { edge: undefined }
  let pushDevices: PushDevices | undefined
  const accounts = new Accounts(
    () => db.sql,
    () => bus.up,
    config.memory.accountsBytes,
  )
  keepFromOthers(config.imagesDir)
  const store = await openStore(config)
  await store.check().catch((error: unknown) => {
    if (error instanceof OperatorError) throw error
    log.warn({ err: error }, 'the place of images does not answer')
  })
  const images = createImageQueue({ redisUrl, redisPrefix, bus, clock, log })
  const versions = new Versions(isServer ? bus : unheard)
  const writtenTables = new WrittenTables(tables)
  const node: Node = {
    features,
    writtenTables,
    jobsOnlyWith: new Map(
      features.flatMap(({ jobs = [] }) => jobs.flatMap(({ name, onlyWith }) => (onlyWith ? [[name, onlyWith] as const] : []))),
    ),
    config,
    log,
    accessLog: new AccessLog(log, clock),
    clock,
    random,
    db,
    bus,
    metrics,
    accounts,
    images,
    files: createFiles(store, bus),
    room: { require: requireRoom },
    channels: undefined as unknown as Channels<Node>,
    writers: new Writers(),
    versions,
    flights: new SingleFlight(),
    responses: new ResponseCache({
      versions,
      clock,
      common: () => accounts.revision + settingsOf(node).revision,
      maxBytes: config.memory.answersBytes,
    }),
    watchedWords: watchedWords({ versions, clock, db }),
    chatHeads: chatHeads({ versions, clock, db, maxBytes: config.memory.headsBytes }),
    forumHeads: new ForumHeads({ versions, clock, db, accounts, maxBytes: config.memory.headsBytes }),
    newestPages: new NewestPages({ versions, clock, db, accounts, maxBytes: config.memory.pagesBytes }),
    postCaches: { forum: new PostCache(accounts, config.memory), microblog: new PostCache(accounts, config.memory) },
    rateLimiter: createRateLimiter(commandRedis, redisPrefix),
    jobWakeUp: new JobWakeUp(bus),
    leases: createLeases(commandRedis, redisPrefix, clock),
    authenticator: createAuthenticator(),
    tokenSecret: await tokenSecretFor(config, db.sql),
    sockets: {
      publish(topic, frame) {
        sockets.edge?.publish(topic, frame)
        pushDevices?.heard(topic, frame)
      },
      closeShutOut: () => sockets.edge?.closeShutOut(),
    },
    // Of the HTTP edge, which a worker has not.
    inner: undefined as unknown as Node['inner'],
  }
  // Channels are built with their node: the knot is tied here and nowhere else.
  const channels = new Channels(node, bus, clock, {
    keyedKinds: [keyedChats, keyedUsers(writtenTables)],
    onKeyed: ({ tables, writesRows }, id) => {
      if (writesRows) versions.notePart(tables, id)
    },
    onHeard: ({ tables }, id) => versions.noteUnheard(tables, id),
    serverKinds: [invalidationTopic.name],
    isServer,
  })
  Object.assign(node, { channels })
  versions.tellBy(channels)
  if (isServer) versions.follow(channels)
  followReadAgain(channels, bus)
  listenFor(node)
  await channels.start()
  const switchboard = await startSwitchboard(node)
  const watching = await startWatching(node)
  const figures = await startFigures(node, source)
  const stopPushing = startFiguresPush(node)
  await bus
    .whenUp(redisPatienceMs)
    .catch((error: unknown) => log.warn({ err: error }, 'starting without Redis: no messages from other nodes'))
  for (const { load } of features) await load?.(node)
  if (isServer && config.push) pushDevices = new PushDevices(node)
  const timers = [
    clock.every(adjustClockMs, () => {
      databaseClock.adjust(db.sql, log).catch(() => undefined)
    }),
    clock.every(refreshSettingsMs, () => refreshSettings(node)),
    clock.every(sweepAccountsMs, () => void accounts.sweep(channels.accountIds())),
  ]
  return {
    node,
    sockets,
    async close(allPublished) {
      for (const cancel of timers) cancel()
      await switchboard.stop()
      stopPushing()
      await pushDevices?.stop()
      figures.stop()
      watching.stop()
      channels.stop()
      commandRedis.disconnect()
      await images.close()
      store.close()
      // Before the bus: what has been committed by then is still published.
      await db.close()
      versions.tellOthers()
      await bus.close(allPublished)
    },
  }
}

/** For rate limits and leases: refuses at once when Redis is away. */
function connectForCommands(url: string, log: Log): Redis {
  const redis = openRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // In a flood of logins, a write for each count would take as long as all the rest.
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  })
  return redis.on('error', (error) => log.debug({ err: error }, 'connection for rate limits and leases'))
}

/** What a node does about what is written, here and on others. */
function listenFor({ accounts, bus, channels, db, log, sockets, versions, writtenTables }: Node): void {
  db.onStrayWrite = (tables) => {
    const shown = [...writtenTables.shown(tables)]
    if (shown.length === 0) return
    // A mistake: memory is not used for a second, each time. Tests refuse it.
    log.error({ tables: shown }, 'a statement outside of a transaction writes what answers are made of')
    versions.noteStray(shown)
    channels.publish(invalidationTopic.name, invalidationId, shown.map(slotOf))
  }
  channels.listen(userTopic, (id, event) => {
    if (event.type === 'changed') accounts.put(event.account)
    if (event.type === 'ownWritten') versions.notePart(event.tables, id)
  })
  channels.listen(reportsKind, () => sockets.publish(teamBrowsersTopic, notificationFrame('reportsChanged', '', '')))
  channels.listen(slowModeTopic, (place) => sockets.publish(browsersTopic, slowModeFrame(place)))
  bus.onReset(() => accounts.invalidate())
  db.onOtherPrimary = () => {
    log.warn('another server has become the primary of Postgres: everything is read again')
    bus.reset()
  }
}

/** Everybody reads the settings without waiting, so somebody else has to see that they are not stale. */
function refreshSettings({ bus, channels }: Node): void {
  if (bus.up) return
  channels
    .of(settingsKind)
    .get(settingsId)
    .catch(() => undefined)
}

/** A running server. */
export interface App {
  node: Node
  port: number
  /** Not ready, no new connections, requests finished, sockets closed over `spreadMs` or as many need, stores released. */
  stop(spreadMs?: number): Promise<void>
}

/** Starts a server node; resolves when it takes requests. */
export async function startApp(options: NodeOptions): Promise<App> {
  const parts = await buildNode('server', options)
  const { node } = parts
  let stopping = false
  measureOutbox(node.metrics.registry, () => outboxBacklog(node.db.sql, new Date(node.clock.now())))
  if (node.db.longReads) measureLongReads(node.metrics.registry, node.db.longReads)
  const web = webApp(join(projectRoot, 'dist', 'app'), [...new Set([...webPaths, ...otherPaths])], {
    '/': new Reply(302, undefined, { Location: '/docs' }),
  })
  const pages: Page[] = [...healthPages(() => stopping), ...features.flatMap((each) => each.pages ?? []), ...web.pages]
  const about = {
    externalUrl: options.config.externalUrl,
    errorCodes,
    fieldExamples,
    worded: (json: string) => inDialect(options.config, json),
  }
  const http = serveHttp(node, inBothWords(routes), [...pages, ...docsPages(routes, socketRoutes, pages, about)], web.lost)
  Object.assign(node, { inner: http.inner })
  const sockets = (parts.sockets.edge = serveSockets(node, http, socketRoutes))
  const mount = (app: TemplatedApp) => {
    http.mount(app)
    sockets.mount(app)
  }
  const stopKeeping = node.clock.every(keepFiguresMs, () => {
    keepMinute(node).catch((error: unknown) => node.log.warn({ err: error }, 'the figures of a minute could not be kept'))
  })
  const listener = await openListener(options.config, mount).catch(async (error: unknown) => {
    await parts.close()
    throw error
  })
  const stopWatching = [watchCertificate(node, listener), watchOpenFiles(node, listener)]
  return {
    node,
    port: listener.port,
    async stop(spreadMs) {
      stopping = true
      for (const stop of stopWatching) stop()
      stopKeeping()
      listener.close()
      // Calls first, so that the other ends are notified.
      await Promise.all([switchboardOf(node).stop(), http.drain(8000), sockets.closeAll(spreadMs)])
      await http.end(1000)
      await parts.close(http.held.length === 0)
    },
  }
}

/** How the node is doing, for the operator's terminal. */
export async function figuresOf(node: Node): Promise<Figures> {
  const { requests, errors } = node.metrics.answered()
  const sockets = (await node.metrics.socketsOpen.get()).values
  const { waiting } = await outboxBacklog(node.db.sql, new Date(node.clock.now()))
  const online = sockets.find(({ labels }) => labels.path?.toString().endsWith('/notification/socket'))?.value ?? 0
  return { online, requests, errors, queue: waiting }
}
