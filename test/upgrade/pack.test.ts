// A packed product on a machine without Node: what it is made of, and how an upgrade ends that should not come to anything.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTime } from '../../src/supervisor/process-table.ts'
import { until } from '../support/until.ts'
import { changed, currentOf, pack, quarterdeck, startPacked, stepWithinMs, tiny, type PackedPlace } from './kits.ts'

let place: PackedPlace
before(async () => {
  place = await startPacked()
})
after(() => place.end())

describe('what is packed', () => {
  it('is the same to the byte the next time', () => {
    const again = pack(join(place.folder, 'again'))
    const sums = [place.archive, again].map((file) => readFileSync(`${file}.sha256`, 'utf8'))
    assert.equal(sums[0], sums[1])
  })

  it('serves without Node, with the browser app, and says which commands it knows', async () => {
    const page = await fetch(place.url('/login'), { headers: { Accept: 'text/html' } })
    assert.match(await page.text(), /<script type="module"|src="\/web\/main-/)
    const { code, output } = await quarterdeck(place.home, ['--help']).ended
    assert.equal(code, 0)
    assert.match(output, /quarterdeck upgrade <file>/)
    assert.doesNotMatch(output, /npm/)
    assert.match(place.running.output(), /A server for real people: \S*quarterdeck setup/)
  })

  it('keeps settings and data beside the versions', () => {
    assert.deepEqual(
      readdirSync(place.home)
        .filter((name) => !name.startsWith('.'))
        .toSorted(),
      ['README.md', 'current', 'data', 'quarterdeck', 'versions'],
    )
  })

  it('says what is in it', () => {
    const bill = JSON.parse(readFileSync(place.archive.replace(/\.tar\.gz$/, '.sbom.json'), 'utf8')) as { components: { purl: string }[] }
    const there = bill.components.map(({ purl }) => purl)
    for (const each of ['pkg:generic/node@', 'pkg:npm/bullmq@', 'pkg:npm/%40msgpack/msgpack@'])
      assert.ok(
        there.some((purl) => purl.startsWith(each)),
        each,
      )
    assert.ok(!there.some((purl) => purl.includes('typescript')), 'what only developers need')
    assert.match(readFileSync(join(place.home, 'current', 'LICENSES.txt'), 'utf8'), /postgres 3\.[^]*Unlicense/)
  })

  it('makes a unit of systemd with its own folders', async () => {
    const { output } = await quarterdeck(place.home, ['service', '--user', 'ship']).ended
    assert.match(output, new RegExp(`^ExecStart=${place.home}/quarterdeck start --env development$`, 'm'))
    assert.match(output, /^User=ship$/m)
    assert.match(output, new RegExp(`^ReadWritePaths=.*${place.home}/data`, 'm'))
  })
})

describe('an upgrade is refused, and nobody notices,', () => {
  it('with a file that is damaged, of another machine, or leads out of its folder', async () => {
    const id = currentOf(place.home)
    const file = (name: string) => join(place.folder, name)
    const refused = async (archive: string, why: RegExp) => {
      const { code, output } = await place.upgrade(archive).ended
      assert.equal(code, 1, output)
      assert.match(output, why)
      await place.still(id)
    }
    await refused(file('missing.tar.gz'), /There is no file/)
    const damaged = file('damaged.tar.gz')
    const bytes = readFileSync(place.archive)
    writeFileSync(damaged, bytes.subarray(0, bytes.length / 10))
    await refused(damaged, /damaged\.tar\.gz cannot be unpacked/)
    writeFileSync(`${damaged}.sha256`, readFileSync(`${place.archive}.sha256`))
    await refused(damaged, /is not the file that its checksum is for/)
    const one = { name: 'one.txt', text: 'one' }
    await refused(await tiny(file('foreign.tar.gz'), [one], { platform: 'sunos-sparc' }), /for sunos-sparc, and this machine is/)
    await refused(await tiny(file('unlisted.tar.gz'), [one], { files: {} }), /the file one\.txt is not as its list says/)
    const other = { 'one.txt': { sha256: '0'.repeat(64), size: 3 } }
    await refused(await tiny(file('other.tar.gz'), [one], { files: other }), /the file one\.txt is not as its list says/)
    await refused(await tiny(file('out.tar.gz'), [{ name: '../../../../out.txt', text: 'out' }]), /leads elsewhere/)
    await refused(await tiny(file('link.tar.gz'), [{ name: 'link', link: '../../../outside' }]), /leads elsewhere/)
    await refused(await tiny(file('root.tar.gz'), [{ name: 'link', link: '/etc' }]), /leads elsewhere/)
  })

  it('when a migration fails in the rehearsal', async () => {
    const [id, pid] = [currentOf(place.home), readFileSync(join(place.home, 'data', 'start.lock'), 'utf8')]
    const broken = await changed(place.home, join(place.folder, 'migration.tar.gz'), {
      'sql/2099-01-01_broken.sql': 'alter table account add column x int not null;',
    })
    const { code, output } = await place.upgrade(broken).ended
    assert.equal(code, 1, output)
    assert.match(output, /The migrations of the new version fail on a copy of your data[^]*sql\/2099-01-01_broken\.sql/)
    await place.still(id)
    assert.equal(readFileSync(join(place.home, 'data', 'start.lock'), 'utf8'), pid, 'the same processes run')
  })

  it('when it is killed in the rehearsal, whose processes end with it', async () => {
    const id = currentOf(place.home)
    const next = await changed(place.home, join(place.folder, 'killed.tar.gz'), { 'note.txt': 'killed in the rehearsal' })
    const upgrade = place.upgrade(next)
    const lock = join(place.home, 'data', 'rehearsal', 'data', 'start.lock')
    const holder = () => {
      try {
        const held = JSON.parse(readFileSync(lock, 'utf8')) as { holder: { pid: number }; processes: Record<string, unknown> }
        return held.processes['The server'] ? held.holder.pid : undefined
      } catch {
        return undefined
      }
    }
    await until(() => holder() !== undefined, 'a server of the rehearsal runs', stepWithinMs)
    const pid = holder() as number
    assert.match((await place.upgrade(next).ended).output, /Another upgrade is under way \(process \d+\)/)
    assert.match((await quarterdeck(place.home, ['rollback']).ended).output, /Another upgrade is under way/)
    upgrade.kill('SIGKILL')
    await upgrade.ended
    await until(() => startTime(pid) === undefined, 'it ends, too', stepWithinMs)
    assert.equal(currentOf(place.home), id)
    assert.equal(await place.isReady(), true)
  })

  it('when answers, data or what can be written differ, and it says which', async () => {
    const id = currentOf(place.home)
    const views = 'dist/src/fez/views.js'
    const source = readFileSync(join(place.home, 'current', views), 'utf8')
    assert.match(source, /participantCount:/)
    const other = await changed(place.home, join(place.folder, 'members.tar.gz'), {
      [views]: source.replaceAll('participantCount:', 'people:'),
      'sql/2099-01-01_careless.sql': [
        '-- changes: trigger refused',
        "update account set about = 'nothing';",
        "create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;",
        'create trigger refused before insert on microblog_post for each row execute function refuse();',
      ].join('\n'),
    })
    const { code, output } = await place.upgrade(other).ended
    assert.equal(code, 1, output)
    assert.match(output, /Answers differ:[^]*without .*participantCount number/)
    assert.match(output, /POST \/api\/v3\/microblog\/create .*answered 201 before, 500 now/)
    const [, data] = /The data differ, and the migrations do not say so:\n([^]*?)\nNothing was changed/.exec(output) ?? []
    assert.equal(data?.trim(), 'account.about has other values')
    await place.still(id)
  })
})
