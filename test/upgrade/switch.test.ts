// Another version takes the place of a packed product while people write, and back when somebody wants it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { upgradeTests } from './chat.ts'
import { changed, currentOf, quarterdeck } from './kits.ts'

const minute = 60_000
const on = upgradeTests()

describe('an upgrade', () => {
  it('puts the new version in place while people write, and loses nothing', async () => {
    const [id, stop] = [currentOf(on.place.home), on.chat.keepWriting()]
    const figures = 'dist/src/console/figures.service.js'
    const source = readFileSync(join(on.place.home, 'current', figures), 'utf8')
    assert.match(source, /errorsInHour: await/)
    const next = await changed(on.place.home, join(on.place.folder, 'next.tar.gz'), {
      'sql/2099-01-01_next.sql': 'create table next_thing (id int primary key);',
      // What a server lacks just after its start alone is no difference.
      [figures]: source.replace('errorsInHour: await', `[process.uptime() < 12 ? 'early' : 'errorsInHour']: await`),
    })
    const { code, output } = await on.place.upgrade(next).ended
    const longestMs = await stop()
    assert.equal(code, 0, output)
    assert.notEqual(currentOf(on.place.home), id)
    assert.ok(longestMs < minute, `nobody was served for ${longestMs} ms`)
    await on.chat.isWhole()
    assert.match(on.place.running.output(), /1 migration: 2099-01-01_next/)
    assert.ok(existsSync(/The backup of before stays in (\S+)\.\n/.exec(output)?.[1] ?? ''), 'there is a backup')
    await on.place.still(currentOf(on.place.home))
  })

  it('is refused back to a version that cannot read the database', async () => {
    const { code, output } = await quarterdeck(on.place.home, ['rollback']).ended
    assert.equal(code, 1, output)
    assert.match(output, /cannot read the database any more: .*2099-01-01_next\.sql/)
    const older = await on.place.upgrade(on.place.archive).ended
    assert.match(older.output, /is older than .*: it does not know 2099-01-01_next\.sql/)
  })

  it('goes back where the database is the same, with what was written since', async () => {
    const id = currentOf(on.place.home)
    const next = await changed(on.place.home, join(on.place.folder, 'later.tar.gz'), { 'note.txt': 'nothing of the database' })
    const forth = await on.place.upgrade(next, '--no-rehearsal').ended
    assert.equal(forth.code, 0, forth.output)
    await on.chat.write('between')
    const back = await quarterdeck(on.place.home, ['rollback']).ended
    assert.equal(back.code, 0, back.output)
    await on.place.still(id)
    await on.chat.isWhole()
  })
})
