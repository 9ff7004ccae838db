// Packed products for tests: one of the sources as they are, and others made of it with something changed.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack as newArchive } from 'tar-stream'
import { projectRoot } from '../../src/core/base/config.ts'
import type { KitManifest } from '../../src/upgrade/kit.ts'
import { stopWhenWeAreGone, follow } from '../../src/supervisor/running.ts'
import { ownPort } from '../support/port.ts'
import { until } from '../support/until.ts'
import type { Outcome } from '../support/tools.ts'

/** A folder that is removed with `remove`. */
interface Workshop {
  folder: string
  remove(): void
}

function workshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-kit-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Packs the sources as they are, which is quick; returns the archive. */
export function pack(out: string): string {
  execFileSync(process.execPath, [join(projectRoot, 'src', 'launch.mjs'), 'pack', '--out', out, '--level', '0'], { stdio: 'pipe' })
  return archiveIn(out)
}

const archiveIn = (folder: string): string => join(folder, readdirSync(folder).find((name) => name.endsWith('.tar.gz')) ?? '')

/** The archive of this run: the first who needs it packs it, in `folder` until it is whole. */
function sharedArchive(folder: string): string {
  const shared = join(tmpdir(), 'packed-for-all')
  if (!existsSync(shared)) {
    const own = join(folder, 'packed')
    pack(own)
    try {
      renameSync(own, shared)
    } catch (error) {
      // Somebody else has packed it meanwhile.
      if (!existsSync(shared)) throw error
    }
  }
  return archiveIn(shared)
}

/** As an operator does it; returns the folder with the program. */
function unpackByHand(archive: string, into: string): string {
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xf', archive, '-C', into])
  return join(into, 'quarterdeck')
}

/** The id of the version that a packed product runs. */
export const currentOf = (home: string): string => readManifestOf(join(home, 'current')).id

const readManifestOf = (folder: string): KitManifest => JSON.parse(readFileSync(join(folder, 'kit.json'), 'utf8')) as KitManifest

/** An archive of the current version of `home` with other contents of some files, and what else the manifest says. */
export async function changed(
  home: string,
  archive: string,
  contents: Record<string, string>,
  manifestOf: (manifest: KitManifest) => object = (manifest) => manifest,
): Promise<string> {
  const from = join(home, 'versions', currentOf(home))
  const manifest = readManifestOf(from)
  for (const [name, text] of Object.entries(contents))
    manifest.files[name] = { sha256: createHash('sha256').update(text).digest('hex'), size: Buffer.byteLength(text) }
  const id = `${manifest.version}-${createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 8)}`
  const top = mkdtempSync(join(dirname(archive), 'changed-'))
  const folder = join(top, 'quarterdeck', 'versions', id)
  mkdirSync(dirname(folder), { recursive: true })
  // Hard links, which are taken apart where something changes.
  execFileSync('cp', ['-al', from, folder])
  for (const [name, text] of Object.entries({ ...contents, 'kit.json': JSON.stringify(manifestOf({ ...manifest, id })) })) {
    rmSync(join(folder, name), { force: true })
    writeFileSync(join(folder, name), text)
  }
  const tar = spawn('tar', ['-cf', '-', '-C', top, 'quarterdeck'], { stdio: ['ignore', 'pipe', 'inherit'] })
  await pipeline(tar.stdout, createGzip({ level: 0 }), createWriteStream(archive))
  rmSync(top, { recursive: true, force: true })
  return archive
}

/** An archive of a few files, as its manifest says or not. */
export async function tiny(
  archive: string,
  entries: readonly { name: string; text?: string; link?: string }[],
  more: Partial<KitManifest> = {},
): Promise<string> {
  const id = '9.9.9-0123abcd'
  const digest = (text: string) => ({ sha256: createHash('sha256').update(text).digest('hex'), size: Buffer.byteLength(text) })
  const files = Object.fromEntries(entries.map(({ name, text = '', link }) => [name, link === undefined ? digest(text) : { link }]))
  const manifest = { format: 1, version: '9.9.9', id, platform: `${process.platform}-${process.arch}`, node: '20.0.0', files, ...more }
  const tar = newArchive()
  for (const { name, text = '', link } of [{ name: 'kit.json', text: JSON.stringify(manifest) }, ...entries]) {
    const path = `quarterdeck/versions/${id}/${name}`
    if (link === undefined) tar.entry({ name: path }, text)
    else tar.entry({ name: path, type: 'symlink', linkname: link })
  }
  tar.finalize()
  await pipeline(tar, createGzip(), createWriteStream(archive))
  return archive
}

const needed = ['sh', 'dirname', 'readlink', 'cat', 'sleep', 'rm', 'cp', 'test', 'setpriv', 'env', 'id']

/** A folder for `PATH` with what every machine has, and no Node. */
function binWithoutNode(folder: string): string {
  const bin = join(folder, 'bin')
  if (existsSync(bin)) return bin
  mkdirSync(bin)
  for (const name of needed) {
    const path = execFileSync('sh', ['-c', `command -v ${name} || true`], { encoding: 'utf8' }).trim()
    const file = path.startsWith('/') ? path : [`/usr/bin/${name}`, `/bin/${name}`].find((each) => existsSync(each))
    if (file !== undefined) symlinkSync(file, join(bin, name))
  }
  return bin
}

/** A program of a packed product under way. */
export interface Started {
  readonly pid: number
  output(): string
  ended: Promise<Outcome>
  kill(signal: NodeJS.Signals): void
}

/** Starts `quarterdeck` with these arguments, as on a machine without Node. */
export function quarterdeck(home: string, args: string[], env: Record<string, string> = {}): Started {
  const child = spawn(join(home, 'quarterdeck'), args, {
    env: { PATH: binWithoutNode(dirname(home)), HOME: dirname(home), SERVERS: '1', VAPOR_ENV: 'development', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stopWhenWeAreGone(follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: 30_000 }))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const ended = new Promise<Outcome>((resolve) => child.on('close', (code) => resolve({ code, output })))
  return { pid: child.pid ?? -1, output: () => output, ended, kill: (signal) => void child.kill(signal) }
}

/** A packed product that runs with the sample people, and what its tests ask of it. */
export interface PackedPlace {
  readonly archive: string
  readonly home: string
  readonly folder: string
  readonly running: Started
  url(path: string): string
  isReady(): Promise<boolean>
  upgrade(file: string, ...more: string[]): Started
  /** Fails when another version is current, it does not serve, or something is left of an upgrade. */
  still(id: string): Promise<void>
  end(): Promise<void>
}

/** How long a test waits for a step of an upgrade: thousands of files are written in some, and a disk may be slow. */
export const stepWithinMs = 180_000

export async function startPacked(): Promise<PackedPlace> {
  const { folder, remove } = workshop()
  const archive = sharedArchive(folder)
  const home = unpackByHand(archive, join(folder, 'place'))
  const port = await ownPort()
  const running = quarterdeck(home, ['start', '--port', String(port)])
  const url = (path: string) => `http://127.0.0.1:${port}${path}`
  const isReady = () =>
    fetch(url('/health/ready')).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(isReady, 'the place serves', stepWithinMs).catch(() => assert.fail(running.output()))
  return {
    archive,
    home,
    folder,
    running,
    url,
    isReady,
    upgrade: (file, ...more) => quarterdeck(home, ['upgrade', file, ...more]),
    async still(id) {
      assert.equal(currentOf(home), id)
      assert.equal(await isReady(), true)
      const left = [...readdirSync(join(home, 'data')), ...readdirSync(join(home, 'versions')), ...readdirSync(home)]
      assert.deepEqual(
        left.filter((name) => /rehearsal|before-upgrade|failed|copying|gone|\.new-version|\.upgrade|\.ending|\.again|\.trial/.test(name)),
        [],
      )
    },
    async end() {
      running.kill('SIGTERM')
      await running.ended
      remove()
    },
  }
}
