// A Redis Cluster: a stand-in of two servers, or a real one of four, by hand, where REDIS_SERVER names the program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { follow, type Running } from '../../src/supervisor/running.ts'
import { ownPort } from './port.ts'
import { ownRedis, type OwnService } from './services.ts'
import { commandIn } from './sentinel.ts'
import { until } from './until.ts'

export interface RedisCluster {
  /** The address for REDIS_URL. Its first host is not there. */
  readonly url: string
  /** What was refused because the servers share keys: a stand-in alone tells it. */
  readonly refused: readonly string[]
  /** The server that has the keys of an installation hands them over, and goes on as one that has none. */
  handOver(): Promise<void>
  /** Whether it refuses everything about keys, as one does most of whose servers are gone. */
  setDown(isDown: boolean): void
  /** The server that has them dies, and another one has them from now on. */
  crash(): Promise<void>
  /** All keys there are. */
  keys(): Promise<string[]>
}

/** What ends it: a test, or a whole file. */
interface Test {
  after(end: () => unknown): void
}

const password = 'of-the-cluster'
const local = '127.0.0.1'
const slots = 16_384

/** A Cluster whose servers have one password. It ends after the test. */
export const startRedisCluster = (t: Test): Promise<RedisCluster> => {
  const program = process.env['REDIS_SERVER']
  return program === undefined ? startStandIn(t) : startReal(t, program)
}

const urlOf = (ports: readonly number[]) => `redis-cluster://:${password}@${[1, ...ports].map((port) => `${local}:${port}`).join(',')}`

// The stand-in: servers that know nothing of each other, each behind something that says where the keys are.

/** Commands that a server of a Cluster carries out whether it has the keys or not. */
const aboutNoKey = new Set('auth client command config exec hello info multi ping pubsub quit scan script select'.split(' '))
/** All that they are given are keys, or named as keys are. */
const ofKeysAlone = new Set('del ssubscribe sunsubscribe unlink'.split(' '))
/** Also replicas carry these out, and those that are cut off from the others. */
const aboutChannels = new Set('spublish ssubscribe sunsubscribe'.split(' '))

async function startStandIn(t: Test): Promise<RedisCluster> {
  const servers = [await ownRedis(t, { password }), await ownRedis(t, { password })] as const
  const refused: string[] = []
  let owner = 0
  let isDown = false
  /** One that had the keys, and believes so still. */
  let stale: number | undefined
  const believed = (index: number) => (index === stale ? index : owner)
  const ports: number[] = []
  for (const [index, server] of servers.entries())
    ports.push(
      await rewriteCommands(t, server, ([name = '', ...args]) => {
        const command = name.toLowerCase()
        if (command === 'cluster')
          return args[0]?.toUpperCase() === 'KEYSLOT'
            ? scriptOf('1')
            : scriptOf(`{{0,${slots - 1},{'${local}',${ports[believed(index)]},'id'}}}`)
        const keys = keysOf(command, args)
        const stray = keys.find((key) => !key.startsWith('{qd}'))
        if (command === 'publish' || command === 'subscribe' || stray !== undefined) {
          refused.push(`${command} ${stray ?? ''}`)
          return errorOf("CROSSSLOT Keys in request don't hash to the same slot")
        }
        if (keys.length === 0 || aboutChannels.has(command)) return undefined
        if (isDown || stale === index) return errorOf('CLUSTERDOWN The cluster is down')
        return owner === index ? undefined : errorOf(`MOVED 1 ${local}:${ports[owner]}`)
      }),
    )
  const client = (index: number) => new Redis({ host: local, port: Number(new URL(servers[index]!.url).port), password })
  return {
    url: urlOf(ports),
    refused,
    async handOver() {
      stale = owner
      owner = 1 - owner
    },
    setDown(wanted) {
      isDown = wanted
    },
    async crash() {
      const dead = owner
      owner = 1 - owner
      stale = undefined
      await servers[dead]!.crash()
    },
    async keys() {
      const redis = client(owner)
      try {
        return await redis.keys('*')
      } finally {
        redis.disconnect()
      }
    },
  }
}

function keysOf(command: string, args: readonly string[]): readonly string[] {
  if (aboutNoKey.has(command)) return []
  if (ofKeysAlone.has(command)) return args
  if (command === 'eval' || command === 'evalsha') return args.slice(2, 2 + Number(args[1]))
  return args.slice(command === 'xread' ? args.findIndex((arg) => arg.toLowerCase() === 'streams') + 1 : 0).slice(0, 1)
}

const scriptOf = (result: string) => ['EVAL', `return ${result}`, '0']
const errorOf = (message: string) => scriptOf(`redis.error_reply("${message}")`)

/** Listens in front of a server, which gets what `rewrite` makes of each command, or the command as it is. Resolves with the port. */
async function rewriteCommands(t: Test, { url }: OwnService, rewrite: (words: string[]) => string[] | undefined): Promise<number> {
  const front = createServer((client) => {
    const server = createConnection({ host: local, port: Number(new URL(url).port) })
    let received = ''
    client.on('data', (bytes) => {
      // A byte is a character here, whatever it stands for.
      received += bytes.toString('latin1')
      for (let read = commandIn(received); read; read = commandIn(received)) {
        const changed = rewrite(read.words)
        server.write(changed ? commandOf(changed) : received.slice(0, read.length), 'latin1')
        received = received.slice(read.length)
      }
    })
    server.pipe(client)
    const end = (one: Socket, other: Socket) => one.on('error', () => other.destroy()).on('close', () => other.destroy())
    end(client, server)
    end(server, client)
  })
  front.listen(0, local)
  await once(front, 'listening')
  t.after(() => front.close())
  return (front.address() as AddressInfo).port
}

const commandOf = (words: readonly string[]) => `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`

// The real one: three primaries, and a replica of the one that has the keys.

interface RealServer {
  port: number
  running: Running
  redis: Redis
}

async function startReal(t: Test, program: string): Promise<RedisCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'quarterdeck-test-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const servers: RealServer[] = []
  for (let index = 0; index < 4; index++) servers.push(await startServer(t, program, directory))
  const [first, second, third, replica] = servers as [RealServer, RealServer, RealServer, RealServer]
  const busPorts = await Promise.all(servers.map(async ({ redis }) => Number(((await redis.config('GET', 'cluster-port')) as string[])[1])))
  for (const [index, { port }] of servers.entries())
    if (index > 0) await first.redis.call('CLUSTER', 'MEET', local, port, busPorts[index] as number)
  const slot = await first.redis.cluster('KEYSLOT', '{qd}')
  await first.redis.call('CLUSTER', 'ADDSLOTSRANGE', slot, slot)
  await second.redis.call('CLUSTER', 'ADDSLOTSRANGE', 0, slot - 1)
  await third.redis.call('CLUSTER', 'ADDSLOTSRANGE', slot + 1, slots - 1)
  const knowsAll = async ({ redis }: RealServer) => {
    const info = String(await redis.cluster('INFO'))
    return info.includes('cluster_known_nodes:4') && info.includes('cluster_state:ok')
  }
  await until(async () => (await Promise.all(servers.map(knowsAll))).every(Boolean), 'all know each other', 30_000)
  await replica.redis.call('CLUSTER', 'REPLICATE', String(await first.redis.cluster('MYID')))
  const isPrimary = async ({ redis }: RealServer) => (await redis.info('replication')).includes('role:master')
  const isReplica = async ({ redis }: RealServer) => (await redis.info('replication')).includes('master_link_status:up')
  await until(() => isReplica(replica), 'there is a replica', 30_000)
  let [owner, spare] = [first, replica]
  return {
    url: urlOf([second, first, third, replica].map(({ port }) => port)),
    refused: [],
    async handOver() {
      await spare.redis.call('CLUSTER', 'FAILOVER')
      await until(() => isPrimary(spare), 'the replica is the primary', 30_000)
      ;[owner, spare] = [spare, owner]
      await until(() => isReplica(spare), 'and has a replica', 30_000)
    },
    setDown(isDown) {
      for (const { running } of [second, third]) process.kill(running.pid, isDown ? 'SIGSTOP' : 'SIGCONT')
    },
    async crash() {
      owner.redis.disconnect()
      owner.running.kill()
      await owner.running.exited
      await until(() => isPrimary(spare), 'the replica is the primary', 30_000)
      ;[owner, spare] = [spare, owner]
    },
    keys: () => owner.redis.keys('*'),
  }
}

async function startServer(t: Test, program: string, directory: string): Promise<RealServer> {
  const [port, busPort] = [await ownPort(), await ownPort()]
  const args = ['--port', port, '--cluster-port', busPort, '--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`]
  const more = [
    '--cluster-node-timeout',
    2000,
    '--bind',
    local,
    '--requirepass',
    password,
    '--masterauth',
    password,
    '--save',
    '',
    '--dir',
    directory,
  ]
  const child = spawn(program, [...args, ...more].map(String), { stdio: ['ignore', 'ignore', 'pipe'] })
  const running = follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: 5000 })
  t.after(() => running.stop())
  const redis = new Redis({ host: local, port, password })
  redis.on('error', () => undefined)
  t.after(() => redis.disconnect())
  await until(() => redis.status === 'ready', 'a server of the Cluster is up', 30_000)
  return { port, running, redis }
}
