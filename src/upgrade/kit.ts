// A packed product: a folder with versions of the program, of which one is current, beside settings and data. `src/launch/pack.mjs`
// makes it.
import { existsSync, readFileSync, readlinkSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { homeFolder, projectRoot } from '../core/base/config.ts'
import { OperatorError } from '../supervisor/operator-error.ts'

/** What a version says of itself in `kit.json`. Of a file its checksum and size, of a link where it leads. */
export interface KitManifest {
  format: 1
  version: string
  id: string
  /** As Node names it: linux-x64. */
  platform: string
  node: string
  files: Record<string, { sha256: string; size: number } | { link: string }>
}

/** One that took the place of another. */
export interface Upgrade {
  at: string
  from: string
  to: string
  backup?: string
}

const idForm = /^\d[\w.]{0,40}-[0-9a-f]{8}$/
const history = 'upgrades.json'

/** The folder of the packed product. @throws OperatorError for one that runs from its sources. */
export function kitHome(): string {
  if (homeFolder === projectRoot || !existsSync(join(homeFolder, 'current')))
    throw new OperatorError(
      'This runs from its sources. To upgrade: npm run backup -- <file>, then stop it, bring the sources up to date with git, and npm start.',
    )
  return homeFolder
}

export const versionFolder = (home: string, id: string): string => join(home, 'versions', id)

export const currentId = (home: string): string => basename(readlinkSync(join(home, 'current')))

/** True for a name that a version may have. */
export const isVersionId = (id: string): boolean => idForm.test(id)

/** Ids of versions that are there. */
export const versionsIn = (home: string): string[] => readdirSync(join(home, 'versions')).filter(isVersionId)

/** @throws OperatorError when there is none, or it is not one. */
export function readManifest(folder: string): KitManifest {
  try {
    const found = JSON.parse(readFileSync(join(folder, 'kit.json'), 'utf8')) as KitManifest
    if (found.format !== 1 || !isVersionId(found.id)) throw new Error('it is of another form')
    return found
  } catch (cause) {
    throw new OperatorError(`${join(folder, 'kit.json')} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

/** Names of the migrations that a version has. */
export const migrationsOf = (folder: string): string[] => readdirSync(join(folder, 'sql')).filter((name) => /^\d.*\.sql$/.test(name))

/** Makes a version the one that the next start runs, in one step. */
export function makeCurrent(home: string, id: string): void {
  const link = join(home, `.current-${process.pid}`)
  rmSync(link, { force: true })
  symlinkSync(join('versions', id), link)
  renameSync(link, join(home, 'current'))
}

/** Upgrades there have been, oldest first. */
export function upgradesIn(home: string): Upgrade[] {
  const path = join(home, history)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Upgrade[]) : []
}

export function noteUpgrade(home: string, upgrade: Upgrade): void {
  const path = join(home, history)
  writeFileSync(`${path}.new`, `${JSON.stringify([...upgradesIn(home), upgrade], null, 1)}\n`)
  renameSync(`${path}.new`, path)
}

/** Removes the versions that nobody goes back to. */
export function removeVersions(home: string, kept: readonly string[]): void {
  for (const id of versionsIn(home)) if (!kept.includes(id)) rmSync(versionFolder(home, id), { recursive: true, force: true })
}

/** How to run a program of a version. */
export const programOf = (folder: string): { runtime: string; launcher: string } => ({
  runtime: join(folder, 'runtime', 'node'),
  launcher: join(folder, 'src', 'launch.mjs'),
})
