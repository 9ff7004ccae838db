// What answers about board games are made of, for those that stay in memory.
import type { Cached } from '../core/http/route.ts'
import { boardgamesKind } from './channel.ts'

/** Games as a caller gets them. */
export const games: Cached = { tables: [], channels: [boardgamesKind], parts: { boardgame_favorite: (viewer) => viewer?.id ?? '' } }
