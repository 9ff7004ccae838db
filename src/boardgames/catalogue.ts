// Reads the file of the board game library, a JSON array. Pure.
import { lineOfItem, lineOfSyntaxError } from '../core/files/json-lines.ts'
import { decoderOf } from '../core/schema/decode.ts'
import { Int, Text, Type, type Static } from '../core/schema/schema.ts'

/** The file's name in production. */
export const catalogueFileName = 'games-catalog.json'

const title = Text({ min: 1, max: 300 })
const words = () => Type.Optional(Type.Array(Text({ max: 100 }), { maxItems: 200 }))
const text = Type.Optional(Type.String())
const int = Type.Optional(Int)

/** What the file may say about a game in addition to its title. */
const facts = {
  numCopies: Int,
  /** Title in the external database. */
  bggGameName: Type.Optional(title),
  yearPublished: text,
  gameDescription: text,
  gameTypes: words(),
  categories: words(),
  mechanisms: words(),
  minPlayers: int,
  maxPlayers: int,
  suggestedPlayers: int,
  minPlayingTime: int,
  maxPlayingTime: int,
  avgPlayingTime: int,
  minAge: int,
  numRatings: int,
  avgRating: Type.Optional(Type.Number()),
  complexity: Type.Optional(Type.Number()),
  donatedBy: text,
  notes: text,
  /** Library title of the base game. */
  expands: Type.Optional(title),
}

const GameFacts = Type.Object(facts)
export type GameFacts = Static<typeof GameFacts>

export interface CatalogueGame {
  gameName: string
  /** Counts the entries with this title. */
  entry: number
  facts: GameFacts
}

const decodeEntry = decoderOf(Type.Object({ gameName: title, ...facts }))
const maxGames = 10_000
/** An index entry has no room for more. */
const maxCodeUnits = 600

/** @throws Error with a sentence for people that says where the file is wrong. */
export function readCatalogue(json: string): CatalogueGame[] {
  const list: unknown = parseJson(json)
  if (!Array.isArray(list)) throw new Error('It must hold a JSON array of games.')
  if (list.length > maxGames) throw new Error(`It must hold at most ${maxGames} games.`)
  const seen = new Map<string, number>()
  return list.map((item, index) => {
    const { gameName, expands, ...rest } = entryOf(item, index, json)
    const name = gameName.trim()
    const entry = (seen.get(name) ?? 0) + 1
    seen.set(name, entry)
    return { gameName: name, entry, facts: { ...rest, ...(expands ? { expands: expands.trim() } : {}) } }
  })
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new Error(`Line ${lineOfSyntaxError(json)}: ${(cause as Error).message}.`, { cause })
  }
}

function entryOf(item: unknown, index: number, json: string): Static<typeof GameFacts> & { gameName: string } {
  try {
    const entry = decodeEntry(item, 'json')
    if (entry.gameName.trim() === '') throw new Error('gameName must not be blank.')
    if (entry.gameName.length > maxCodeUnits) throw new Error(`gameName must have at most ${maxCodeUnits} UTF-16 code units.`)
    return entry
  } catch (cause) {
    const name = (item as { gameName?: unknown } | null)?.gameName
    throw new Error(
      `Line ${lineOfItem(json, index)}: game ${index + 1}${typeof name === 'string' ? ` (${name.slice(0, 100)})` : ''}: ${(cause as Error).message}`,
      {
        cause,
      },
    )
  }
}

/** Expansions whose base game is not in the library. */
export function withoutBase(games: readonly CatalogueGame[]): CatalogueGame[] {
  const names = new Set(games.map(({ gameName }) => gameName))
  return games.filter(({ gameName, facts: { expands } }) => expands !== undefined && (expands === gameName || !names.has(expands)))
}
