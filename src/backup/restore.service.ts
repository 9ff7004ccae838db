// Brings an empty server to where a backup was taken.
import { createWriteStream } from 'node:fs'
import { mkdir, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fingerprintOf, knownSecret } from '../auth/secret.ts'
import type { Config } from '../core/base/config.ts'
import type { Sql } from '../core/db/db.ts'
import { incoming } from '../core/files/files.ts'
import type { FileStore } from '../core/files/store.ts'
import { migrate, migrationsFolder, requireKnown } from '../core/db/migrate.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { checkArchive, readArchive, readJson, type Entry } from './archive.ts'
import { entryNames, type Contents, type Header } from './backup.service.ts'
import {
  analyze,
  copyIn,
  countRows,
  deleteTokens,
  selectSecretFingerprint,
  selectTables,
  setSequences,
  withoutKeysAndIndexes,
} from './queries.ts'
import type { Stores } from './stores.ts'

/** Images are there while this is, and the database is empty: a restore has put them there, and was killed. */
const mark = 'restoring/mark'

/** Restores all of a backup or nothing. @throws OperatorError when the server is not empty or the backup cannot be taken. */
export async function restore(stores: Stores, file: string, say: (line: string) => void): Promise<{ rows: number }> {
  const { config, databaseUrl, sql, files } = stores
  const staging = join(config.imagesDir, dirname(mark))
  await requireEmpty(stores)
  // A damaged backup must not get as far as the database.
  await checkArchive(file)
  const entries = readArchive(file)
  try {
    const header = await headerOf(entries, file)
    requireKnown(header.migrations)
    say(`Restoring the backup of ${header.createdAt} ...`)
    // To the version of the backup first: what migrations do with rows is done afterwards.
    await migrate(databaseUrl, () => undefined, migrationsFolder, header.migrations.length)
    await requireEmpty(stores)
    await files.put(mark, Buffer.from('x'))
    await mkdir(staging, { recursive: true })
    try {
      await sql.begin(async (tx) => {
        await withoutKeysAndIndexes(tx, () => load(tx, entries, files, staging))
        if (!(await keepTokens(tx, config)))
          say('Everybody has to log in again: the secret of the tokens is not the one of the server that was backed up.')
      })
    } catch (error) {
      await files.removeAll()
      throw readable(error, file)
    } finally {
      await rm(staging, { recursive: true, force: true })
    }
    await files.remove(mark)
  } finally {
    await entries.return(undefined)
  }
  await migrate(databaseUrl, (name) => say(`Migrated the database: ${name}`))
  await analyze(sql)
  const rows = Object.values(await countRows(sql, await selectTables(sql))).reduce((sum, count) => sum + count, 0)
  say(`Restored ${rows} rows.`)
  return { rows }
}

/** Refusals by Postgres and by the file system, in a sentence for the operator. */
function readable(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error
  const code = 'code' in error ? String(error.code) : ''
  // Of the file system, or of Postgres: no resources, or a fault of its system.
  const ofThisPlace = 'syscall' in error || (error.name === 'PostgresError' && /^5[38]/.test(code))
  if (ofThisPlace) return new OperatorError(`${file} cannot be restored here: ${error.message}.`, { cause: error })
  return error.name === 'PostgresError'
    ? new OperatorError(`${file} was not made for this database, or was changed: ${error.message}.`, { cause: error })
    : error
}

/** Nothing is overwritten, and nothing mixed. */
async function requireEmpty({ sql, files }: Stores): Promise<void> {
  const full = Object.keys(await countRows(sql, await selectTables(sql)))
  if (full.length > 0)
    throw new OperatorError(`The database is not empty (${full.slice(0, 5).join(', ')}). A backup is only restored into a new one.`)
  if (await files.stat(mark)) await files.removeAll()
  for await (const { path } of files.list())
    if (!path.startsWith(`${incoming}/`)) throw new OperatorError(`${files.name}, the place for images, is not empty (${path}).`)
}

async function headerOf(entries: AsyncGenerator<Entry>, file: string): Promise<Header> {
  const { value: first } = (await entries.next()) as { value: Entry | undefined }
  const header = first?.name === entryNames.header ? await readJson<Partial<Header>>(first) : undefined
  if (header?.format !== 1 || !Array.isArray(header.migrations) || typeof header.createdAt !== 'string')
    throw new OperatorError(`${file} is no backup of Quarterdeck, or one of a newer version.`)
  return header as Header
}

async function load(tx: Sql, entries: AsyncGenerator<Entry>, files: FileStore, staging: string): Promise<void> {
  let contents: Contents | undefined
  for await (const entry of entries) {
    const { name } = entry
    if (name.startsWith(entryNames.images)) await writeImage(files, staging, name.slice(entryNames.images.length), entry)
    else if (name === entryNames.contents) contents = await contentsOf(tx, entry)
    else {
      const table = contents?.tables.find((each) => name === entryNames.rows + each.name)
      if (!table) throw new OperatorError(`The backup is damaged: ${name} does not belong there.`)
      await copyIn(tx, table, entry.content)
    }
  }
  if (!contents) throw new OperatorError('The backup is damaged: it has no rows.')
  await setSequences(tx, contents.sequences)
}

/** Both are of the same version, so that their tables are the same. */
async function contentsOf(tx: Sql, entry: Entry): Promise<Contents> {
  const contents = await readJson<Contents>(entry)
  const here = new Map((await selectTables(tx)).map(({ name, columns }) => [name, columns.toSorted().join()]))
  const fits =
    Array.isArray(contents.tables) &&
    Array.isArray(contents.sequences) &&
    contents.tables.length === here.size &&
    contents.tables.every(({ name, columns }) => here.get(name) === columns.toSorted().join())
  if (!fits) throw new OperatorError('The backup holds other tables than this version of Quarterdeck has.')
  return contents
}

async function writeImage(files: FileStore, staging: string, path: string, { content, modifiedMs }: Entry): Promise<void> {
  const segments = path.split('/')
  // Nothing that a file says leads out of the folder.
  if (!segments.every((segment) => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(segment)) || segments.length > 6)
    throw new OperatorError(`The backup is damaged: ${path} is no name of an image.`)
  if (await files.stat(path)) throw new OperatorError(`The backup is damaged: ${path} is in it twice.`)
  const written = join(staging, 'image')
  await pipeline(content, createWriteStream(written))
  await utimes(written, modifiedMs / 1000, modifiedMs / 1000)
  await files.put(path, written)
}

/** Tokens only work with the secret that they were made with: false when they had to be ended. */
async function keepTokens(tx: Sql, config: Config): Promise<boolean> {
  const fingerprint = await selectSecretFingerprint(tx)
  const secret = await knownSecret(config)
  if (fingerprint === undefined || (secret !== undefined && fingerprintOf(secret) === fingerprint)) return true
  await deleteTokens(tx)
  return false
}
