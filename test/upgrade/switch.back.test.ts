// A packed product whose upgrade comes to nothing in its last step, while people write.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { upgradeTests } from './chat.ts'
import { changed, currentOf, quarterdeck, stepWithinMs } from './kits.ts'

const minute = 60_000
const on = upgradeTests()

describe('an upgrade', () => {
  it('goes back by itself when the new version does not come to serve, with all that was written', async () => {
    const id = currentOf(on.place.home)
    const main = 'dist/src/main.js'
    const source = readFileSync(join(on.place.home, 'current', main), 'utf8')
    const stop = on.chat.keepWriting()
    const worse = await changed(on.place.home, join(on.place.folder, 'worse.tar.gz'), {
      'sql/2099-01-01_more.sql': 'create table more (id int primary key);\ndrop table microblog_post_edit;',
      [main]: `if (!process.env.DATA_DIR.includes('rehearsal')) throw new Error('not here')\n${source}`,
    })
    const { code, output } = await on.place.upgrade(worse, '--no-rehearsal').ended
    const longestMs = await stop()
    assert.equal(code, 1, output)
    assert.match(output, /The one before serves again, and nothing is lost/)
    await on.place.still(id)
    assert.ok(longestMs < minute, `nobody was served for ${longestMs} ms`)
    await on.chat.isWhole()
  })

  it('lets nobody in while the new version is tried: what people are told stays when it goes back', async (t) => {
    const id = currentOf(on.place.home)
    const [routes, start] = ['dist/src/client/routes.js', 'dist/src/commands/start.js'] as const
    const read = (name: string) => readFileSync(join(on.place.home, 'current', name), 'utf8')
    // It serves, without something that apps ask first, and ends when it is told to.
    const end = join(on.place.folder, 'end')
    const worse = await changed(on.place.home, join(on.place.folder, 'worse.tar.gz'), {
      'sql/2099-01-01_worse.sql': 'create table worse (id int primary key);',
      [routes]: read(routes).replace("'/client/health'", "'/client/elsewhere'"),
      [start]: `import { existsSync as isThere } from 'node:fs'\nsetInterval(() => isThere('${end}') && process.exit(1), 100)\n${read(start)}`,
    })
    const stop = on.chat.keepWriting()
    t.after(stop)
    const upgrade = on.place.upgrade(worse, '--no-rehearsal')
    await until(() => currentOf(on.place.home) !== id, 'the new version takes its place', stepWithinMs)
    let reason = ''
    const isKeptOut = async () => {
      const answer = await fetch(on.place.url('/api/v3/client/settings')).catch(() => undefined)
      if (answer?.status === 503) reason = await answer.text()
      return answer?.status === 503
    }
    await until(isKeptOut, 'it serves, and lets nobody in', stepWithinMs)
    assert.match(reason, /"restarting"/)
    writeFileSync(end, '')
    const { code, output } = await upgrade.ended
    const longestMs = await stop()
    assert.equal(code, 1, output)
    assert.match(output, /it ended by itself/)
    await on.place.still(id)
    assert.ok(longestMs < minute, `nobody was served for ${longestMs} ms`)
    await on.chat.isWhole()
  })

  it('that cannot copy the database leaves people with the version they had, and nothing half copied', async () => {
    const id = currentOf(on.place.home)
    const bin = join(on.place.folder, 'full disk')
    mkdirSync(bin)
    writeFileSync(join(bin, 'cp'), '#!/bin/sh\n/bin/mkdir -p "$3"\nexit 1\n', { mode: 0o755 })
    const next = await changed(on.place.home, join(on.place.folder, 'full.tar.gz'), {
      'sql/2099-01-01_full.sql': 'create table full_disk (id int primary key);',
    })
    const { code, output } = await quarterdeck(on.place.home, ['upgrade', next, '--no-rehearsal'], {
      PATH: `${bin}:${join(on.place.folder, 'place', 'bin')}`,
    }).ended
    assert.equal(code, 1, output)
    assert.match(output, /could not be copied/)
    await on.place.still(id)
    await on.chat.write('after the disk was full')
    await on.chat.isWhole()
  })
})
