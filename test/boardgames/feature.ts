// Board games, for tests that try everything.
import type { TestFeature } from '../support/features.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /boardgames flex gameslist
GET /boardgames/:boardgame_id flex gameslist
GET /boardgames/expansions/:boardgame_id flex gameslist
GET /boardgames/recommend flex gameslist
POST /boardgames/recommend flex gameslist
POST /boardgames/:boardgame_id/favorite token gameslist
POST /boardgames/:boardgame_id/favorite/remove token gameslist
DELETE /boardgames/:boardgame_id/favorite token gameslist
POST /boardgames/reload admin gameslist
`,
  objects: `
GET /boardgames/:boardgame_id boardgame_id stranger: missing=400 other=ok
GET /boardgames/expansions/:boardgame_id boardgame_id stranger: missing=400 other=ok
POST /boardgames/:boardgame_id/favorite boardgame_id stranger: missing=400 other=ok
POST /boardgames/:boardgame_id/favorite/remove boardgame_id stranger: missing=ok other=ok
DELETE /boardgames/:boardgame_id/favorite boardgame_id stranger: missing=ok other=ok
`,
  things: {
    kinds: {
      boardgame: { params: ['boardgame_id'] },
    },
    make: async (nodes) => {
      const [game] = await nodes.sql<[{ id: string }]>`select id from boardgame limit 1`
      return { boardgame: { other: game.id, missing: missingUuid } }
    },
  },
}
