// Which place the files of people are in.
import type { Config } from '../base/config.ts'
import { FolderStore, type FileStore } from './store.ts'

/** Opens the place that the operator has chosen. */
export async function openStore({ imagesDir }: Config): Promise<FileStore> {
  return new FolderStore(imagesDir)
}
