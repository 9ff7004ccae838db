// The libraries of games and songs: a file is looked at as changes before it takes their place.
import { compareGames, gamesAsFile, uploadGames } from '../boardgames/service.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { compareSongs, songsAsFile, uploadSongs } from '../karaoke/service.ts'
import type { LibraryDifferenceData, LibraryFileData } from './schemas.ts'

const shownNames = 200

const libraries = {
  boardgames: { compare: compareGames, upload: uploadGames, asFile: gamesAsFile },
  karaoke: { compare: compareSongs, upload: uploadSongs, asFile: songsAsFile },
} as const
export type Library = keyof typeof libraries

/** A library as a file: uploaded again, it changes nothing. */
export async function libraryFile(ctx: Ctx, library: Library): Promise<LibraryFileData> {
  return { file: await libraries[library].asFile(ctx) }
}

/** What a file would change; nothing is stored. */
export async function compareLibrary(ctx: Ctx, library: Library, file: string): Promise<LibraryDifferenceData> {
  const { before, after } = await libraries[library].compare(ctx, file)
  const added = [...after.keys()].filter((name) => !before.has(name))
  const gone = [...before.keys()].filter((name) => !after.has(name))
  const changed = [...after].filter(([name, facts]) => before.has(name) && before.get(name) !== facts).map(([name]) => name)
  return {
    newCount: added.length,
    goneCount: gone.length,
    changedCount: changed.length,
    unchangedCount: after.size - added.length - changed.length,
    newNames: added.slice(0, shownNames),
    goneNames: gone.slice(0, shownNames),
    changedNames: changed.slice(0, shownNames),
  }
}

/** Makes a library what a file says, and answers with what that has changed. */
export async function uploadLibrary(ctx: Ctx, library: Library, file: string): Promise<LibraryDifferenceData> {
  const difference = await compareLibrary(ctx, library, file)
  await libraries[library].upload(ctx, file)
  return difference
}
