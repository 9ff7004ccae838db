// Board games: lists, expansions, favorites, recommendations, and reading their file again. Two nodes on one database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { App } from '../../src/app.ts'
import { readCatalogue, withoutBase } from '../../src/boardgames/catalogue.ts'
import { scoreOf } from '../../src/boardgames/recommendation.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { seedFolder } from '../support/seeds.ts'
import { disable } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'

interface Listed {
  gameID: string
  gameName: string
  isFavorite: boolean
}
type Page = { gameArray: Listed[]; paginator: { total: number; start: number; limit: number } }

const file = 'test-games-catalog.json'
const seeds = seedFolder()
let nodes: TestNodes
let admin: Person
let tho: Person
before(async () => {
  nodes = await startTestNodes(2, { env: seeds.env })
  ;[admin, tho] = (await people(nodes, { level: 'admin' }, { level: 'tho' })) as [Person, Person]
})
after(async () => {
  await nodes.stop()
  seeds.drop()
})

const someone = async (): Promise<Person> => (await people(nodes, {}))[0] as Person
const game = (gameName: string, more: object = {}) => ({ gameName, numCopies: 1, ...more })
const reload = (client: Client) => client.post('/boardgames/reload')
async function load(...games: object[]): Promise<void> {
  seeds.write(file, games)
  assert.deepEqual(await body(reload(admin.one)), { games: games.length })
}
const list = (client: Client, query = ''): Promise<Page> => body(client.get(`/boardgames?${query}`))
const titles = ({ gameArray }: Pick<Page, 'gameArray'>): string[] => gameArray.map(({ gameName }) => gameName)
const idOf = async (title: string): Promise<string> =>
  (await list(nodes.client(), 'limit=200')).gameArray.find(({ gameName }) => gameName === title)?.gameID ?? assert.fail(`no ${title}`)
const ids = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await list(nodes.client(undefined, 1), 'limit=200')).gameArray.map(({ gameName, gameID }) => [gameName, gameID]))

describe('GET /boardgames', () => {
  it('shows every field, and leaves out what is not known', async () => {
    const facts = {
      yearPublished: '1995',
      gameDescription: 'A &mdash; b — “é” 🎲\u2028',
      gameTypes: ['Family Games'],
      categories: ['Economic', 'Farming'],
      minPlayers: 3,
      maxPlayers: 4,
      suggestedPlayers: 4,
      minPlayingTime: 60,
      maxPlayingTime: 120,
      avgPlayingTime: 90,
      minAge: 0,
      numRatings: 123_456,
      avgRating: 7.12345,
      complexity: 2,
      donatedBy: 'Anna',
      notes: 'worn',
    }
    await load(
      game('Zoo', { numCopies: 3, mechanisms: [], notes: null }),
      game('Settlers', { ...facts, bggGameName: 'Catan', mechanisms: ['Trading'], shelf: 4 }),
    )
    const known = {
      gameName: 'Catan',
      numCopies: 1,
      ...facts,
      mechanics: ['Trading'],
      isExpansion: false,
      hasExpansions: false,
      isFavorite: false,
    }
    const unknown = {
      gameName: 'Zoo',
      numCopies: 3,
      gameTypes: [],
      categories: [],
      mechanics: [],
      isExpansion: false,
      hasExpansions: false,
      isFavorite: false,
    }
    for (const client of [nodes.client(), nodes.client('A'.repeat(24), 1), tho.two]) {
      const { gameArray, ...rest } = await list(client)
      assert.deepEqual(
        gameArray,
        [known, unknown].map((shown, index) => ({ gameID: gameArray[index]?.gameID, ...shown })),
      )
      assert.deepEqual(rest, { paginator: { total: 2, start: 0, limit: 50 }, totalGames: 2, start: 0, limit: 50 })
    }
    const gameID = await idOf('Catan')
    assert.deepEqual(await body(nodes.client().get(`/boardgames/${gameID.toUpperCase()}`)), { gameID, ...known })
  })

  it('is in order of the titles that are shown, whatever their case and accents', async () => {
    await load(
      game('zebra'),
      game('Ärger'),
      game('a last', { bggGameName: 'Zz' }),
      game('apple'),
      game('Banana'),
      game('Arger 2'),
      game('7 Wonders'),
    )
    assert.deepEqual(titles(await list(nodes.client())), ['7 Wonders', 'apple', 'Ärger', 'Arger 2', 'Banana', 'zebra', 'Zz'])
  })

  it("searches the words of the library's own title", async () => {
    await load(
      game('Ticket to Ride', { bggGameName: 'Zug um Zug' }),
      game('Riding the Rails'),
      game('Trains', { bggGameName: 'Ticket Masters' }),
      game('The Others'),
    )
    const search = async (words: string) => titles(await list(nodes.client(undefined, 1), `search=${encodeURIComponent(words)}`))
    assert.deepEqual(await search('ticket'), ['Zug um Zug'])
    assert.deepEqual(await search('RIDES'), ['Riding the Rails', 'Zug um Zug'])
    assert.deepEqual(await search('ride ticket'), ['Zug um Zug'])
    assert.deepEqual(await search('"ticket ride"'), [])
    assert.deepEqual(await search('rails or trains'), ['Riding the Rails', 'Ticket Masters'])
    assert.deepEqual(await search('ride -rails'), ['Zug um Zug'])
    for (const nothing of ['the', 'nonsense', '', ' ', "&|!():*'"]) assert.deepEqual(await search(nothing), [])
    await refused(nodes.client().get(`/boardgames?search=${'x'.repeat(201)}`), 400)
  })

  it('filters by favorites of the caller, and only for the word true', async () => {
    await load(game('Alpha'), game('Beta'), game('Beta Two'))
    const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
    const all = await ids()
    for (const title of ['Beta', 'Alpha']) await body(anna.one.post(`/boardgames/${all[title]}/favorite`), 201)
    for (const query of ['favorite=true', 'favorite=TRUE']) assert.deepEqual(titles(await list(anna.two, query)), ['Alpha', 'Beta'])
    assert.deepEqual(titles(await list(anna.two, 'favorite=true&search=beta')), ['Beta'])
    assert.deepEqual((await list(anna.two, 'favorite=true&limit=1&start=1')).paginator, { total: 2, start: 1, limit: 1 })
    for (const query of ['favorite=1', 'favorite=false', 'favorite=on', 'favorite='])
      assert.equal((await list(anna.two, query)).paginator.total, 3)
    assert.equal((await list(nodes.client(), 'favorite=true')).paginator.total, 3)
    assert.deepEqual(titles(await list(bert.two, 'favorite=true')), [])
    assert.deepEqual(
      (await list(anna.two)).gameArray.map(({ isFavorite }) => isFavorite),
      [true, true, false],
    )
    assert.deepEqual(
      (await list(bert.two)).gameArray.map(({ isFavorite }) => isFavorite),
      [false, false, false],
    )
  })

  it('refuses what is not a number where one is wanted', async () => {
    for (const query of ['start=x', 'limit=1.5', 'limit=', 'start=99999999999'])
      assert.match(await refused(nodes.client().get(`/boardgames?${query}`), 400), /start|limit/)
  })

  it('comes in pages that together are the whole', async () => {
    const all = Array.from({ length: 7 }, (_, index) => game(`Game ${index}`))
    await load(...all.toReversed())
    const whole = all.map(({ gameName }) => gameName)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -3, max: 10 }), fc.integer({ min: -3, max: 300 }), async (start, limit) => {
        const from = Math.max(0, start)
        const count = Math.max(1, Math.min(200, limit))
        const page = await list(nodes.client(undefined, 1), `start=${start}&limit=${limit}`)
        assert.deepEqual(titles(page), whole.slice(from, from + count))
        assert.deepEqual(page.paginator, { total: 7, start: from, limit: count })
      }),
      { numRuns: 60 },
    )
  })

  it('costs no statement without a caller, and one with him', async () => {
    await load(game('Alpha'), game('Beta', { expands: 'Alpha' }))
    const anna = await someone()
    const app = nodes.apps[1] as App
    const alpha = await idOf('Alpha')
    await list(anna.two)
    const wanted = { numPlayers: 1, timeToPlay: 1, maxAge: 0, minAge: 0, complexity: 0 }
    for (const [client, count] of [
      [nodes.client(undefined, 1), 0],
      [anna.two, 1],
    ] as const) {
      for (const read of [
        () => list(client),
        () => client.get(`/boardgames/${alpha}`),
        () => client.get(`/boardgames/expansions/${alpha}`),
        () => client.post('/boardgames/recommend', wanted),
      ]) {
        assert.equal(await countStatements(app, read), count)
      }
    }
    assert.equal(await countStatements(app, () => list(anna.two, 'search=alpha&favorite=true')), 1)
  })
})

describe('GET /boardgames/:boardgame_id', () => {
  it('refuses ids that are none and games that are not there, or not any more', async () => {
    await load(game('Alpha'), game('Beta'))
    const beta = await idOf('Beta')
    await load(game('Alpha'))
    const anna = await someone()
    const reasons = new Set<string>()
    for (const id of [randomUUID(), beta]) {
      for (const client of [nodes.client(), anna.two]) {
        reasons.add(await refused(client.get(`/boardgames/${id}`), 400))
        reasons.add(await refused(client.get(`/boardgames/expansions/${id}`), 400))
      }
      reasons.add(await refused(anna.two.post(`/boardgames/${id}/favorite`), 400))
    }
    assert.equal(reasons.size, 1)
    await refused(nodes.client().get('/boardgames/nonsense'), 400)
    await refused(nodes.client().get('/boardgames/expansions/nonsense'), 400)
  })
})

describe('GET /boardgames/expansions/:boardgame_id', () => {
  before(() =>
    load(
      game('Zen'),
      game('Zen: B', { expands: 'Zen' }),
      game('Zen: A', { expands: ' Zen ' }),
      game('Alone'),
      game('Lost', { expands: 'Nowhere' }),
      game('Own', { expands: 'Own' }),
    ),
  )

  it('shows the base game first, then its expansions by title, by the id of any of them', async () => {
    const all = await ids()
    const anna = await someone()
    await body(anna.one.post(`/boardgames/${all['Zen: A']}/favorite`), 201)
    for (const title of ['Zen', 'Zen: A', 'Zen: B']) {
      const found: (Listed & { isExpansion: boolean; hasExpansions: boolean })[] = await body(
        anna.two.get(`/boardgames/expansions/${all[title]}`),
      )
      assert.deepEqual(
        found.map(({ gameName, isExpansion, hasExpansions, isFavorite }) => [gameName, isExpansion, hasExpansions, isFavorite]),
        [
          ['Zen', false, true, false],
          ['Zen: A', true, false, true],
          ['Zen: B', true, false, false],
        ],
      )
    }
    assert.deepEqual(
      (await body<Listed[]>(nodes.client().get(`/boardgames/expansions/${all['Alone']}`))).map(({ gameName }) => gameName),
      ['Alone'],
    )
  })

  it('shows a page when one is asked for', async () => {
    const all = await ids()
    const page = (query: string) => body<Page>(nodes.client().get(`/boardgames/expansions/${all['Zen']}?${query}`))
    assert.deepEqual(titles(await page('limit=50')), ['Zen', 'Zen: A', 'Zen: B'])
    assert.deepEqual((await page('limit=50')).paginator, { total: 3, start: 0, limit: 50 })
    assert.deepEqual(titles(await page('start=1')), ['Zen: A', 'Zen: B'])
    assert.deepEqual(titles(await page('start=1&limit=1')), ['Zen: A'])
    assert.deepEqual(titles(await page('limit=0')), ['Zen'])
  })

  it('a game whose base is not in the library is no expansion', async () => {
    const all = await ids()
    for (const title of ['Lost', 'Own']) {
      const { isExpansion, hasExpansions } = await body(nodes.client().get(`/boardgames/${all[title]}`))
      assert.deepEqual([isExpansion, hasExpansions], [false, false])
    }
    assert.deepEqual(
      withoutBase(
        readCatalogue(
          JSON.stringify([game('Lost', { expands: 'Nowhere' }), game('Own', { expands: 'Own' }), game('B', { expands: 'Own' })]),
        ),
      ).map(({ gameName }) => gameName),
      ['Lost', 'Own'],
    )
  })
})

it('of several games of one title, the first in the file is the one that others expand', async () => {
  await load(game('Twin', { notes: 'first' }), game('Twin', { notes: 'second' }), game('Twin: More', { expands: 'Twin' }))
  const found: (Listed & { notes?: string })[] = await body(nodes.client().get(`/boardgames/expansions/${await idOf('Twin: More')}`))
  assert.deepEqual(
    found.map(({ gameName, notes }) => [gameName, notes]),
    [
      ['Twin', 'first'],
      ['Twin: More', undefined],
    ],
  )
})

describe('favorites', () => {
  it('201 and 204 the first time, 200 after; each account has its own', async () => {
    await load(game('Alpha'))
    const anna = await someone()
    const [sub] = (await people(nodes, { subAccountOf: anna })) as [Person]
    const alpha = await idOf('Alpha')
    const add = (client: Client, id = alpha) => client.post(`/boardgames/${id}/favorite`)
    for (const remove of [
      (client: Client, id = alpha) => client.post(`/boardgames/${id}/favorite/remove`),
      (client: Client, id = alpha) => client.delete(`/boardgames/${id}/favorite`),
    ]) {
      await body(add(anna.one, alpha.toUpperCase()), 201)
      await body(add(anna.two))
      assert.equal((await body(anna.two.get(`/boardgames/${alpha}`))).isFavorite, true)
      assert.equal((await body(sub.two.get(`/boardgames/${alpha}`))).isFavorite, false)
      await body(remove(sub.one))
      await body(remove(anna.two), 204)
      await body(remove(anna.one))
      await body(remove(anna.one, randomUUID()))
      await refused(remove(anna.one, 'nonsense'), 400)
      await refused(remove(nodes.client()), 401)
      assert.equal((await body(anna.one.get(`/boardgames/${alpha}`))).isFavorite, false)
    }
    await refused(add(nodes.client()), 401)
    await refused(add(anna.one, 'nonsense'), 400)
    const statuses = await Promise.all(
      [...anna.clients, ...anna.clients, ...anna.clients].map(async (client) => (await add(client)).status),
    )
    assert.deepEqual(statuses.toSorted(), [200, 200, 200, 200, 200, 201])
  })
})

interface Wanted {
  numPlayers: number
  timeToPlay: number
  maxAge: number
  minAge: number
  complexity: number
}
type Facts = Partial<
  Record<
    | 'minPlayers'
    | 'maxPlayers'
    | 'suggestedPlayers'
    | 'minPlayingTime'
    | 'maxPlayingTime'
    | 'avgPlayingTime'
    | 'minAge'
    | 'avgRating'
    | 'complexity',
    number
  >
>

/** The formula once more, step by step. */
function naiveScore(facts: Facts, { numPlayers: n, timeToPlay: t, maxAge, minAge, complexity: c }: Wanted): number | undefined {
  const has = (value: number | undefined): value is number => value !== undefined
  if (!has(facts.minPlayers) || facts.minPlayers > n) return undefined
  if (!has(facts.maxPlayers) || facts.maxPlayers < n) return undefined
  if (!has(facts.avgPlayingTime) || facts.avgPlayingTime > t) return undefined
  if (maxAge !== 0 && (!has(facts.minAge) || facts.minAge > maxAge)) return undefined
  if (minAge !== 0 && (!has(facts.minAge) || facts.minAge < minAge)) return undefined
  if (c !== 0 && (!has(facts.complexity) || facts.complexity < c)) return undefined
  let faults = 0
  let [p, a, r, x] = [facts.suggestedPlayers ?? 0, facts.avgPlayingTime, facts.avgRating ?? 0, facts.complexity ?? 0]
  if (p === 0) {
    faults++
    if (facts.minPlayers === 0 || facts.maxPlayers === 0) return undefined
    p = Math.floor((facts.minPlayers + facts.maxPlayers + 1) / 2)
  }
  if (a === 0) {
    faults++
    if (!has(facts.minPlayingTime) || !has(facts.maxPlayingTime) || facts.minPlayingTime === 0 || facts.maxPlayingTime === 0)
      return undefined
    a = Math.floor((facts.minPlayingTime + facts.maxPlayingTime) / 2)
  }
  if (r === 0) {
    faults++
    r = 4.5
  }
  if (x === 0) {
    faults++
    x = 3
  }
  if (faults > 1) return undefined
  let score = 100 + r - 2 * Math.abs(n - p) - Math.abs(t - a) / 15
  if (c !== 0) score -= 1.5 * Math.abs((c < 1 ? 1 : c > 5 ? 5 : c) - x)
  return score
}

describe('GET and POST /boardgames/recommend', () => {
  const wanted = (more: Partial<Wanted> = {}): Wanted => ({ numPlayers: 4, timeToPlay: 90, maxAge: 0, minAge: 0, complexity: 0, ...more })
  const good = {
    minPlayers: 2,
    maxPlayers: 6,
    suggestedPlayers: 4,
    minPlayingTime: 30,
    maxPlayingTime: 90,
    avgPlayingTime: 60,
    minAge: 10,
    avgRating: 7.5,
    complexity: 3.5,
  }
  const recommend = (client: Client, criteria: object, query = '') => client.post<Page>(`/boardgames/recommend?${query}`, criteria)

  it('the worked example', () => {
    const facts = { numCopies: 1, ...good }
    assert.equal(scoreOf(facts, wanted({ complexity: 3 })), 104.75)
    assert.equal(scoreOf({ ...facts, complexity: 2.5 }, wanted({ complexity: 3 })), undefined)
  })

  it('is the same by GET and by POST, without a login too', async () => {
    await load(
      game('Best', good),
      game('Unknown'),
      game('Worse', { ...good, suggestedPlayers: 2 }),
      game('Long', { ...good, avgPlayingTime: 91 }),
    )
    const anna = await someone()
    await body(anna.one.post(`/boardgames/${await idOf('Worse')}/favorite`), 201)
    for (const client of [nodes.client(), anna.two]) {
      const posted = await body(recommend(client, wanted()))
      assert.deepEqual(titles(posted), ['Best', 'Worse'])
      assert.deepEqual(
        posted.gameArray.map(({ isFavorite }) => isFavorite),
        [false, client === anna.two],
      )
      assert.deepEqual(posted.paginator, { total: 2, start: 0, limit: 50 })
      assert.deepEqual(await body(client.get('/boardgames/recommend', { body: wanted() })), posted)
    }
  })

  it('by GET, whatever was asked before: another body, a favorite and a new library show at once', async () => {
    await load(game('Short', good), game('Long', { ...good, avgPlayingTime: 120, maxPlayingTime: 180 }))
    const anna = await someone()
    const ask = async (timeToPlay: number) => {
      const { gameArray } = await body(anna.one.get<Page>('/boardgames/recommend', { body: wanted({ timeToPlay }) }))
      return gameArray.map(({ gameName, isFavorite }) => gameName + (isFavorite ? '*' : ''))
    }
    assert.deepEqual(await ask(90), ['Short'])
    assert.deepEqual(await ask(180), ['Long', 'Short'])
    await body(anna.two.post(`/boardgames/${await idOf('Short')}/favorite`), 201)
    assert.deepEqual(await ask(90), ['Short*'])
    await load(game('Other', good))
    assert.deepEqual(await ask(90), ['Other'])
  })

  it('needs all five keys', async () => {
    for (const key of Object.keys(wanted())) {
      const { [key as keyof Wanted]: _, ...rest } = wanted()
      assert.match(await refused(recommend(nodes.client(), rest), 400), new RegExp(key))
      assert.match(await refused(nodes.client().get('/boardgames/recommend', { body: rest }), 400), new RegExp(key))
      await refused(recommend(nodes.client(), { ...rest, [key]: 'many' }), 400)
    }
    await refused(nodes.client().get('/boardgames/recommend'), 422)
    await refused(nodes.client().post('/boardgames/recommend'), 422)
    for (const extreme of [-2_147_483_648, 2_147_483_647])
      await body(
        recommend(nodes.client(), { numPlayers: extreme, timeToPlay: extreme, maxAge: extreme, minAge: extreme, complexity: extreme }),
      )
  })

  it('pages after sorting; equals by title; a wrong number counts as absent', async () => {
    await load(...['e', 'C', 'b', 'D', 'a'].map((title) => game(title, good)), game('first', { ...good, avgRating: 9 }))
    assert.deepEqual(titles(await body(recommend(nodes.client(), wanted()))), ['first', 'a', 'b', 'C', 'D', 'e'])
    const page = await body(recommend(nodes.client(), wanted(), 'start=2&limit=3'))
    assert.deepEqual(titles(page), ['b', 'C', 'D'])
    assert.deepEqual(page.paginator, { total: 6, start: 2, limit: 3 })
    assert.deepEqual((await body(recommend(nodes.client(), wanted(), 'start=x&limit=y'))).paginator, { total: 6, start: 0, limit: 50 })
    assert.deepEqual((await body(recommend(nodes.client(), wanted(), 'start=-1&limit=201'))).paginator, { total: 6, start: 0, limit: 200 })
  })

  it('orders as the formula does, whatever the games', async () => {
    const maybe = (value: fc.Arbitrary<number>) => fc.option(value, { nil: undefined, freq: 8 })
    const facts: fc.Arbitrary<Facts> = fc.record({
      minPlayers: maybe(fc.integer({ min: 0, max: 4 })),
      maxPlayers: maybe(fc.integer({ min: 0, max: 8 })),
      suggestedPlayers: maybe(fc.integer({ min: 0, max: 8 })),
      minPlayingTime: maybe(fc.constantFrom(0, 15, 30, 45)),
      maxPlayingTime: maybe(fc.constantFrom(0, 60, 90, 121)),
      avgPlayingTime: maybe(fc.constantFrom(0, 15, 45, 60, 90)),
      minAge: maybe(fc.integer({ min: 0, max: 18 })),
      avgRating: maybe(fc.constantFrom(0, 4.5, 5.80821, 7, 8.07893)),
      complexity: maybe(fc.constantFrom(0, 1, 1.2, 2.5, 3, 4.1, 5)),
    })
    const age = fc.constantFrom(0, 0, 6, 10, 14)
    const criteria: fc.Arbitrary<Wanted> = fc.record({
      numPlayers: fc.integer({ min: 0, max: 8 }),
      timeToPlay: fc.constantFrom(0, 30, 60, 90, 120),
      maxAge: age,
      minAge: age,
      complexity: fc.integer({ min: -1, max: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(facts, { maxLength: 40 }), fc.array(criteria, { minLength: 1, maxLength: 8 }), async (games, questions) => {
        const named = games.map((each, index) => ({ gameName: `Game ${String(index).padStart(2, '0')}`, ...each }))
        await load(...named.map((each) => game(each.gameName, each)))
        for (const question of questions) {
          const expected = named
            .map((each) => ({ ...each, score: naiveScore(each, question) }))
            .filter(({ score }) => score !== undefined)
            .sort((a, b) => (b.score as number) - (a.score as number) || (a.gameName < b.gameName ? -1 : 1))
          const page = await body(recommend(nodes.client(undefined, 1), question, 'limit=200'))
          assert.deepEqual(
            titles(page),
            expected.map(({ gameName }) => gameName),
          )
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('POST /boardgames/reload', () => {
  it('is for admins', async () => {
    await refused(reload(nodes.client()), 401)
    await refused(reload(tho.one), 403)
  })

  it('keeps ids and favorites of all that stay, and of what comes back; on all nodes when it is answered', async () => {
    const anna = await someone()
    const name = fc.constantFrom('Alpha', 'Beta', 'Gamma', 'Delta', ' Alpha ')
    const known = new Map<string, string>()
    const favorites = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name, copies: fc.integer({ min: 1, max: 3 }) }), { maxLength: 8 }),
        fc.nat(),
        async (wanted, pick) => {
          await load(...wanted.map(({ name: title, copies }) => game(title, { numCopies: copies })))
          for (const client of anna.clients) {
            const { gameArray } = await list(client, 'limit=200')
            assert.deepEqual(titles({ gameArray }), wanted.map((each) => each.name.trim()).sort())
            const seen = new Map<string, number>()
            for (const { gameID, gameName, isFavorite } of gameArray) {
              const entry = (seen.get(gameName) ?? 0) + 1
              seen.set(gameName, entry)
              const key = `${gameName} ${entry}`
              assert.equal(known.get(key) ?? gameID, gameID, key)
              known.set(key, gameID)
              assert.equal(isFavorite, favorites.has(gameID), key)
            }
            const chosen = gameArray[pick % Math.max(1, gameArray.length)]
            if (!chosen) continue
            if (favorites.delete(chosen.gameID)) await body(client.delete(`/boardgames/${chosen.gameID}/favorite`), 204)
            else await body(client.post(`/boardgames/${chosen.gameID}/favorite`), 201)
            if (!chosen.isFavorite) favorites.add(chosen.gameID)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('brings what the file says now', async () => {
    await load(game('Alpha', { notes: 'old', expands: 'Beta' }), game('Beta'))
    const before = await ids()
    await load(game('Alpha', { notes: 'new' }), game('Beta'))
    assert.deepEqual(await ids(), before)
    const { notes, isExpansion } = await body(nodes.client(undefined, 1).get(`/boardgames/${before['Alpha']}`))
    assert.deepEqual([notes, isExpansion], ['new', false])
    const [entry] = await nodes.sql`select actor_id, action, subject_type, subject_id, details from audit order by id desc limit 1`
    assert.deepEqual(entry, {
      actorId: admin.id,
      action: 'reloadBoardgames',
      subjectType: 'boardgames',
      subjectId: 'all',
      details: { games: 2 },
    })
  })

  it('changes nothing when the file is bad, and says where', async () => {
    await load(game('Alpha'))
    const alpha = await ids()
    const [{ count: before }] = await nodes.sql<[{ count: number }]>`select count(*)::int from audit`
    const bad: [unknown, RegExp][] = [
      ['[{"gameName": "A", "numCopies": 1},]', /\},\]" is not valid JSON/],
      ['', /JSON/],
      [{ gameName: 'A', numCopies: 1 }, /array/],
      [[game('A'), { gameName: 'B' }], /Line 1: game 2 \(B\).*numCopies/],
      [[{ numCopies: 1 }], /game 1.*gameName/],
      [
        '[\n  {"gameName": "A", "numCopies": 1},\n  {"gameName": "B",\n   "numCopies": 1}, {"gameName": "C [\\"1,2"}\n]',
        /Line 4: game 3 \(C/,
      ],
      ['[\n  {"gameName": "A",\n   "numCopies" 1},\n  {}\n]\n', /Line 3: /],
      ['[\n  {"gameName": "A"}\n', /Line 3: /],
      [[game('  ')], /game 1.*gameName/],
      [[game('x'.repeat(301))], /game 1.*gameName/],
      [[game('A', { minPlayers: '2' })], /game 1 \(A\).*minPlayers/],
      [[game('A', { minPlayers: 1.5 })], /minPlayers/],
      [[game('A', { minPlayers: 3_000_000_000 })], /minPlayers/],
      [[game('A', { avgRating: 'good' })], /avgRating/],
      [[game('A', { gameTypes: 'Family Games' })], /gameTypes/],
      [[game('A', { notes: 'nul \0' })], /notes/],
      ['[{"gameName": "\\ud800", "numCopies": 1}]', /gameName/],
      [[null], /game 1/],
      [['A'], /game 1/],
      [Buffer.from([0x5b, 0xff, 0x5d]), /utf-8/i],
      [' '.repeat(20 * 1024 * 1024 + 1), /larger/],
    ]
    for (const [content, reason] of bad) {
      seeds.write(file, content)
      const said = await refused(reload(admin.one), 500)
      assert.match(said, reason)
      assert.match(said, /test-games-catalog\.json/)
    }
    assert.deepEqual(await ids(), alpha)
    const [{ count }] = await nodes.sql<[{ count: number }]>`select count(*)::int from audit`
    assert.equal(count, before)
  })

  it('reads the file of the program when the operator has none; an empty library is one too', async () => {
    await load()
    assert.deepEqual(await ids(), {})
    seeds.remove(file)
    await body(reload(admin.one))
    const { Catan: catan, ...others } = await ids()
    assert.ok(catan !== undefined && Object.keys(others).length >= 10)
  })

  it('may be asked for by several at once', async () => {
    seeds.write(file, [game('Alpha'), game('Beta')])
    for (const answer of await Promise.all([...admin.clients, ...admin.clients, ...admin.clients].map(reload)))
      assert.equal(answer.status, 200)
    assert.deepEqual(Object.keys(await ids()), ['Alpha', 'Beta'])
  })
})

it('every endpoint of board games: 451 while they are switched off, but not for those who run the server', async () => {
  await load(game('Alpha'))
  const anna = await someone()
  await disable(nodes, 'gameslist')
  await refused(nodes.client().get('/boardgames'), 451)
  await refused(anna.two.get('/boardgames'), 451)
  await list(tho.two)
  await disable(nodes)
  await list(anna.two)
})
