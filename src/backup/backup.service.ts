// Writes everything that matters into one file, while the server goes on.
import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { exported, incoming } from '../core/files/files.ts'
import type { FileStore } from '../core/files/store.ts'
import type { Applied } from '../core/db/migrate.ts'
import { lacksImages } from '../image/folder.service.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { writeArchive, type ArchiveWriter } from './archive.ts'
import {
  copyOut,
  holdImages,
  releaseImages,
  selectMigrations,
  selectSequences,
  selectTables,
  type Sequence,
  type Table,
} from './queries.ts'
import type { Stores } from './stores.ts'

/** The first entry. */
export interface Header {
  format: 1
  createdAt: string
  migrations: Applied[]
}

/** The entry before those with rows. */
export interface Contents {
  tables: Table[]
  sequences: Sequence[]
}

export const entryNames = { header: 'backup.json', contents: 'database/contents.json', rows: 'database/rows/', images: 'images/' } as const

/** An entry with rows is not much larger; it is the memory that a backup needs. */
const rowsPerEntryBytes = 4 * 1024 * 1024

/**
 * Backs up the database as it is at one moment, and the images with it.
 *
 * Files of images never change. Those that are there go first; once the moment is fixed, those that have come
 * since are added, and until then none is removed. So every image that a row refers to at that moment is there.
 */
export async function backUp({ sql, files }: Stores, file: string, say: (line: string) => void): Promise<{ files: number }> {
  if (files.folder !== undefined && !relative(files.folder, file).startsWith('..'))
    throw new OperatorError(`${file} is in the folder of images; write the backup somewhere else.`)
  const migrations = await selectMigrations(sql)
  if (migrations.length === 0) throw new OperatorError('There is nothing to back up: the database is empty.')
  if (await lacksImages(sql, files, new Date()))
    throw new OperatorError(`None of the images that people have sent is in ${files.name}. Look whether its disk is there.`)
  const header: Header = { format: 1, createdAt: new Date().toISOString(), migrations }
  const seen = new Set<string>()
  await writeArchive(file, async (archive) => {
    await archive.addJson(entryNames.header, header)
    await addImages(archive, files, seen)
    await holdImages(sql)
    await sql.begin('isolation level repeatable read read only', async (tx) => {
      // The first statement fixes what all of them see.
      const now = await selectMigrations(tx)
      if (JSON.stringify(now) !== JSON.stringify(migrations))
        throw new OperatorError('The database was brought to a newer version meanwhile. Try again.')
      await addImages(archive, files, seen)
      await releaseImages(tx)
      const contents: Contents = { tables: await selectTables(tx), sequences: await selectSequences(tx) }
      await archive.addJson(entryNames.contents, contents)
      for (const table of contents.tables) await addRows(archive, table, copyOut(tx, table))
    })
    say(`Backed up the database and ${seen.size} files of images.`)
  })
  return { files: seen.size }
}

async function addRows(archive: ArchiveWriter, { name }: Table, rows: AsyncIterable<Buffer>): Promise<void> {
  let pieces: Buffer[] = []
  let size = 0
  const flush = async () => {
    if (size > 0) await archive.add(entryNames.rows + name, Readable.from(pieces), size)
    pieces = []
    size = 0
  }
  for await (const piece of rows) {
    pieces.push(piece)
    size += piece.length
    if (size >= rowsPerEntryBytes) await flush()
  }
  await flush()
}

/** Of files that are gone soon. */
const passing = [`${incoming}/`, `${exported}/`]

/** Adds the files that have not been seen yet, without what is still being worked on. */
async function addImages(archive: ArchiveWriter, files: FileStore, seen: Set<string>): Promise<void> {
  for await (const { path } of files.list()) {
    if (seen.has(path) || path.endsWith('.part') || passing.some((folder) => path.startsWith(folder))) continue
    const file = await files.open(path)
    if (!file) continue
    await archive.add(entryNames.images + path, file.content, file.size, file.modifiedMs)
    seen.add(path)
  }
}
