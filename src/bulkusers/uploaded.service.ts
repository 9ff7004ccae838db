// The file of users that was uploaded last. All servers and workers share it, for a day.
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Node } from '../core/work/ctx.ts'
import { adminUploads, incoming } from '../core/files/files.ts'

export const uploadedPath = `${adminUploads}/userfile.zip`

/** Without being used. It may hold digests of passwords. */
const keptMs = 60_000

/** Of a node. */
type Machine = Pick<Node, 'clock' | 'config' | 'files' | 'random'>

/** A copy on this machine. */
interface Copy {
  /** Which upload it is of. */
  readonly tag: string
  readonly file: Promise<string | undefined>
  forget: () => void
}

const copies = new WeakMap<Machine, Copy>()

/**
 * Has `work` use it as a file of this machine; undefined when there is none. From a bucket it is brought once: thousands of pictures
 * are taken from it, one by one.
 */
export async function useUploaded<T>(node: Machine, work: (file: string) => Promise<T>): Promise<T | undefined> {
  const { store } = node.files
  if (store.folder !== undefined) return await store.use(uploadedPath, work)
  const facts = await store.stat(uploadedPath)
  if (!facts) return undefined
  const tag = `${facts.modifiedMs} ${facts.size}`
  let copy = copies.get(node)
  if (copy?.tag !== tag) {
    copies.set(node, (copy = { tag, file: bring(node), forget: () => undefined }))
    // The next one tries again.
    copy.file.catch(() => copies.delete(node))
  }
  try {
    const file = await copy.file
    return file === undefined ? undefined : await work(file)
  } finally {
    keep(node, copy)
  }
}

/** For a while, from now on. */
function keep(node: Machine, copy: Copy): void {
  copy.forget()
  copy.forget = node.clock.after(keptMs, () => {
    if (copies.get(node) === copy) copies.delete(node)
    copy.file.then((file) => (file === undefined ? undefined : rm(file, { force: true }))).catch(() => undefined)
  })
}

async function bring({ config, files, random }: Machine): Promise<string | undefined> {
  const found = await files.store.open(uploadedPath)
  if (!found) return undefined
  const folder = join(config.imagesDir, incoming)
  const file = join(folder, random.uuid().toUpperCase())
  await mkdir(folder, { recursive: true })
  try {
    await pipeline(found.content, createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  return file
}
