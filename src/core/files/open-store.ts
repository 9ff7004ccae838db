// Which place the files of people are in.
import type { Config } from '../base/config.ts'
import { BucketStore } from './bucket-store.ts'
import { FolderStore, type FileStore } from './store.ts'
import { TwoStores } from './two-stores.ts'

/** Opens the place that the operator has chosen. Where there is a bucket, files that are still in the other place are found, too. */
export async function openStore(config: Pick<Config, 'imagesDir' | 'bucket'>): Promise<FileStore> {
  return (await openBoth(config)) ?? new FolderStore(config.imagesDir)
}

/** Where there is a bucket: with the folder beside it. The one that takes new files comes first. */
export async function openBoth({ imagesDir, bucket: config }: Pick<Config, 'imagesDir' | 'bucket'>): Promise<TwoStores | undefined> {
  if (!config) return undefined
  const [folder, bucket] = [new FolderStore(imagesDir), await BucketStore.open(config, imagesDir)]
  return config.takesNew ? new TwoStores(bucket, folder) : new TwoStores(folder, bucket)
}
