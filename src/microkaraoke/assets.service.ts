// The files of songs, served to everybody.
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { noSuchRoute } from '../core/base/errors.ts'
import { fileReply } from '../core/http/file-reply.ts'
import { staticPath } from '../core/http/static-path.ts'
import { openFile, type StoredFile } from '../core/files/files.ts'
import type { Page } from '../core/http/http.ts'
import { assetsFolder } from './assets.ts'

const root = '/microkaraoke/'
const contentTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.txt': 'text/plain; charset=utf-8',
}

/** Everything in the folder of songs that is a sound, a video or a text. */
export const assetsPage: Page = {
  path: `${root}*`,
  about: { summary: 'Sounds, videos and texts of the songs of micro karaoke.', type: '*/*', file: true, refusals: [403, 404] },
  async run({ config }, _params, head) {
    const segments = staticPath(head.url, root)
    const folder = assetsFolder(config)
    const type = contentTypes[extname(segments.at(-1) ?? '').toLowerCase()]
    const file = folder !== undefined && type !== undefined ? await find(join(folder, ...segments)) : undefined
    if (!file || type === undefined) throw noSuchRoute()
    return fileReply(file, type)
  },
}

/** In whatever case the name is written: the backing track comes in two spellings. */
async function find(path: string): Promise<StoredFile | undefined> {
  const exact = await openFile(path)
  if (exact) return exact
  const wanted = basename(path).toLowerCase()
  const names = await readdir(dirname(path)).catch(() => [])
  const name = names.find((each) => each.toLowerCase() === wanted)
  return name === undefined ? undefined : await openFile(join(dirname(path), name))
}
