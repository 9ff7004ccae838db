// How the memory that the product may take is divided: a bound for each process, and for each cache.
import { availableParallelism, totalmem } from 'node:os'

const mb = 1024 * 1024

/** Shares of the memory. Caches are bounded by bytes. */
export interface MemoryShares {
  /** Of V8, in MB: what a process holds beyond it, it cannot keep. */
  serverHeapMb: number
  workerHeapMb: number
  /** Answers to GETs, and their compressed forms. */
  answersBytes: number
  packedBytes: number
  /** Who everybody is, see `Accounts`. */
  accountsBytes: number
  /** Rows that lists are put together from. */
  headsBytes: number
  /** Posts of one feed, and pages of them. */
  postsBytes: number
  pagesBytes: number
  /** Bodies of requests that are under way. */
  bodiesMb: number
}

const between = (low: number, value: number, high: number) => Math.round(Math.min(high, Math.max(low, value)))

/** For each of several servers; on a machine of 2 GB 512 MB for a single one, of which caches take 116 MB at most. */
export function sharesOf(machineMb: number, servers = 1): MemoryShares {
  // All servers together take no more than half.
  const memoryMb = Math.min(machineMb, (2 * machineMb) / servers)
  return {
    serverHeapMb: between(192, memoryMb / 4, 4096),
    workerHeapMb: between(128, machineMb / 8, 1024),
    answersBytes: between(4 * mb, (memoryMb * mb) / 128, 64 * mb),
    packedBytes: between(2 * mb, (memoryMb * mb) / 256, 32 * mb),
    accountsBytes: between(8 * mb, (memoryMb * mb) / 64, 128 * mb),
    headsBytes: between(2 * mb, (memoryMb * mb) / 256, 16 * mb),
    postsBytes: between(2 * mb, (memoryMb * mb) / 128, 256 * mb),
    pagesBytes: between(1 * mb, (memoryMb * mb) / 512, 8 * mb),
    bodiesMb: between(32, memoryMb / 8, 512),
  }
}

const mostServers = 4

/**
 * How many servers a machine has: with less than eight cores one, which leaves the others to Postgres, the worker and pictures. Each
 * further one hears what all write, so that more than a few cost more than they give.
 */
export const serversFor = (cores = availableParallelism(), memoryMb = machineMb()): number =>
  between(1, Math.min(Math.floor(cores / 4), Math.floor(memoryMb / 4096)), mostServers)

/** What V8 starts by itself at most. */
const maxHelpers = 4

/**
 * Flags of Node for the memory of a process. V8 collects new objects with several threads at once: where there are fewer cores
 * than threads they wait for each other, so there is one for each core beside that of the loop. Then 16 MB for new objects
 * are about as fast as 64. Old objects are collected when they have grown by seven tenths: of a large
 * heap V8 would let them become four times as many. There is no pretenuring: V8 would allocate in the old generation what here
 * lives until the next post of a chat, four times as many bytes. test/bench/README.md has the figures.
 */
export const memoryFlags = (heapMb: number): string[] => [
  `--max-old-space-size=${heapMb}`,
  '--max-semi-space-size=16',
  '--heap-growing-percent=70',
  '--no-allocation-site-pretenuring',
  `--v8-pool-size=${between(1, availableParallelism() - 1, maxHelpers)}`,
]

/** Of the machine, or of the container that we are in. */
export function machineMb(): number {
  // Without a limit it is 0, or larger than any machine.
  const limit = process.constrainedMemory?.() ?? 0
  return Math.floor(Math.min(totalmem(), limit > 0 ? limit : Infinity) / mb)
}
