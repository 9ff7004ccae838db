// Where songs and videos lie, on the disk and for clients. Pure.
import type { Config } from '../core/base/config.ts'
import { isUuid } from '../core/schema/decode.ts'
import type { SnippetRow, SongRow } from './queries.ts'

/** Folder of recordings, below that of images. */
export const videosFolder = 'microkaraokevideos'

/** Below the folder of images. */
export const videoPath = (snippetId: string): string => `${videosFolder}/${snippetId.toUpperCase()}.mp4`

/** The snippet of a file name, in lower case; undefined when it is no such name. */
export function snippetOf(filename: string): string | undefined {
  const [id = '', extension, ...more] = filename.split('.')
  return isUuid(id) && extension === 'mp4' && more.length === 0 ? id.toLowerCase() : undefined
}

/** A file of a song. */
export const assetUrl = ({ externalUrl }: Config, song: string, ...path: (string | number)[]): string =>
  [externalUrl, 'microkaraoke', encodeURIComponent(song), ...path].join('/')

/** The video of a filled slot. */
export function videoUrl(
  config: Config,
  { name, isPortrait }: Pick<SongRow, 'name' | 'isPortrait'>,
  { id, slot, isFiller }: SnippetRow,
): string {
  if (isFiller) return assetUrl(config, name, slot, isPortrait ? 'fillVideoPortrait.mp4' : 'fillVideoLandscape.mp4')
  return `${config.externalUrl}/api/v3/microkaraoke/video/${id.toUpperCase()}.mp4`
}
