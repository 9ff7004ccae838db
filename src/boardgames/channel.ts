// The library of board games in memory, on nodes where somebody looks at it.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { selectGames, type GameRow } from './queries.ts'
import { libraryOf, type Game } from './views.ts'

/** The library was read from its file again. */
export type BoardgamesEvent = { type: 'reloaded' }

/** All games as they are shown, by title and by id. */
export class BoardgamesChannel extends Channel<BoardgamesEvent, GameRow[]> {
  readonly #node: Node
  /** In order of titles. */
  games: readonly Game[] = []
  #byId: ReadonlyMap<string, Game> = new Map()

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  get busy(): boolean {
    return false
  }

  find(id: string): Game | undefined {
    return this.#byId.get(id)
  }

  protected override read(): Promise<GameRow[]> {
    return selectGames(this.#node.db.sql)
  }

  protected override install(rows: GameRow[]): void {
    this.games = libraryOf(rows)
    this.#byId = new Map(this.games.map((game) => [game.id, game]))
  }

  protected override apply(): 'reload' {
    return 'reload'
  }
}

export const boardgamesKind: Kind<BoardgamesChannel, BoardgamesEvent> = {
  name: 'boardgames',
  tables: ['boardgame'],
  create: (node, id) => new BoardgamesChannel(node, id),
}

/** The one channel of board games has this id. */
export const boardgamesId = 'all'
