// Files in a bucket of a server that speaks S3: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
import type * as s3 from '@aws-sdk/client-s3'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BucketConfig } from '../base/config-services.ts'
import { OperatorError } from '../../supervisor/operator-error.ts'
import { batchesOf } from '../base/batches.ts'
import { storageFailed } from '../base/errors.ts'
import { incoming, Pieces, smallBytes, type StoredFile } from './files.ts'
import type { FileFacts, FileStore } from './store.ts'

type Sdk = typeof s3

const connectionTimeoutMs = 3000
/** Nothing comes or goes: the bucket hangs, or a phone takes no more of what is passed on to it. */
const silenceMs = 30_000
/** Until an answer begins, of questions that bring no file along. */
const quick = { requestTimeout: 8000 }
/** Larger files are sent in parts of this size, a few of them at a time. */
const partBytes = 8 * 1024 * 1024
const partsAtOnce = 2
/** Requests at once. */
const removedAtOnce = 30

/** Files in a bucket, below a prefix. */
export class BucketStore implements FileStore {
  readonly folder = undefined
  readonly #sdk: Sdk
  readonly #client: s3.S3Client
  readonly #bucket: string
  readonly #prefix: string
  /** Of this machine: for files that are worked on. */
  readonly #scratch: string

  private constructor(sdk: Sdk, { endpoint, region, bucket, prefix, credentials }: BucketConfig, scratch: string) {
    this.#sdk = sdk
    this.#client = new sdk.S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(credentials ? { credentials } : {}),
      requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: silenceMs, throwOnRequestTimeout: true },
      // Other servers than Amazon's do not all know these.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
    this.#bucket = bucket
    this.#prefix = prefix
    this.#scratch = scratch
  }

  /** Loads the library, which nobody needs who has no bucket. `scratch`: a folder of this machine. */
  static async open(config: BucketConfig, scratch: string): Promise<BucketStore> {
    return new BucketStore(await import('@aws-sdk/client-s3'), config, scratch)
  }

  get name(): string {
    return `the bucket ${this.#bucket}${this.#prefix === '' ? '' : `, below ${this.#prefix}`}`
  }

  async check(): Promise<void> {
    // Of its own: others check at the same time.
    const path = `${incoming}/check-${Math.random().toString(36).slice(2)}`
    const { HeadBucketCommand, PutObjectCommand } = this.#sdk
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), quick)
      await this.#client.send(new PutObjectCommand({ ...this.#at(path), Body: Buffer.from('x') }))
    } catch (error) {
      const status = statusOf(error)
      if (status === 404) throw new OperatorError(`There is no bucket ${this.#bucket} (S3_BUCKET).`, { cause: error })
      if (status === 400 || status === 401 || status === 403)
        throw new OperatorError(`Nothing may be written to ${this.name} (${(error as Error).name}).`, { cause: error })
      throw storageFailed(error)
    }
    await this.read(path)
    await this.remove(path)
  }

  async find(path: string): Promise<(StoredFile & { small: boolean }) | undefined> {
    const { GetObjectCommand } = this.#sdk
    // All of what is small, and the size of what is not, in one request.
    const found = await unlessMissing(async () => {
      const answer = await this.#client.send(new GetObjectCommand({ ...this.#at(path), Range: `bytes=0-${smallBytes}` }), quick)
      const size = Number(/\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1] ?? answer.ContentLength ?? 0)
      const modifiedMs = answer.LastModified?.getTime() ?? 0
      if (size <= smallBytes) return { size, modifiedMs, content: Buffer.from((await answer.Body?.transformToByteArray()) ?? []) }
      ;(answer.Body as Readable | undefined)?.destroy()
      return { size, modifiedMs, content: undefined }
    })
    if (!found) return undefined
    const { size, modifiedMs, content } = found
    if (content) return { size: content.length, modifiedMs, small: true, part: (start, end) => content.subarray(start, end) }
    return { size, modifiedMs, small: false, part: (start, end) => new Pieces(this.#pieces(path, start, end), end - start) }
  }

  async *#pieces(path: string, start: number, end: number): AsyncGenerator<Buffer, void> {
    const content = await this.#content(path, `bytes=${start}-${end - 1}`)
    if (content) yield* content.content as AsyncIterable<Buffer>
  }

  async stat(path: string): Promise<FileFacts | undefined> {
    const { HeadObjectCommand } = this.#sdk
    const answer = await unlessMissing(() => this.#client.send(new HeadObjectCommand(this.#at(path)), quick))
    return answer && { size: answer.ContentLength ?? 0, modifiedMs: answer.LastModified?.getTime() ?? 0 }
  }

  async read(path: string, firstBytes?: number): Promise<Buffer | undefined> {
    const answer = await this.#content(path, firstBytes === undefined ? undefined : `bytes=0-${firstBytes - 1}`)
    if (!answer) return undefined
    return Buffer.concat(await translated(() => answer.content.toArray() as Promise<Buffer[]>)).subarray(0, firstBytes)
  }

  async open(path: string): Promise<(FileFacts & { content: Readable }) | undefined> {
    return await this.#content(path)
  }

  async #content(path: string, range?: string): Promise<(FileFacts & { content: Readable }) | undefined> {
    const { GetObjectCommand } = this.#sdk
    const answer = await unlessMissing(() => this.#client.send(new GetObjectCommand({ ...this.#at(path), Range: range }), quick))
    if (!answer) return undefined
    return {
      size: answer.ContentLength ?? 0,
      modifiedMs: answer.LastModified?.getTime() ?? 0,
      content: answer.Body as Readable,
    }
  }

  async use<T>(path: string, work: (file: string) => Promise<T>): Promise<T | undefined> {
    const found = await this.open(path)
    if (!found) return undefined
    const file = await this.#scratchFile()
    try {
      await translated(() => pipeline(found.content, createWriteStream(file, { mode: 0o600 })))
      return await work(file)
    } finally {
      await rm(file, { force: true })
    }
  }

  async #scratchFile(): Promise<string> {
    const folder = join(this.#scratch, incoming)
    await mkdir(folder, { recursive: true })
    return join(folder, `bucket-${crypto.randomUUID()}`)
  }

  async put(path: string, content: Buffer | string): Promise<void> {
    const size = typeof content === 'string' ? (await stat(content)).size : content.length
    await translated(async () => {
      if (typeof content === 'string' && size > partBytes) return await this.#putParts(path, content)
      const { PutObjectCommand } = this.#sdk
      const body = typeof content === 'string' ? await readFile(content) : content
      await this.#client.send(new PutObjectCommand({ ...this.#at(path), Body: body }))
    })
    if (typeof content === 'string') await rm(content, { force: true })
  }

  async #putParts(path: string, file: string): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage')
    const params = { ...this.#at(path), Body: createReadStream(file) }
    await new Upload({ client: this.#client, params, partSize: partBytes, queueSize: partsAtOnce }).done()
  }

  async move(from: string, to: string): Promise<void> {
    const { CopyObjectCommand } = this.#sdk
    const source = encodeURI(`${this.#bucket}/${this.#prefix}${from}`)
    const copied = await unlessMissing(() => this.#client.send(new CopyObjectCommand({ ...this.#at(to), CopySource: source }), quick))
    if (copied) await this.remove(from)
  }

  async remove(path: string): Promise<void> {
    const { DeleteObjectCommand } = this.#sdk
    await translated(() => this.#client.send(new DeleteObjectCommand(this.#at(path)), quick))
  }

  async removeAll(): Promise<void> {
    // One by one: what removes many in one request asks for sums that not all servers know.
    for await (const files of batchesOf(this.list(), removedAtOnce)) await Promise.all(files.map(({ path }) => this.remove(path)))
  }

  async *list(folder = ''): AsyncGenerator<FileFacts & { path: string }, void> {
    const { ListObjectsV2Command } = this.#sdk
    const below = this.#prefix + (folder === '' ? '' : `${folder}/`)
    let token: string | undefined
    do {
      const question = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: below, ContinuationToken: token })
      const page = await translated(() => this.#client.send(question, quick))
      for (const { Key: key = '', Size: size = 0, LastModified: modified } of page.Contents ?? [])
        yield { path: key.slice(this.#prefix.length), size, modifiedMs: modified?.getTime() ?? 0 }
      token = page.NextContinuationToken
    } while (token !== undefined)
  }

  close(): void {
    this.#client.destroy()
  }

  #at(path: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + path }
  }
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode

/** Undefined when there is no such file, and when a part of an empty one was wanted. @throws as `translated`. */
async function unlessMissing<T>(question: () => Promise<T>): Promise<T | undefined> {
  return await translated(() =>
    question().catch((error: unknown) => {
      const status = statusOf(error)
      if ((status === 404 && (error as Error).name !== 'NoSuchBucket') || status === 416) return undefined
      throw error
    }),
  )
}

/** @throws AppError 503 for every refusal of the bucket, and when there is no answer. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageFailed(error)
  }
}
