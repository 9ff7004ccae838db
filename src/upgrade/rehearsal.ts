// The rehearsal of an upgrade: a backup is restored beside the place, the version of now and the new one are started on it one
// after the other, away from people and without workers. Both are asked for everything that can be read, and for what people write
// every day; in between the migrations are run by themselves, and the database is compared with what it was.
import { randomBytes } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../accounts/config.ts'
import { deriveToken, tokenDigest } from '../auth/tokens.ts'
import { lookBefore, migrate } from '../core/db/migrate.ts'
import { knownSecret } from '../auth/secret.ts'
import { withDatabase } from '../backup/stores.ts'
import { envFile, readEnvFile, type Config } from '../core/base/config.ts'
import { onPort } from '../embedded/free-port.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { askAgain, askEverything, differences, readPaths, type Differences, type Person } from './answers.ts'
import { programOf } from './kit.ts'
import { announcedIn, changesBetween, readInventory, unannounced } from './inventory.ts'
import { selectAskers, writeToken } from './queries.ts'
import { writeEverything } from './writes.ts'

/** What a rehearsal has found. */
export interface Rehearsed extends Differences {
  /** Answers that were compared. */
  answers: number
  /** What its migrations have changed without saying so. */
  changes: string[]
  /** From the start of the new version until it served, with its migrations. */
  startMs: number
}

export interface RehearsalOptions {
  config: Config
  backup: string
  /** Folders of the two versions. */
  from: string
  to: string
  /** Longest time until a version serves. */
  withinMs: number
  /** Settings of the environment that starts the product. */
  env: NodeJS.ProcessEnv
}

/** Settings that lead out of the rehearsal: to the stores of the place, to its address, to others. */
const leadingOut =
  /^(DATABASE_|REDIS_|S3_|IMAGES_IN$|DATA_DIR$|PRIVATE_SEEDS_DIR$|TLS_|HSTS_|PUSH_|SMTP_|BACKUP_DIR$|QUARTERDECK_|npm_|SERVERS$|SERVER_NUMBER$|SUPERVISED$|PORT_IS_OURS$)|USER_IMAGES$|_IP$|(^|_)PORT$|^hostname$|^LOG_/
/** As `src/launch/runtime.mjs` names it. */
const endsWithParent = 'QUARTERDECK_RUNTIME'
const lastLines = 12
const pollMs = 200
/** What differs is asked again so often, and after so long. */
const askAgainAfterMs = [0, 2000, 4000, 6000]
const stopWithinMs = 30_000
const nonceBytes = 16

/** Rehearses; what is left of it is removed in any case. @throws OperatorError when the new version does not get as far as to serve. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsed> {
  const folder = join(options.config.dataDir, 'rehearsal')
  rmSync(folder, { recursive: true, force: true })
  try {
    const scene = prepare(folder, options)
    await runProgram(options.from, ['restore', options.backup], scene.env, 'The backup could not be restored.')
    let people: Person[] = []
    const before = await served(options.from, scene, options.withinMs, 'The version of now', async (url) => {
      people = await admitPeople(scene.config)
      const paths = await readPaths(url)
      // Each once before: what is new changes with the first look, and what exists already is answered in another way.
      await writeEverything(url, people, 1)
      const written = await writeEverything(url, people, 2)
      await askEverything(url, paths, people)
      return { paths, answers: await askEverything(url, paths, people), written }
    })
    const migrated = await migrateCopy(scene.config, options.to)
    const after = await served(options.to, scene, options.withinMs, 'The new version', async (url) => {
      const { paths, answers, written } = before.result
      let found = differences(answers, await askEverything(url, paths, people))
      // A server that has just started is slow once, and has no past to tell of: its figures come within seconds.
      for (const waitMs of askAgainAfterMs) {
        const requests = [...found.broken, ...found.slow].map(({ request }) => request)
        if (requests.length === 0) break
        await pause(waitMs)
        found = differences(answers, await askAgain(url, requests, people))
      }
      const { broken } = differences(written, await writeEverything(url, people, 3))
      return { ...found, broken: [...broken, ...found.broken] }
    })
    const { answers, written } = before.result
    return {
      answers: answers.size + written.size,
      startMs: migrated.ms + after.startMs,
      changes: migrated.changes,
      ...after.result,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Brings the copy to the schema of a version, and says what that has changed without a word of its migrations. */
async function migrateCopy(config: Config, to: string): Promise<{ changes: string[]; ms: number }> {
  const folder = join(to, 'sql')
  return await withDatabase(
    config,
    () => undefined,
    async ({ databaseUrl, sql }) => {
      // Most versions bring none: then not a row is read.
      if ((await lookBefore(databaseUrl, folder)).pending.length === 0) return { changes: [], ms: 0 }
      const before = await readInventory(sql)
      const names: string[] = []
      const begun = performance.now()
      await migrate(databaseUrl, (name) => names.push(name), folder).catch((cause: unknown) => {
        throw new OperatorError(`The migrations of the new version fail on a copy of your data.\n${(cause as Error).message}`, { cause })
      })
      const ms = performance.now() - begun
      const changes = unannounced(changesBetween(before, await readInventory(sql)), announcedIn(folder, names))
      return { changes: changes.map(({ what }) => what), ms }
    },
  )
}

interface Scene {
  env: NodeJS.ProcessEnv
  config: Config
}

/** A folder with settings and the secret of tokens, but no way to the place. */
function prepare(folder: string, { config, env }: RehearsalOptions): Scene {
  const { environment, privateSeedsDir, dataDir } = config
  const settings = join(folder, 'settings')
  const data = join(folder, 'data')
  mkdirSync(settings, { recursive: true, mode: 0o700 })
  mkdirSync(data, { mode: 0o755 })
  const kept = Object.entries(readEnvFile(privateSeedsDir, environment)).filter(([name]) => !leadingOut.test(name))
  writeFileSync(envFile(settings, environment), kept.map(([name, value]) => `${name}="${value}"\n`).join(''), { mode: 0o600 })
  const secret = join(dataDir, 'token-secret')
  if (existsSync(secret)) copyFileSync(secret, join(data, 'token-secret'))
  const own = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !leadingOut.test(name))),
    VAPOR_ENV: environment,
    PRIVATE_SEEDS_DIR: settings,
    DATA_DIR: data,
    SERVERS: '1',
    LOG_FORMAT: 'json',
    SERVICE_ENABLE_UPDATE_SCHEDULE_JOB: 'false',
    // It ends with the upgrade, also when that is killed.
    [endsWithParent]: '1',
  }
  return { env: own, config: { ...readConfig([], own), imagesDir: join(data, 'images') } }
}

/** Runs a program of a version to its end. @throws OperatorError with its last lines. */
export async function runProgram(folder: string, args: string[], env: NodeJS.ProcessEnv, failure: string): Promise<void> {
  const { runtime, launcher } = programOf(folder)
  const child = spawn(runtime, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = lastWordsOf(child)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new OperatorError([failure, ...said()].join('\n'))
}

/** Starts the server of a version, has `work` use it, and stops it. */
async function served<T>(
  folder: string,
  { env }: Scene,
  withinMs: number,
  name: string,
  work: (url: string) => Promise<T>,
): Promise<{ result: T; startMs: number }> {
  const { runtime, launcher } = programOf(folder)
  const port = await onPort(undefined, async (free) => await Promise.resolve(free))
  const args = ['start', 'server', '--hostname', '127.0.0.1', '--port', String(port)]
  const begun = performance.now()
  const child = spawn(runtime, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = lastWordsOf(child)
  const closed = once(child, 'close')
  let ended = false
  void closed.then(() => (ended = true))
  const url = `http://127.0.0.1:${port}`
  try {
    while (!(await isReady(url))) {
      const late = performance.now() - begun > withinMs
      if (ended || late)
        throw new OperatorError(
          [`${name} ${late ? `did not serve within ${withinMs / 1000} s` : 'does not start'} on a copy of your data.`, ...said()].join(
            '\n',
          ),
        )
      await pause(pollMs)
    }
    return { startMs: performance.now() - begun, result: await work(url) }
  } finally {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    await closed
    clearTimeout(late)
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** The last lines that a process has written, as they are asked for. */
function lastWordsOf(child: ReturnType<typeof spawn>): () => string[] {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text = (text + piece).slice(-20_000)
    })
  return () => text.trim().split('\n').slice(-lastLines)
}

/** Tokens for one account of each level in the copy. */
async function admitPeople(config: Config): Promise<Person[]> {
  const secret = (await knownSecret(config)) ?? ''
  return await withDatabase(
    config,
    () => undefined,
    async ({ sql }) => {
      const people: Person[] = []
      for (const { id, username } of await selectAskers(sql)) {
        const nonce = randomBytes(nonceBytes)
        const token = deriveToken(secret, id, nonce)
        await writeToken(sql, id, nonce, tokenDigest(token))
        people.push({ username, token })
      }
      return people
    },
  )
}
