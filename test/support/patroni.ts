// Three Postgres that Patroni looks after, by hand: where PATRONI names the program, and etcd is installed.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { accountFor, commandAs, type Account } from '../../src/embedded/account.ts'
import { follow, type Running } from '../../src/supervisor/running.ts'
import { childrenOf, processesWith, signalAll } from './children.ts'
import { withConnection } from './db.ts'
import { linkTo, type Link } from './link.ts'
import { ownPort } from './port.ts'
import { until } from './until.ts'

const database = 'quarterdeck'
const stopSignals = { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: 20_000 } as const

/** One machine of the cluster: a Patroni with its Postgres. */
export interface PatroniMember {
  readonly name: string
  /** By which its Patroni reaches etcd. */
  readonly toEtcd: Link
  /** Ends both as a loss of power would. */
  crash(): Promise<void>
  /** Ends Postgres alone as a crash would. */
  crashPostgres(): void
  /** Sends both, and all processes of Postgres, a signal. */
  signal(signal: NodeJS.Signals): void
  /** Starts both again. */
  restart(): void
}

export interface PatroniCluster {
  /** Of all three, as an operator writes it. */
  readonly url: string
  /** The one that is written to, once it is known. */
  primary(): Promise<PatroniMember>
  /** Waits until one is the primary and the two others follow it, of which one must have what is committed. */
  settled(): Promise<void>
  /** Has Patroni make one of the others the primary, in order. */
  switchOver(): Promise<void>
}

interface Seat extends PatroniMember {
  readonly api: string
  readonly port: number
}

/** What the members have agreed on: which standby has everything that is committed. */
interface SyncState {
  leader?: string
  sync_standby?: string | null
}

/** Starts it, with a database of its own that its role, which is no superuser, owns; all is removed after the test. */
export async function patroniCluster(t: Pick<TestContext, 'after'>, program: string): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-patroni-'))
  await chmod(folder, 0o711)
  const etcd = await startEtcd(t, folder)
  const password = randomBytes(12).toString('hex')
  const seats = await Promise.all(['member1', 'member2', 'member3'].map((name) => seatOf(t, { program, folder, name, etcd, password })))
  // After all of them have ended.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

  // Of etcd, not of a member: one that stood still believes for a moment longer what it knew before.
  const agreed = async (name: 'leader' | 'sync'): Promise<string | undefined> => {
    const key = btoa(`/service/${database}/${name}`)
    const answer = await fetch(`http://${etcd}/v3/kv/range`, { method: 'POST', body: JSON.stringify({ key }) })
    const { kvs = [] } = (await answer.json()) as { kvs?: { value: string }[] }
    return kvs[0] && atob(kvs[0].value)
  }
  const leader = async (): Promise<Seat> => {
    let name: string | undefined
    await until(async () => (name = await agreed('leader')) !== undefined, 'one is the primary', 60_000)
    return seats.find((seat) => seat.name === name) as Seat
  }
  const isSettled = async (): Promise<boolean> => {
    const [name, sync] = [await agreed('leader'), JSON.parse((await agreed('sync')) ?? '{}') as SyncState]
    const seat = seats.find((each) => each.name === name)
    if (!seat || sync.leader !== name || !sync.sync_standby) return false
    return await withConnection(superuserUrl(seat, password), async (sql) => {
      const [row] = await sql<[{ followers: number }]>`
        select count(*)::int as followers from pg_stat_replication where state = 'streaming' and not pg_is_in_recovery()`
      return row.followers === seats.length - 1
    }).catch(() => false)
  }
  const settled = () => until(isSettled, 'one is the primary, and two follow it', 120_000)

  await settled()
  await makeDatabase(superuserUrl(await leader(), password), password)
  return {
    url: `postgres://${database}:${password}@${seats.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`,
    primary: leader,
    settled,
    async switchOver() {
      const { api, name } = await leader()
      const answer = await fetch(`${api}/switchover`, { method: 'POST', body: JSON.stringify({ leader: name }) })
      if (!answer.ok) throw new Error(await answer.text())
    },
  }
}

const superuserUrl = ({ port }: Seat, password: string): string => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`

async function startEtcd(t: Pick<TestContext, 'after'>, folder: string): Promise<string> {
  const [clients, peers] = [await ownPort(), await ownPort()].map((port) => `http://127.0.0.1:${port}`) as [string, string]
  const args = ['--data-dir', join(folder, 'etcd'), '--listen-client-urls', clients, '--advertise-client-urls', clients]
  const child = spawn('etcd', [...args, '--listen-peer-urls', peers, '--log-level', 'error'], { stdio: 'ignore' })
  const running = follow(child, stopSignals)
  t.after(() => running.stop())
  await until(() => fetch(`${clients}/health`).then(({ ok }) => ok, () => false), 'etcd is up') // prettier-ignore
  return new URL(clients).host
}

interface SeatOptions {
  program: string
  folder: string
  name: string
  etcd: string
  password: string
}

async function seatOf(t: Pick<TestContext, 'after'>, { program, folder, name, etcd, password }: SeatOptions): Promise<Seat> {
  const directory = join(folder, name)
  await mkdir(directory)
  const account = accountFor(directory)
  const [port, apiPort] = [await ownPort(), await ownPort()]
  const cluster = join(directory, 'cluster')
  const toEtcd = await linkTo(t, `http://${etcd}`)
  const settings = await writeSettings(directory, account, {
    scope: database,
    name,
    // Else it asks etcd for its address, and goes past the link.
    etcd3: { hosts: [new URL(toEtcd.url).host], use_proxies: true },
    log: { dir: directory },
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    bootstrap: {
      dcs: {
        // The shortest that Patroni recommends for its lease is 20 s; its rule for the three is ttl >= loop_wait + 2 * retry_timeout.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        primary_start_timeout: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: cluster,
      pgpass: join(directory, 'pgpass'),
      authentication: { superuser: { username: 'postgres', password }, replication: { username: 'follower', password } },
      parameters: { unix_socket_directories: directory },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication follower 127.0.0.1/32 scram-sha-256'],
    },
  })
  let running: Running
  const restart = () => {
    const { program: command, args, options } = commandAs(account, program, [settings], directory)
    running = follow(spawn(command, args, { ...options, cwd: directory, stdio: 'ignore' }), stopSignals)
  }
  restart()
  const signalPostgres = (signal: NodeJS.Signals) => {
    for (const pid of processesWith(`/postgres -D ${cluster} `)) signalAll([pid, ...childrenOf(pid, '')], signal)
  }
  const crash = async () => {
    // First the one that would notice.
    signalAll(childrenOf(running.pid, program), 'SIGKILL')
    running.kill()
    await running.exited
    signalPostgres('SIGKILL')
  }
  t.after(crash)
  return {
    name,
    toEtcd,
    port,
    api: `http://127.0.0.1:${apiPort}`,
    restart,
    crash,
    crashPostgres: () => signalPostgres('SIGKILL'),
    signal(signal) {
      signalAll([running.pid], signal)
      signalPostgres(signal)
    },
  }
}

/** Every JSON is YAML. */
async function writeSettings(directory: string, account: Account | undefined, settings: object): Promise<string> {
  const file = join(directory, 'patroni.yml')
  await writeFile(file, JSON.stringify(settings), { mode: 0o600 })
  if (account) await chown(file, account.uid, account.gid)
  return file
}

async function makeDatabase(url: string, password: string): Promise<void> {
  await withConnection(url, async (sql) => {
    await sql.unsafe(`create role ${database} login password '${password}'`)
    await sql.unsafe(`create database ${database} owner ${database}`)
  })
}
