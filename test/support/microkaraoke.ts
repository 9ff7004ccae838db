// Songs of micro karaoke: folders with their files, and songs and snippets straight in the database.
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtIn } from '../../src/accounts/rows.ts'
import type { TestNodes } from './app.ts'

export interface SongOptions {
  slots?: number
  fillers?: number[]
  allowAdds?: boolean
}

/** Writes the folder of a song into the folder of all songs. */
export function writeSong(folder: string, name: string, { slots = 6, fillers = [], allowAdds = true }: SongOptions = {}): void {
  const put = (path: string, content: string | Buffer) => writeFileSync(join(folder, name, path), content)
  mkdirSync(join(folder, name), { recursive: true })
  put(
    'songinfo.json',
    JSON.stringify({
      songname: name,
      artist: `Artist of ${name}`,
      totalSnippets: slots,
      bpm: 120,
      allowAdds,
      durations: Array.from({ length: slots }, (_, slot) => slot + 1.5),
    }),
  )
  put('karaokeaudio.mp3', `music of ${name}`)
  for (let slot = 0; slot < slots; slot++) {
    mkdirSync(join(folder, name, String(slot)), { recursive: true })
    const files = fillers.includes(slot) ? ['fill.mp3', 'fillVideoPortrait.mp4', 'fillVideoLandscape.mp4'] : ['listen.mp3', 'record.mp3']
    for (const file of files) put(`${slot}/${file}`, `${file} of ${name} ${slot}`)
    if (!fillers.includes(slot)) put(`${slot}/lyric.txt`, `line ${slot} of ${name}\n`)
  }
}

/** A song with one slot for each singer, all sung; returns its id and those of the snippets. */
export async function sungSong(
  { sql }: TestNodes,
  singerIds: readonly string[],
  { approved = false } = {},
): Promise<{ songID: number; snippetIDs: string[] }> {
  const snippetIDs = singerIds.map(() => randomUUID())
  const [song] = await sql<[{ id: number }]>`
    with song as (
      insert into mk_song (name, artist, bpm, is_portrait, durations, is_complete, mod_approved, created_at, updated_at)
      values ('Sung', 'Singers', 90, true, ${singerIds.map(() => 2)}::float8[], true, ${approved}, now(), now()) returning id),
    snippets as (
      insert into mk_snippet (id, song_id, slot, author_id, is_filler, created_at, updated_at)
      select snippet.id, song.id, snippet.slot - 1, snippet.author_id, snippet.author_id = ${builtIn.MicroKaraoke}, now(), now()
      from song cross join unnest(${snippetIDs}::uuid[], ${singerIds}::uuid[]) with ordinality as snippet (id, author_id, slot))
    select id from song`
  return { songID: song.id, snippetIDs }
}
