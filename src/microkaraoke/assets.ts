// The folder with a folder for every song: what is to be sung, and to which sounds. It belongs to the
// operator and may change at any time.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../core/base/config.ts'
import { decoderOf } from '../core/schema/decode.ts'
import type { Log } from '../core/base/log.ts'
import { Int, Type } from '../core/schema/schema.ts'
import { findSeedFile } from '../core/files/seed-file.ts'

/** A song that can be begun. */
export interface AssetSong {
  name: string
  artist: string
  bpm: number
  /** Seconds; one for each slot. */
  durations: number[]
  /** Slots that nobody sings. */
  fillers: number[]
}

const decodeInfo = decoderOf(
  Type.Object({
    songname: Type.String(),
    artist: Type.String(),
    totalSnippets: Int,
    bpm: Int,
    allowAdds: Type.Boolean(),
    durations: Type.Array(Type.Number()),
  }),
)

/** Undefined when there is none. */
export const assetsFolder = (config: Config): string | undefined => findSeedFile(config, 'microkaraoke')

/** Names of all songs that have a folder. */
export async function songNames(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return []
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
}

/** Songs that can be started; folders with missing files are left out and logged. */
export async function songsToBegin(folder: string, names: readonly string[], log: Log): Promise<AssetSong[]> {
  const songs = await Promise.all(
    names.map((name) =>
      readSong(folder, name).catch((error: unknown) => {
        log.warn({ err: error, song: name }, 'a song of micro karaoke cannot be used')
        return undefined
      }),
    ),
  )
  return songs.filter((song) => song !== undefined)
}

async function readSong(folder: string, name: string): Promise<AssetSong | undefined> {
  const info = decodeInfo(JSON.parse(await readFile(join(folder, name, 'songinfo.json'), 'utf8')), 'json')
  if (!info.allowAdds) return undefined
  if (info.songname.normalize() !== name.normalize()) throw new Error('songname in songinfo.json is not the name of the folder')
  if (info.totalSnippets < 1 || info.durations.length !== info.totalSnippets)
    throw new Error('songinfo.json must have a duration for each of totalSnippets')
  const kinds = await Promise.all(info.durations.map((_, slot) => kindOf(join(folder, name, String(slot)))))
  const fillers = kinds.flatMap((kind, slot) => (kind === 'filler' ? [slot] : []))
  if (fillers.length === kinds.length) throw new Error('there is nothing to sing')
  return { name, artist: info.artist, bpm: info.bpm, durations: info.durations, fillers }
}

async function kindOf(slotFolder: string): Promise<'filler' | 'sung'> {
  const files = new Set(await readdir(slotFolder))
  const isFiller = files.has('fill.mp3')
  const missing = (isFiller ? ['fillVideoPortrait.mp4', 'fillVideoLandscape.mp4'] : ['lyric.txt', 'listen.mp3', 'record.mp3']).filter(
    (file) => !files.has(file),
  )
  if (missing.length > 0) throw new Error(`${slotFolder} has no ${missing.join(' and no ')}`)
  return isFiller ? 'filler' : 'sung'
}

/** The lyrics of a slot; undefined when the file is gone. */
export async function readLyrics(folder: string | undefined, name: string, slot: number): Promise<string | undefined> {
  if (folder === undefined) return undefined
  return await readFile(join(folder, name, String(slot), 'lyric.txt'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
}
