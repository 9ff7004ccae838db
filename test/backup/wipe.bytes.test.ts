// After a wipe, no word of any user is left in any file of the data directory: not in tables, not in what the planner
// keeps, not in the write-ahead log.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import postgres from 'postgres'
import { runningPostgres } from '../../src/embedded/postgres.ts'
import { Client } from '../support/client.ts'
import { body } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { healthy, newPlace, startProduct } from '../support/product.ts'
import { runTool } from '../support/tools.ts'

/** Which of the words stand in which files. */
function found(directory: string, words: readonly string[]): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(directory, path)).isFile())
    .flatMap((path) => {
      const bytes = readFileSync(join(directory, path))
      return words.filter((word) => bytes.includes(word)).map((word) => `${word} in ${path}`)
    })
}

test('wipe: planted words are in no byte of the data directory', { timeout: 280_000 }, async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place)
  await product.says('Quarterdeck is running')
  await healthy(place)
  const words = Array.from({ length: 6 }, () => `marker${randomBytes(8).toString('hex')}`)
  const [username, post, title, profile, word, message] = words as [string, string, string, string, string, string]
  const open = new Client(`http://127.0.0.1:${place.port}`)
  const { token } = await body(open.post('/auth/login', undefined, { basic: ['james', 'password'] }))
  const james = new Client(open.url, token)
  await body(open.post('/user/create', { username, password: 'a password' }), 201)
  for (let posts = 0; posts < 50; posts++) await body(james.post('/microblog/create', content(`${post} number ${posts} ${post}`)), 201)
  const { fezID } = await body(
    james.post('/fez/create', { fezType: 'gaming', title, info: 'Some cards', minCapacity: 0, maxCapacity: 0, initialUsers: [] }),
    201,
  )
  await body(james.post(`/fez/${fezID}/post`, content(message)), 201)
  await body(james.post('/user/profile', { about: profile }))
  await body(james.post(`/user/alertwords/add/${word}`))

  // The planner looks at everything once in a while.
  const url = runningPostgres(join(place.dataDir, 'postgres'), 'quarterdeck')
  const sql = postgres(url as string, { max: 1, onnotice: () => undefined })
  await sql`analyze`
  await sql.end()
  await product.stop()
  const before = found(place.dataDir, words)
  // One or the other may stand there compressed only.
  const written = words.filter((each) => before.some((line) => line.startsWith(each)))
  assert.ok(written.length >= 4, before.join('\n'))
  assert.ok(
    before.some((line) => line.includes('pg_wal')),
    before.join('\n'),
  )

  const { code, output } = await runTool('wipe', ['--yes'], { DATA_DIR: place.dataDir })
  assert.equal(code, 0, output)
  assert.ok(!output.includes('may still hold'), output)
  assert.deepEqual(found(place.dataDir, words), [])
})
