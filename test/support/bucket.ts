// A server that speaks S3, with one bucket, on a folder of its own.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** As this server knows whoever uses it. */
const key = 'S3RVER'
const bucket = 'pictures'

export interface TestBucket {
  /** Settings of the product, with which it keeps images there, below `prefix`. */
  env(prefix?: string): Record<string, string>
  /** Names of all files below `prefix`, in order. */
  files(prefix?: string): string[]
  /** Nothing answers until the returned function has run. */
  halt(): Promise<() => Promise<void>>
  stop(): Promise<void>
}

export async function startBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-bucket-'))
  const start = async (port: number) => {
    const server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets: [{ name: bucket }] })
    return { server, port: (await server.run()).port }
  }
  let running = await start(0)
  return {
    env: (prefix = '') => ({
      S3_BUCKET: prefix === '' ? bucket : `${bucket}/${prefix}`,
      S3_ENDPOINT: `http://127.0.0.1:${running.port}`,
      S3_ACCESS_KEY_ID: key,
      S3_SECRET_ACCESS_KEY: key,
    }),
    files(prefix = '') {
      const content = /\._S3rver_object$/
      const below = prefix === '' ? '' : `${prefix}/`
      return readdirSync(join(directory, bucket), { recursive: true, encoding: 'utf8' })
        .filter((path) => content.test(path) && path.startsWith(below))
        .map((path) => path.slice(below.length).replace(content, ''))
        .toSorted()
    },
    async halt() {
      await running.server.close()
      return async () => {
        running = await start(running.port)
      }
    },
    async stop() {
      await running.server.close()
      rmSync(directory, { recursive: true })
    },
  }
}
