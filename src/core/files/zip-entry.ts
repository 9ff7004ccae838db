// Stored files as entries of a zip.
import type { Options, ZipFile } from 'yazl'
import type { FileStore } from './store.ts'

/** Adds a stored file as it is. It is opened when its turn comes: there may be thousands. Is it gone by then, the zip fails. */
export function addStoredFile(
  zip: ZipFile,
  store: FileStore,
  { path, size }: { path: string; size: number },
  name: string,
  options: Partial<Options> = {},
): void {
  zip.addReadStreamLazy(name, { ...options, compress: false, size }, (give) => {
    store.open(path).then(
      (file) => (file ? give(undefined, file.content) : give(new Error(`${path} is gone`), undefined as never)),
      (error: unknown) => give(error as Error, undefined as never),
    )
  })
}
