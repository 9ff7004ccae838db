// Upgrades that are broken off: there is no room, or the program that upgrades is killed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { upgradeTests } from './chat.ts'
import { changed, currentOf, quarterdeck, stepWithinMs } from './kits.ts'

const on = upgradeTests()

describe('an upgrade', () => {
  it('that finds no room to unpack, or is killed while it unpacks or copies the database, changes nothing', async () => {
    const id = currentOf(on.place.home)
    const versions = () => readdirSync(join(on.place.home, 'versions'))
    const next = await changed(on.place.home, join(on.place.folder, 'broken-off.tar.gz'), {
      'sql/2099-01-02_broken_off.sql': 'create table broken_off (id int primary key);',
    })
    // No file may become as large as its runtime is.
    const small = spawnSync('/bin/sh', ['-c', 'ulimit -f 20000; exec ./quarterdeck upgrade "$0"', next], {
      cwd: on.place.home,
      env: { PATH: join(on.place.folder, 'place', 'bin'), HOME: on.place.folder, VAPOR_ENV: 'development' },
      encoding: 'utf8',
    })
    assert.equal(small.status, 1, small.stderr)
    assert.match(small.stdout + small.stderr, /cannot be unpacked: EFBIG/)
    await on.place.still(id)

    const unpacking = on.place.upgrade(next, '--no-rehearsal')
    await until(() => versions().includes('.new-version'), 'it unpacks', stepWithinMs)
    unpacking.kill('SIGKILL')
    await unpacking.ended
    assert.equal(currentOf(on.place.home), id)
    assert.equal(await on.place.isReady(), true)

    const bin = join(on.place.folder, 'slow disk')
    mkdirSync(bin)
    writeFileSync(
      join(bin, 'cp'),
      '#!/bin/sh\n/bin/mkdir -p "$3"\nwhile [ -d "$3" ]; do : > "$3/$((n = n + 1))" || exit; sleep 0.01; done\n',
      { mode: 0o755 },
    )
    const copying = quarterdeck(on.place.home, ['upgrade', next, '--no-rehearsal'], {
      PATH: `${bin}:${join(on.place.folder, 'place', 'bin')}`,
    })
    await until(() => existsSync(join(on.place.home, 'data', 'postgres.copying')), 'it copies the database', stepWithinMs)
    copying.kill('SIGKILL')
    await copying.ended
    await until(on.place.isReady, 'the place serves', stepWithinMs)
    await on.place.still(id)
    await on.chat.write('after all of this')
    await on.chat.isWhole()
  })

  it('that is killed while a version starts that cannot serve leaves people with the one before, and all that was written', async () => {
    const id = currentOf(on.place.home)
    const main = 'dist/src/main.js'
    const source = readFileSync(join(on.place.home, 'current', main), 'utf8')
    const worse = await changed(on.place.home, join(on.place.folder, 'worse.tar.gz'), {
      'sql/2099-01-02_worse.sql': 'create table worse (id int primary key);',
      [main]: `throw new Error('not here')\n${source}`,
    })
    await on.chat.write('before it')
    const upgrade = on.place.upgrade(worse, '--no-rehearsal')
    await until(() => currentOf(on.place.home) !== id, 'the new version takes its place', stepWithinMs)
    upgrade.kill('SIGKILL')
    await upgrade.ended
    await until(async () => currentOf(on.place.home) === id && (await on.place.isReady()), 'the one before serves', stepWithinMs)
    await on.chat.write('after it')
    await on.chat.isWhole()
    await on.place.still(id)
  })

  it('that is killed while the new version starts leaves people with the new version', async () => {
    const next = await changed(on.place.home, join(on.place.folder, 'unattended.tar.gz'), {
      'sql/2099-01-03_unattended.sql': 'create table unattended (id int primary key); select pg_sleep(2);',
    })
    const id = currentOf(on.place.home)
    const upgrade = on.place.upgrade(next, '--no-rehearsal')
    await until(() => currentOf(on.place.home) !== id, 'the new version takes its place', stepWithinMs)
    upgrade.kill('SIGKILL')
    await upgrade.ended
    await until(on.place.isReady, 'the place serves', stepWithinMs)
    assert.notEqual(currentOf(on.place.home), id)
    await on.chat.write('with the new version')
    await on.chat.isWhole()
  })

  it('that is killed in the middle of its last step leaves people with a version that serves', async () => {
    const next = await changed(on.place.home, join(on.place.folder, 'killed.tar.gz'), { 'note.txt': 'killed' })
    const upgrade = on.place.upgrade(next, '--no-rehearsal')
    // Killed as soon as the file is there, it may not have ended anything yet: then what runs goes on.
    await until(async () => existsSync(join(on.place.home, '.ending')) && !(await on.place.isReady()), 'the last step begins', stepWithinMs)
    upgrade.kill('SIGKILL')
    await upgrade.ended
    await until(async () => !existsSync(join(on.place.home, '.ending')) && (await on.place.isReady()), 'the place serves', stepWithinMs)
    await on.chat.isWhole()
    // Nothing is left of it: whoever ends the place now has it ended.
    const { holder } = JSON.parse(readFileSync(join(on.place.home, 'data', 'start.lock'), 'utf8')) as { holder: { pid: number } }
    process.kill(holder.pid, 'SIGTERM')
    assert.equal((await on.place.running.ended).code, 0)
  })
})
