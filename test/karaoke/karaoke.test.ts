// Karaoke: lists, favorites, the log of what was sung, and reading the library's file again. Two nodes on one database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { App } from '../../src/app.ts'
import { readSongs } from '../../src/karaoke/song-file.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { seedFolder } from '../support/seeds.ts'
import { disable } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'

interface Song {
  songID: string
  artist: string
  songName: string
  isMidi: boolean
  isVoiceReduced: boolean
  isFavorite: boolean
  performances: Performance[]
}
interface Performance {
  songID: string
  artist: string
  songName: string
  performers: string
  time: string
  isFavorite: boolean
}
interface Page {
  totalSongs: number
  start: number
  limit: number
  songs: Song[]
}

const file = 'test-karaoke-songs.txt'
const seeds = seedFolder()
const clock = new LeapingClock()
let nodes: TestNodes
let admin: Person
let tho: Person
let manager: Person
before(async () => {
  nodes = await startTestNodes(2, { clock, env: seeds.env })
  ;[admin, tho, manager] = (await people(nodes, { level: 'admin' }, { level: 'tho' }, { roles: ['karaokemanager'] })) as [
    Person,
    Person,
    Person,
  ]
})
after(async () => {
  await nodes.stop()
  seeds.drop()
})

const someone = async (): Promise<Person> => (await people(nodes, {}))[0] as Person
const reload = (client: Client) => client.post('/karaoke/reload')
async function load(...lines: string[]): Promise<void> {
  seeds.write(file, lines.map((line) => line.replaceAll('|', '\t')).join('\n'))
  const { songs } = await body<{ songs: number }>(reload(admin.one))
  assert.ok(songs <= lines.length)
}
const list = (client: Client, query: string): Promise<Page> => body(client.get(`/karaoke?${query}`))
const find = (search: string, client = nodes.client(undefined, 1)): Promise<Page> =>
  list(client, `search=${encodeURIComponent(search)}&limit=200`)
const named = (songs: readonly { artist: string; songName: string }[]): string[] =>
  songs.map(({ artist, songName }) => `${artist}|${songName}`)
const found = async (search: string): Promise<string[]> => named((await find(search)).songs)
const idOf = async (songName: string): Promise<string> => (await find(`"${songName}"`)).songs[0]?.songID ?? assert.fail(`no ${songName}`)
const log = (client: Client, songID: string, note: unknown) => client.post(`/karaoke/${songID}/logperformance`, { note })
// A test's performances are its own.
afterEach(() => nodes.sql`delete from karaoke_performance`)

describe('readSongs', () => {
  const read = (text: string) =>
    readSongs(text).map(({ artist, songName, version, isMidi, isVoiceReduced }) => [
      artist,
      songName,
      version,
      isMidi ? 'M' : isVoiceReduced ? 'VR' : '',
    ])

  it('takes artist, title and tag, with either line end', () => {
    assert.deepEqual(
      read('A\tOne\tM\r\nB\tTwo\tVR\nC\tThree\tBowieoke\nD\tFour\t\nE\tFive\nF\t\tSix\tM\n\nonly one\n\t\n G \t Seven \t M \nH\tEight\tm'),
      [
        ['A', 'One', 1, 'M'],
        ['B', 'Two', 1, 'VR'],
        ['C', 'Three', 1, ''],
        ['D', 'Four', 1, ''],
        ['E', 'Five', 1, ''],
        ['F', 'Six', 1, 'M'],
        ['G', 'Seven', 1, 'M'],
        ['H', 'Eight', 1, ''],
      ],
    )
  })

  it('counts recordings of one song in the same order wherever they stand, each once', () => {
    const all = [
      ['A', 'One', 1, ''],
      ['A', 'One', 2, 'M'],
      ['A', 'One', 3, 'VR'],
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(['A\tOne', 'A\tOne\tM', 'A\tOne\tVR', 'A\tOne\tother'], { minLength: 4 }), (lines) =>
        assert.deepEqual(read([...lines, ...lines].join('\n')), all),
      ),
    )
  })

  it('refuses what cannot be a library', () => {
    assert.throws(() => read('A - One\nB - Two'), /tab/)
    assert.throws(() => read(`A\tOne\nB\t${'x'.repeat(301)}`), /Line 2/)
    assert.throws(() => read('A\tO\0ne'), /Line 1/)
    assert.deepEqual(read(''), [])
    assert.deepEqual(read('\r\n \n'), [])
  })
})

describe('GET /karaoke', () => {
  it('needs something that narrows it', async () => {
    await load('Queen|Bohemian Rhapsody', 'U2|One', "4 Non Blondes|What's Up")
    const anna = await someone()
    for (const query of [
      '',
      'search=',
      'search=ab',
      'search=%20%20%20',
      'search=%20a1%20',
      'search=7',
      'search=%3F',
      'search=%F0%9F%8E%B2',
      'search=%F0%9F%8E%B2a',
      'favorite=false',
      'favorite=1',
      'start=0&limit=10',
      'favorite=false&search=u2',
    ]) {
      for (const client of [nodes.client(), anna.two]) await refused(client.get(`/karaoke?${query}`), 400)
    }
    for (const query of ['favorite=true', 'favorite=True&search=queen']) await refused(nodes.client().get(`/karaoke?${query}`), 400)
    for (const query of [
      'favorite=true',
      'favorite=TRUE&search=u2',
      'favorite=true&search=7',
      'search=%20a%20',
      'search=%23',
      'search=abc',
    ])
      await list(anna.two, query)
    await refused(nodes.client().get(`/karaoke?search=${'x'.repeat(201)}`), 400)
  })

  it('shows every field', async () => {
    await load('Nena|99 Luftballons|M', 'Nena|Nur geträumt|VR', 'Nena|Leuchtturm|other')
    const { songs, ...rest } = await find('nena')
    assert.deepEqual(rest, { totalSongs: 3, start: 0, limit: 200 })
    const shown = { artist: 'Nena', isMidi: false, isVoiceReduced: false, isFavorite: false, performances: [] }
    assert.deepEqual(
      songs,
      [{ songName: '99 Luftballons', isMidi: true }, { songName: 'Leuchtturm' }, { songName: 'Nur geträumt', isVoiceReduced: true }].map(
        (each, index) => ({ songID: songs[index]?.songID, ...shown, ...each }),
      ),
    )
    assert.deepEqual(await body(nodes.client().get(`/karaoke/${String(songs[0]?.songID).toUpperCase()}`)), songs[0])
  })

  it('finds words of artist and title together, quoted phrases, alternatives and exclusions', async () => {
    await load('David Bowie|Space Oddity', 'Elton John|Rocket Man', 'Bowie & Queen|Under Pressure', 'Queen|Bicycle Race', 'The Who|The The')
    assert.deepEqual(await found('bowie'), ['Bowie & Queen|Under Pressure', 'David Bowie|Space Oddity'])
    assert.deepEqual(await found('spaces bowie'), ['David Bowie|Space Oddity'])
    assert.deepEqual(await found('"queen bicycles"'), ['Queen|Bicycle Race'])
    assert.deepEqual(await found('"race queen"'), [])
    assert.deepEqual(await found('rocket or bicycles'), ['Elton John|Rocket Man', 'Queen|Bicycle Race'])
    assert.deepEqual(await found('queen -pressure'), ['Queen|Bicycle Race'])
    for (const nothing of ['the', 'the who', 'nonsense', "&|!():*'"]) assert.deepEqual(await found(nothing), [])
  })

  it('finds by the letter that the artist begins with, or by any digit', async () => {
    await load(
      'abba|Waterloo',
      'ABBA|Fernando',
      'Édith Piaf|Milord',
      'Elton John|Daniel',
      'The Band|The Weight',
      '10cc|Dreadlock Holiday',
      "4 Non Blondes|What's Up",
      '999|Emergency',
      '(Unknown)|Untitled',
      'Björk|Hyperballad',
      'Ärzte|Westerland',
      'Ωmega|Girl',
    )
    assert.deepEqual(await found('a'), ['ABBA|Fernando', 'abba|Waterloo', 'Ärzte|Westerland'])
    for (const letter of ['E', 'e', 'é', 'E\u0301', ' e '])
      assert.deepEqual(await found(letter), ['Édith Piaf|Milord', 'Elton John|Daniel'])
    assert.deepEqual(await found('b'), ['Björk|Hyperballad'])
    assert.deepEqual(await found('ω'), ['Ωmega|Girl'])
    assert.deepEqual(await found('z'), [])
    assert.deepEqual(await found('#'), ['10cc|Dreadlock Holiday', "4 Non Blondes|What's Up", '999|Emergency'])
  })

  it('filters by favorites, together with a search', async () => {
    await load('Queen|One Vision', 'U2|One', 'Bono|Two', '7 Years|Three')
    const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
    for (const title of ['One Vision', 'Three', 'Two']) await body(anna.one.post(`/karaoke/${await idOf(title)}/favorite`), 201)
    const favorites = async (query: string, client = anna.two) => named((await list(client, `favorite=true${query}`)).songs)
    assert.deepEqual(await favorites(''), ['7 Years|Three', 'Bono|Two', 'Queen|One Vision'])
    assert.deepEqual(await favorites('', bert.two), [])
    assert.deepEqual(await favorites('&search=vision'), ['Queen|One Vision'])
    assert.deepEqual(await favorites('&search=q'), ['Queen|One Vision'])
    assert.deepEqual(await favorites('&search=%23'), ['7 Years|Three'])
    assert.deepEqual(await favorites('&search=7'), ['7 Years|Three'])
    assert.deepEqual(await favorites('&search=u2'), [])
    assert.deepEqual(
      (await find('queen', anna.two)).songs.map(({ isFavorite }) => isFavorite),
      [true],
    )
    assert.deepEqual(
      (await find('queen', bert.two)).songs.map(({ isFavorite }) => isFavorite),
      [false],
    )
  })

  it('refuses what is not a number where one is wanted', async () => {
    for (const path of ['/karaoke?search=abc&', '/karaoke/latest?', '/karaoke/performance?']) {
      for (const query of ['start=x', 'limit=1.5', 'limit='])
        assert.match(await refused(nodes.client().get(path + query), 400), /start|limit/)
    }
  })

  it('is by artist, then by title, and comes in pages that together are the whole', async () => {
    const name = fc.constantFrom('Apple', 'apple pie', 'Älp', 'Banana', 'banana Split', 'Zoo', 'Åse')
    const key = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(name, name), { minLength: 1, maxLength: 30, selector: (pair) => pair.map(key).join('\t') }),
        fc.integer({ min: 1, max: 7 }),
        async (songs, size) => {
          await load(...songs.map(([artist, title]) => `${artist}|${title} everywhere`))
          const pages: Song[] = []
          for (let start = 0; start < songs.length; start += size) {
            const page = await list(nodes.client(undefined, 1), `search=everywhere&start=${start}&limit=${size}`)
            assert.deepEqual([page.totalSongs, page.start, page.limit], [songs.length, start, size])
            pages.push(...page.songs)
          }
          const expected = songs.toSorted((a, b) => (a.map(key).join('\t') < b.map(key).join('\t') ? -1 : 1))
          assert.deepEqual(
            named(pages),
            expected.map(([artist, title]) => `${artist}|${title} everywhere`),
          )
        },
      ),
      { numRuns: 30 },
    )
    for (const [query, start, limit] of [
      ['start=-1&limit=-1', 0, 1],
      ['limit=201', 0, 200],
      ['', 0, 50],
    ] as const) {
      const page = await list(nodes.client(), `search=everywhere&${query}`)
      assert.deepEqual([page.start, page.limit], [start, limit])
      assert.ok(page.totalSongs > 0)
    }
  })

  it('costs one statement, however many songs and performances', async () => {
    await load('Queen|One', 'Queen|Two', 'Queen|Three')
    const app = nodes.apps[1] as App
    for (const { songID } of (await find('queen')).songs) for (const who of ['Anna', 'Bert']) await body(log(manager.one, songID, who), 201)
    const id = await idOf('Two')
    await body(manager.two.get('/karaoke/latest'))
    for (const client of [nodes.client(undefined, 1), manager.two]) {
      for (const path of ['/karaoke?search=queen', `/karaoke/${id}`, '/karaoke/latest', '/karaoke/performance?search=anna'])
        assert.equal(await countStatements(app, () => body(client.get(path))), 1, path)
    }
  })
})

describe('GET /karaoke/:song_id', () => {
  it('refuses ids that are none and songs that are not there, or not any more', async () => {
    await load('Queen|One', 'Queen|Two')
    const two = await idOf('Two')
    await load('Queen|One')
    const reasons = new Set<string>()
    for (const id of [randomUUID(), two]) {
      for (const client of [nodes.client(), manager.two]) reasons.add(await refused(client.get(`/karaoke/${id}`), 400))
      reasons.add(await refused(manager.one.post(`/karaoke/${id}/favorite`), 400))
      reasons.add(await refused(log(manager.one, id, 'Anna'), 400))
    }
    assert.equal(reasons.size, 1)
    await refused(nodes.client().get('/karaoke/nonsense'), 400)
  })
})

describe('favorites', () => {
  it('201 and 204 the first time, 200 after; each account has its own', async () => {
    await load('Queen|One')
    const anna = await someone()
    const [sub] = (await people(nodes, { subAccountOf: anna })) as [Person]
    const one = await idOf('One')
    const add = (client: Client, id = one) => client.post(`/karaoke/${id}/favorite`)
    for (const remove of [
      (client: Client, id = one) => client.post(`/karaoke/${id}/favorite/remove`),
      (client: Client, id = one) => client.delete(`/karaoke/${id}/favorite`),
    ]) {
      await body(add(anna.one, one.toUpperCase()), 201)
      await body(add(anna.two))
      assert.equal((await body(anna.two.get(`/karaoke/${one}`))).isFavorite, true)
      assert.equal((await body(sub.two.get(`/karaoke/${one}`))).isFavorite, false)
      await body(remove(sub.one))
      await body(remove(anna.two), 204)
      await body(remove(anna.one))
      await body(remove(anna.one, randomUUID()))
      await refused(remove(anna.one, 'nonsense'), 400)
      await refused(remove(nodes.client()), 401)
      assert.equal((await body(anna.one.get(`/karaoke/${one}`))).isFavorite, false)
    }
    await refused(add(nodes.client()), 401)
    await refused(add(anna.one, 'nonsense'), 400)
    const statuses = await Promise.all(
      [...anna.clients, ...anna.clients, ...anna.clients].map(async (client) => (await add(client)).status),
    )
    assert.deepEqual(statuses.toSorted(), [200, 200, 200, 200, 200, 201])
  })
})

describe('who may log performances', () => {
  it('the role alone says so, by both spellings and methods', async () => {
    const [ambassador] = (await people(nodes, { roles: ['karaokeambassador', 'shutternaut'] })) as [Person]
    for (const path of ['/karaoke/userIsManager', '/karaoke/userismanager']) {
      for (const ask of [(client: Client) => client.get(path), (client: Client) => client.post(path)]) {
        assert.deepEqual(await body(ask(manager.two)), { isAuthorized: true })
        for (const { two } of [admin, tho, ambassador]) assert.deepEqual(await body(ask(two)), { isAuthorized: false })
        await refused(ask(nodes.client()), 401)
      }
    }
  })

  it('POST /karaoke/:song_id/logperformance: 403 without the role, whatever the level, once the note is right', async () => {
    await load('Queen|One')
    const one = await idOf('One')
    const anna = await someone()
    for (const { two } of [admin, tho, anna]) {
      await refused(log(two, one, 'Anna'), 403)
      assert.deepEqual(Object.keys((await body(log(two, one, ''), 400)).fieldErrors), ['note'])
    }
    await refused(log(nodes.client(), one, 'Anna'), 401)
    const [unverified, quarantined, soon] = (await people(
      nodes,
      ...(['unverified', 'quarantined', 'verified'] as const).map((level) => ({
        level,
        roles: ['karaokemanager' as const],
        ...(level === 'verified' ? { tempQuarantineUntil: new Date(clock.now() + 3_600_000) } : {}),
      })),
    )) as [Person, Person, Person]
    for (const { two } of [unverified, quarantined, soon]) await refused(log(two, one, 'Anna'), 403)
    assert.deepEqual(await body(nodes.client().get('/karaoke/performance')), [])
  })

  it('POST /karaoke/:song_id/logperformance: a note of 1 to 999 characters on up to 25 lines', async () => {
    await load('Queen|One')
    const one = await idOf('One')
    for (const note of ['', 'x'.repeat(1000), 'x\n'.repeat(25)]) {
      const { fieldErrors } = await body(log(manager.one, one, note), 400)
      assert.deepEqual(Object.keys(fieldErrors), ['note'])
    }
    for (const wrong of [7, null, undefined]) await refused(log(manager.one, one, wrong), 400)
    await refused(manager.one.post(`/karaoke/${one}/logperformance`), 422)
    const notes = ['x', '🎤'.repeat(999), `${'x\n'.repeat(24)}x`, ' @admin\tas is  ']
    for (const note of notes) assert.equal(await body(log(manager.one, one, note), 201), undefined)
    assert.deepEqual(
      (await body(nodes.client(undefined, 1).get(`/karaoke/${one}`))).performances.map(({ performers }: Performance) => performers),
      notes,
    )
  })

  it('POST /karaoke/:song_id/logperformance: a repetition with the same key logs nothing', async () => {
    await load('Queen|One')
    const one = await idOf('One')
    const headers = { 'idempotency-key': randomUUID() }
    for (const client of [manager.one, manager.two, manager.one])
      await body(client.post(`/karaoke/${one}/logperformance`, { note: 'Anna' }, { headers }), 201)
    assert.equal((await body(manager.two.get('/karaoke/performance'))).length, 1)
  })
})

describe('GET /karaoke/latest and /karaoke/performance', () => {
  it("newest first, with songs that have left the library; isFavorite is the caller's", async () => {
    await load('Queen|One', 'ABBA|Two')
    const [one, two] = [await idOf('One'), await idOf('Two')]
    const times: string[] = []
    for (const [songID, who] of [
      [one, 'Anna'],
      [two, 'Bert'],
      [one, 'Cleo'],
    ] as const) {
      clock.leap(60_000)
      await body(log(manager.one, songID, who), 201)
      times.push(new Date(clock.now()).toISOString())
    }
    await body(manager.one.post(`/karaoke/${one}/favorite`), 201)
    await load('ABBA|Two')
    const shown = (isFavorite: boolean) => [
      { songID: one, artist: 'Queen', songName: 'One', performers: 'Cleo', isFavorite },
      { songID: two, artist: 'ABBA', songName: 'Two', performers: 'Bert', isFavorite: false },
      { songID: one, artist: 'Queen', songName: 'One', performers: 'Anna', isFavorite },
    ]
    for (const [client, isFavorite] of [
      [nodes.client(undefined, 1), false],
      [manager.two, true],
      [tho.two, false],
    ] as const) {
      const { songs, paginator } = await body<{ songs: Performance[]; paginator: object }>(client.get('/karaoke/latest'))
      assert.deepEqual(
        songs.map(({ time: _time, ...rest }) => rest),
        shown(isFavorite),
      )
      assert.deepEqual(paginator, { total: 3, start: 0, limit: 50 })
      for (const [index, { time }] of songs.entries())
        assert.ok(Math.abs(Date.parse(time) - Date.parse(times[2 - index] as string)) < 30_000)
      assert.deepEqual(await body(client.get('/karaoke/performance')), songs)
    }
    await load('ABBA|Two', 'Queen|One')
    const { performances, isFavorite } = await body(manager.two.get(`/karaoke/${one}`))
    assert.deepEqual(
      performances.map(({ performers }: Performance) => performers),
      ['Anna', 'Cleo'],
    )
    const [first, second] = performances.map(({ time }: Performance) => Date.parse(time))
    assert.ok(first < second)
    assert.equal(isFavorite, true)
    assert.deepEqual((await find('queen', manager.two)).songs[0]?.performances, performances)
  })

  it('searches words of the song, or a part of the text about who sang, whatever its case', async () => {
    await load('Queen|Bicycle Race', 'ABBA|Waterloo')
    const [race, waterloo] = [await idOf('Bicycle Race'), await idOf('Waterloo')]
    for (const [songID, who] of [
      [race, 'Zoë & 100% Bob_'],
      [waterloo, 'The Queens of Zaandam'],
      [race, 'Race car'],
    ] as const)
      await body(log(manager.one, songID, who), 201)
    const search = async (words: string) => {
      const query = `search=${encodeURIComponent(words)}`
      const songs: Performance[] = await body(nodes.client().get(`/karaoke/performance?${query}`))
      const page = await body(nodes.client(undefined, 1).get(`/karaoke/latest?${query}`))
      assert.deepEqual(page.songs, songs)
      assert.equal(page.paginator.total, songs.length)
      return songs.map(({ performers }) => performers)
    }
    assert.deepEqual(await search('bicycles'), ['Race car', 'Zoë & 100% Bob_'])
    assert.deepEqual(await search('zo'), ['Zoë & 100% Bob_'])
    assert.deepEqual(await search('ZOE'), ['Zoë & 100% Bob_'])
    assert.deepEqual(await search('0% bob_'), ['Zoë & 100% Bob_'])
    assert.deepEqual(await search('%'), ['Zoë & 100% Bob_'])
    assert.deepEqual(await search('queen'), ['Race car', 'The Queens of Zaandam', 'Zoë & 100% Bob_'])
    assert.deepEqual(await search('the'), ['The Queens of Zaandam'])
    assert.deepEqual(await search('nobody'), [])
  })

  it('comes in pages; the list has ten unless more are asked for', async () => {
    await load('Queen|One')
    const one = await idOf('One')
    await nodes.sql`insert into karaoke_performance (song_id, manager_id, performers, performers_key, created_at) select ${one}, ${manager.id}, 'Singer ' || number, '', now() from generate_series(1, 12) number`
    const whole = Array.from({ length: 12 }, (_, index) => `Singer ${12 - index}`)
    const who = (songs: Performance[]) => songs.map(({ performers }) => performers)
    for (const [query, expected] of [
      ['', whole.slice(0, 10)],
      ['limit=50', whole],
      ['start=4', whole.slice(4)],
      ['start=2&limit=3', whole.slice(2, 5)],
      ['limit=0', whole.slice(0, 1)],
      ['start=-5&limit=2', whole.slice(0, 2)],
    ] as const) {
      assert.deepEqual(who(await body(nodes.client().get(`/karaoke/performance?${query}`))), expected)
    }
    const page = await body(nodes.client().get('/karaoke/latest?start=2&limit=3'))
    assert.deepEqual(who(page.songs), whole.slice(2, 5))
    assert.deepEqual(page.paginator, { total: 12, start: 2, limit: 3 })
    assert.equal((await body(nodes.client().get('/karaoke/latest'))).songs.length, 12)
  })
})

describe('POST /karaoke/reload', () => {
  it('is for admins', async () => {
    await refused(reload(nodes.client()), 401)
    await refused(reload(tho.one), 403)
    await refused(reload(manager.one), 403)
  })

  it('keeps ids, favorites and the log of all that stay, and of what comes back', async () => {
    const anna = await someone()
    const line = fc.record({
      song: fc.constantFrom('A|One forever', 'A|Two forever', 'B|One forever', 'B|Three forever'),
      tag: fc.constantFrom('', '|M', '|VR', '|other'),
    })
    const known = new Map<string, string>()
    const favorites = new Set<string>()
    const sung = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(line, { maxLength: 4, selector: ({ song }) => song }), fc.nat(), async (lines, pick) => {
        await load(...lines.map(({ song, tag }) => song + tag))
        const { songs } = await find('forever', anna.two)
        assert.deepEqual(named(songs), lines.map(({ song }) => song).sort())
        for (const { songID, artist, songName, isMidi, isVoiceReduced, isFavorite, performances } of songs) {
          const name = `${artist}|${songName}`
          assert.equal(known.get(name) ?? songID, songID)
          known.set(name, songID)
          const tag = lines.find(({ song }) => song === name)?.tag
          assert.deepEqual([isMidi, isVoiceReduced], [tag === '|M', tag === '|VR'])
          assert.equal(isFavorite, favorites.has(songID))
          assert.equal(performances.length, sung.get(songID) ?? 0)
        }
        const chosen = songs[pick % Math.max(1, songs.length)]
        if (!chosen) return
        if (favorites.delete(chosen.songID)) await body(anna.one.delete(`/karaoke/${chosen.songID}/favorite`), 204)
        else {
          await body(anna.one.post(`/karaoke/${chosen.songID}/favorite`), 201)
          favorites.add(chosen.songID)
        }
        await body(log(manager.one, chosen.songID, 'Anna'), 201)
        sung.set(chosen.songID, (sung.get(chosen.songID) ?? 0) + 1)
      }),
      { numRuns: 25 },
    )
    assert.equal(
      (await body(nodes.client().get('/karaoke/latest'))).paginator.total,
      [...sung.values()].reduce((sum, count) => sum + count, 0),
    )
  })

  it('lists every recording of a song', async () => {
    await load('Queen|One|VR', 'Queen|One', 'Queen|One|M', 'Queen|One|other')
    assert.deepEqual((await find('queen')).songs.map(({ isMidi, isVoiceReduced }) => (isMidi ? 'M' : isVoiceReduced ? 'VR' : '')).sort(), [
      '',
      'M',
      'VR',
    ])
    const [entry] = await nodes.sql`select actor_id, action, subject_type, subject_id, details from audit order by id desc limit 1`
    assert.deepEqual(entry, { actorId: admin.id, action: 'reloadKaraoke', subjectType: 'karaoke', subjectId: 'all', details: { songs: 3 } })
  })

  it('changes nothing when the file is bad, and says where', async () => {
    await load('Queen|One')
    for (const [content, reason] of [
      ['Queen - One\n', /tab/],
      [`A\tB\nQueen\t${'x'.repeat(301)}`, /Line 2/],
      ['Queen\tO\0ne', /Line 1/],
      [Buffer.from('Queen\tOn\xe9\n', 'latin1'), /utf-8/i],
    ] as const) {
      seeds.write(file, content)
      const said = await refused(reload(admin.one), 500)
      assert.match(said, reason)
      assert.match(said, /test-karaoke-songs\.txt/)
      assert.deepEqual(await found('queen'), ['Queen|One'])
    }
  })

  it('reads the file of the program when the operator has none; an empty library is one too', async () => {
    await load('')
    assert.deepEqual(await found('q'), [])
    seeds.remove(file)
    await body(reload(admin.one))
    assert.ok((await found('q')).includes('Queen|Bohemian Rhapsody'))
  })

  it('may be asked for by several at once', async () => {
    seeds.write(file, 'Queen\tOne\nABBA\tTwo\n')
    for (const answer of await Promise.all([...admin.clients, ...admin.clients, ...admin.clients].map(reload)))
      assert.equal(answer.status, 200)
    assert.deepEqual([...(await found('q')), ...(await found('a'))], ['Queen|One', 'ABBA|Two'])
  })

  it('is done in good time with a library of 27,000 songs', async () => {
    const songs = Array.from({ length: 27_000 }, (_, index) => `Artist ${index % 5000}|Song number ${index}|${index % 30 === 0 ? 'M' : ''}`)
    await load(...songs)
    assert.equal((await find('artist')).totalSongs, 27_000)
    await load('Queen|One')
    assert.equal((await find('a')).totalSongs, 0)
  })
})

it('every endpoint of karaoke: 451 while it is switched off, but not for those who run the server', async () => {
  const anna = await someone()
  await disable(nodes, 'karaoke')
  await refused(nodes.client().get('/karaoke/latest'), 451)
  await refused(anna.two.get('/karaoke?search=abc'), 451)
  await list(tho.two, 'search=abc')
  await disable(nodes)
  await list(anna.two, 'search=abc')
})
