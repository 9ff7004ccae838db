// Another version takes the place of a packed product while people write, and back.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { changed, currentOf, quarterdeck, startPacked, type PackedPlace } from './kits.ts'

const minute = 60_000
let place: PackedPlace
let token: string
let chat: string

const call = (method: string, path: string, content?: object) =>
  fetch(place.url(`/api/v3${path}`), {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(content ? { body: JSON.stringify(content) } : {}),
  })

/** Posts that were acknowledged, and those there are. */
const acknowledged: string[] = []
async function write(text: string): Promise<void> {
  const { status } = await call('POST', `/fez/${chat}/post`, { text, images: [], postAsModerator: false, postAsTwitarrTeam: false })
  if (status === 200 || status === 201) acknowledged.push(text)
}
async function postsThere(): Promise<string[]> {
  const texts: string[] = []
  for (let total = 1; texts.length < total;) {
    const answer = await call('GET', `/fez/${chat}?start=${texts.length}&limit=200`)
    const { members } = (await answer.json()) as { members: { paginator: { total: number }; posts: { text: string }[] } }
    total = members.paginator.total
    texts.push(...members.posts.map(({ text }) => text))
  }
  return texts
}

/** Writes until told to stop; resolves with how long nobody was served. */
function keepWriting(): () => Promise<number> {
  const stopped = new AbortController()
  let [longestMs, lastMs] = [0, performance.now()]
  const done = (async () => {
    for (let number = 0; !stopped.signal.aborted; number++) {
      await write(`post ${number} of ${Math.random()}`).then(
        () => {
          longestMs = Math.max(longestMs, performance.now() - lastMs)
          lastMs = performance.now()
        },
        () => undefined,
      )
    }
  })()
  return async () => {
    stopped.abort()
    await done
    return longestMs
  }
}

before(async () => {
  place = await startPacked()
  const answer = await fetch(place.url('/api/v3/auth/login'), {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from('james:password').toString('base64')}` },
  })
  token = ((await answer.json()) as { token: string }).token
  const group = { fezType: 'activity', title: 'While it changes', info: 'We write', minCapacity: 0, maxCapacity: 0, initialUsers: [] }
  const created = await call('POST', '/fez/create', group)
  assert.equal(created.status, 201)
  chat = ((await created.json()) as { fezID: string }).fezID
})
after(() => place.end())

describe('an upgrade', () => {
  it('goes back by itself when the new version does not come to serve, with all that was written', async () => {
    const id = currentOf(place.home)
    const main = 'dist/src/main.js'
    const source = readFileSync(join(place.home, 'current', main), 'utf8')
    const stop = keepWriting()
    const worse = await changed(place.home, join(place.folder, 'worse.tar.gz'), {
      'sql/2099-01-01_more.sql': 'create table more (id int primary key);\ndrop table microblog_post_edit;',
      [main]: `if (!process.env.DATA_DIR.includes('rehearsal')) throw new Error('not here')\n${source}`,
    })
    const { code, output } = await place.upgrade(worse, '--no-rehearsal').ended
    const longestMs = await stop()
    assert.equal(code, 1, output)
    assert.match(output, /The one before serves again, and nothing is lost/)
    await place.still(id)
    assert.ok(longestMs < minute, `nobody was served for ${longestMs} ms`)
    const there = new Set(await postsThere())
    assert.deepEqual(
      acknowledged.filter((text) => !there.has(text)),
      [],
    )
  })

  it('that cannot copy the database leaves people with the version they had, and nothing half copied', async () => {
    const id = currentOf(place.home)
    const bin = join(place.folder, 'full disk')
    mkdirSync(bin)
    writeFileSync(join(bin, 'cp'), '#!/bin/sh\n/bin/mkdir -p "$3"\nexit 1\n', { mode: 0o755 })
    const next = await changed(place.home, join(place.folder, 'full.tar.gz'), {
      'sql/2099-01-01_full.sql': 'create table full_disk (id int primary key);',
    })
    const { code, output } = await quarterdeck(place.home, ['upgrade', next, '--no-rehearsal'], {
      PATH: `${bin}:${join(place.folder, 'place', 'bin')}`,
    }).ended
    assert.equal(code, 1, output)
    assert.match(output, /could not be copied/)
    await place.still(id)
    await write('after the disk was full')
    assert.ok((await postsThere()).includes('after the disk was full'))
  })

  it('puts the new version in place while people write, and loses nothing', async () => {
    const [id, stop] = [currentOf(place.home), keepWriting()]
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
    const there = new Set(await postsThere())
    assert.deepEqual(
      acknowledged.filter((text) => !there.has(text)),
      [],
    )
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
    await write('between')
    const back = await quarterdeck(place.home, ['rollback']).ended
    assert.equal(back.code, 0, back.output)
    await place.still(id)
    assert.ok((await postsThere()).includes('between'))
  })

  it('that finds no room to unpack, or is killed while it unpacks or copies the database, changes nothing', async () => {
    const id = currentOf(place.home)
    const versions = () => readdirSync(join(place.home, 'versions'))
    const next = await changed(place.home, join(place.folder, 'broken-off.tar.gz'), {
      'sql/2099-01-02_broken_off.sql': 'create table broken_off (id int primary key);',
    })
    // No file may become as large as its runtime is.
    const small = spawnSync('/bin/sh', ['-c', 'ulimit -f 20000; exec ./quarterdeck upgrade "$0"', next], {
      cwd: place.home,
      env: { PATH: join(place.folder, 'place', 'bin'), HOME: place.folder, VAPOR_ENV: 'development' },
      encoding: 'utf8',
    })
    assert.equal(small.status, 1, small.stderr)
    assert.match(small.stdout + small.stderr, /cannot be unpacked: EFBIG/)
    await place.still(id)

    const unpacking = place.upgrade(next, '--no-rehearsal')
    await until(() => versions().some((name) => name.startsWith('.new-')), 'it unpacks', minute)
    unpacking.kill('SIGKILL')
    await unpacking.ended
    assert.equal(currentOf(place.home), id)
    assert.equal(await place.isReady(), true)

    const bin = join(place.folder, 'slow disk')
    mkdirSync(bin)
    writeFileSync(join(bin, 'cp'), '#!/bin/sh\n/bin/mkdir -p "$3"\nexec sleep 60\n', { mode: 0o755 })
    const copying = quarterdeck(place.home, ['upgrade', next, '--no-rehearsal'], {
      PATH: `${bin}:${join(place.folder, 'place', 'bin')}`,
    })
    await until(() => existsSync(join(place.home, 'data', 'postgres.copying')), 'it copies the database', minute)
    copying.kill('SIGKILL')
    await copying.ended
    await until(place.isReady, 'the place serves', minute)
    await place.still(id)
    await write('after all of this')
    assert.ok((await postsThere()).includes('after all of this'))
  })

  it('that is killed while the new version starts leaves people with the new version', async () => {
    const next = await changed(place.home, join(place.folder, 'unattended.tar.gz'), {
      'sql/2099-01-03_unattended.sql': 'create table unattended (id int primary key); select pg_sleep(2);',
    })
    const id = currentOf(place.home)
    const upgrade = place.upgrade(next, '--no-rehearsal')
    await until(() => currentOf(place.home) !== id, 'the new version takes its place', minute)
    upgrade.kill('SIGKILL')
    await upgrade.ended
    await until(place.isReady, 'the place serves', minute)
    assert.notEqual(currentOf(place.home), id)
    const there = new Set(await postsThere())
    assert.deepEqual(
      acknowledged.filter((text) => !there.has(text)),
      [],
    )
  })

  it('that is killed in the middle of its last step leaves people with a version that serves', async () => {
    const next = await changed(place.home, join(place.folder, 'killed.tar.gz'), { 'note.txt': 'killed' })
    const upgrade = place.upgrade(next, '--no-rehearsal')
    await until(() => existsSync(join(place.home, '.ending')), 'the last step begins', minute)
    upgrade.kill('SIGKILL')
    await upgrade.ended
    await until(async () => !existsSync(join(place.home, '.ending')) && (await place.isReady()), 'the place serves', minute)
    const there = new Set(await postsThere())
    assert.deepEqual(
      acknowledged.filter((text) => !there.has(text)),
      [],
    )
    // Nothing is left of it: whoever ends the place now has it ended.
    const { holder } = JSON.parse(readFileSync(join(place.home, 'data', 'start.lock'), 'utf8')) as { holder: { pid: number } }
    process.kill(holder.pid, 'SIGTERM')
    assert.equal((await place.running.ended).code, 0)
  })
})
