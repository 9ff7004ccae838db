// Another version takes the place of a packed product while people write, and back when somebody wants it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { UpgradeChat } from './chat.ts'
import { changed, currentOf, quarterdeck, startPacked, type PackedPlace } from './kits.ts'

const minute = 60_000
let place: PackedPlace
let chat: UpgradeChat
before(async () => {
  place = await startPacked()
  chat = await UpgradeChat.start(place)
})
after(() => place.end())

describe('an upgrade', () => {
  it('puts the new version in place while people write, and loses nothing', async () => {
    const [id, stop] = [currentOf(place.home), chat.keepWriting()]
    const figures = 'dist/src/console/figures.service.js'
    const source = readFileSync(join(place.home, 'current', figures), 'utf8')
    assert.match(source, /errorsInHour: await/)
    const next = await changed(place.home, join(place.folder, 'next.tar.gz'), {
      'sql/2099-01-01_next.sql': 'create table next_thing (id int primary key);',
      // What a server lacks just after its start alone is no difference.
      [figures]: source.replace('errorsInHour: await', `[process.uptime() < 12 ? 'early' : 'errorsInHour']: await`),
    })
    const { code, output } = await place.upgrade(next).ended
    const longestMs = await stop()
    assert.equal(code, 0, output)
    assert.notEqual(currentOf(place.home), id)
    assert.ok(longestMs < minute, `nobody was served for ${longestMs} ms`)
    await chat.isWhole()
    assert.match(place.running.output(), /1 migration: 2099-01-01_next/)
    assert.ok(existsSync(/The backup of before stays in (\S+)\.\n/.exec(output)?.[1] ?? ''), 'there is a backup')
    await place.still(currentOf(place.home))
  })

  it('is refused back to a version that cannot read the database', async () => {
    const { code, output } = await quarterdeck(place.home, ['rollback']).ended
    assert.equal(code, 1, output)
    assert.match(output, /cannot read the database any more: .*2099-01-01_next\.sql/)
    const older = await place.upgrade(place.archive).ended
    assert.match(older.output, /is older than .*: it does not know 2099-01-01_next\.sql/)
  })

  it('goes back where the database is the same, with what was written since', async () => {
    const id = currentOf(place.home)
    const next = await changed(place.home, join(place.folder, 'later.tar.gz'), { 'note.txt': 'nothing of the database' })
    const forth = await place.upgrade(next, '--no-rehearsal').ended
    assert.equal(forth.code, 0, forth.output)
    await chat.write('between')
    const back = await quarterdeck(place.home, ['rollback']).ended
    assert.equal(back.code, 0, back.output)
    await place.still(id)
    await chat.isWhole()
  })
})
