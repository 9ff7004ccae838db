// Reads the file of the karaoke library: one song per line, with artist, title and an optional tag, divided by tabs.
// Pure.
import { sortKey } from '../text/sort-key.ts'

/** The file's name in production. */
export const songFileName = 'karaoke-songs.txt'

export interface LibrarySong {
  artist: string
  songName: string
  /** Counts the recordings of the song. */
  version: number
  isMidi: boolean
  isVoiceReduced: boolean
  artistKey: string
  songKey: string
}

/** The tags that mean something, in the order in which recordings of one song are counted. */
const tags = ['', 'M', 'VR'] as const
type Tag = (typeof tags)[number]

// Artist and title stand in one entry of an index, and Postgres has room for so much in it.
const maxLength = 300

/**
 * The songs in the order of the file, each recording once. Lines that are none are skipped.
 *
 * @throws Error with a sentence for people when a line cannot be stored, or when there are lines and none is a song.
 */
export function readSongs(text: string): LibrarySong[] {
  const songs = new Map<string, { artist: string; songName: string; recordings: Set<Tag> }>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [artist, songName, tag] = line
      .split('\t')
      .map((field) => field.trim())
      .filter((field) => field !== '')
    if (artist === undefined || songName === undefined) continue
    requireStorable(artist, songName, index + 1)
    const key = `${artist}\t${songName}`
    let song = songs.get(key)
    if (!song) songs.set(key, (song = { artist, songName, recordings: new Set() }))
    song.recordings.add(tags.find((each) => each === tag) ?? '')
  }
  if (songs.size === 0 && text.trim() !== '') throw new Error('None of its lines is a song: artist and title, with a tab between them.')
  return [...songs.values()].flatMap(({ artist, songName, recordings }) => {
    const keys = { artistKey: sortKey(artist), songKey: sortKey(songName) }
    return tags
      .filter((tag) => recordings.has(tag))
      .map((tag, index) => ({ artist, songName, version: index + 1, isMidi: tag === 'M', isVoiceReduced: tag === 'VR', ...keys }))
  })
}

function requireStorable(artist: string, songName: string, line: number): void {
  for (const field of [artist, songName]) {
    if (field.includes('\0')) throw new Error(`Line ${line} has the NUL character in it.`)
    if (field.length > maxLength) throw new Error(`Line ${line}: artist and title can have ${maxLength} characters each.`)
  }
}
