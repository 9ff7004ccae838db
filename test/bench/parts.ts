// Processor time of the whole product by its parts: server, worker, Postgres, Redis.
import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import type postgres from 'postgres'
import type { Measured } from './processes.ts'
import { cpuSeconds } from './whole-product.ts'

/** Seconds of processor time, by part. */
export type Parts = Record<'server' | 'worker' | 'Postgres' | 'Redis', number>

/** Adds up what each part uses while some work is done. */
export class PartsMeter {
  readonly #server: Measured
  readonly #worker: Measured
  readonly #sql: postgres.Sql
  readonly #redis: Redis
  readonly #sums: Parts = { server: 0, worker: 0, Postgres: 0, Redis: 0 }
  #count = 0

  constructor({ server, worker, sql, redisUrl }: { server: Measured; worker: Measured; sql: postgres.Sql; redisUrl: string }) {
    this.#server = server
    this.#worker = worker
    this.#sql = sql
    this.#redis = new Redis(redisUrl)
  }

  /** `count` things are done by `work`. */
  async during<T>(count: number, work: () => Promise<T>): Promise<T> {
    const before = await this.#used()
    const result = await work()
    const after = await this.#used()
    for (const part of Object.keys(before) as (keyof Parts)[]) this.#sums[part] += after[part] - before[part]
    this.#count += count
    return result
  }

  /** Microseconds for each of what was done. */
  perOne(): Parts & { together: number } {
    const of = (part: keyof Parts) => (1e6 * this.#sums[part]) / this.#count
    const parts = { server: of('server'), worker: of('worker'), Postgres: of('Postgres'), Redis: of('Redis') }
    return { ...parts, together: Object.values(parts).reduce((sum, each) => sum + each, 0) }
  }

  close(): void {
    this.#redis.disconnect()
  }

  async #used(): Promise<Parts> {
    const sql = this.#sql
    const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
    const stat = readFileSync(`/proc/${row.pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const figures = await this.#redis.info('cpu')
    const redisOf = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(figures)?.[1] ?? NaN)
    return {
      server: await this.#server.order<number>('cpuSeconds'),
      worker: await this.#worker.order<number>('cpuSeconds'),
      Postgres: cpuSeconds(parent),
      Redis: redisOf('used_cpu_user') + redisOf('used_cpu_sys'),
    }
  }
}
