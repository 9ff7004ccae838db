// A backup every night, by the process that keeps the worker up.
import { fork } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import type { Screen } from '../terminal/screen.ts'

const lookEveryMs = 10 * 60_000
const hour = 4
/** Older ones are removed. */
const keep = 14
const named = /^quarterdeck-(\d{4}-\d\d-\d\d)\.tar$/

export interface NightlyOptions {
  folder: string
  zone: string
  /** The program that writes one. */
  script: string
  args: string[]
  env: NodeJS.ProcessEnv
  screen: Screen
  stopping: AbortSignal
}

/** Writes one now if the last night has none, and then every night. Nothing that goes wrong ends the server. */
export function backUpNightly(options: NightlyOptions): void {
  const { folder, zone, screen, stopping } = options
  let running = false
  const look = async () => {
    const file = dueFile(folder, DateTime.now().setZone(zone))
    if (running || file === undefined) return
    running = true
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      await write(options, join(folder, file))
      screen.line(`Backup: ${join(folder, file)}`)
      for (const old of backupsIn(folder).slice(0, -keep)) rmSync(join(folder, old))
    } catch (error) {
      if (!stopping.aborted) screen.warning(`The backup failed: ${(error as Error).message}`)
    } finally {
      running = false
    }
  }
  void look()
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  stopping.addEventListener('abort', () => clearInterval(timer))
}

/** Backups of a folder, the oldest first. */
export function backupsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => named.test(name))
      .sort()
  } catch {
    return []
  }
}

/** The name of the backup that is missing at `now`: that of the last night which has passed. */
export function dueFile(folder: string, now: DateTime): string | undefined {
  const night = now.minus({ hours: hour }).toISODate()
  const file = `quarterdeck-${night}.tar`
  return night === null || backupsIn(folder).includes(file) ? undefined : file
}

function write({ script, args, env, stopping }: NightlyOptions, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(script, [file, ...args], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    const stop = () => child.kill('SIGTERM')
    stopping.addEventListener('abort', stop)
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.on('error', reject)
    child.on('close', (code) => {
      stopping.removeEventListener('abort', stop)
      if (code === 0) resolve()
      else reject(new Error(said.trim() || `exit code ${code}`))
    })
  })
}
