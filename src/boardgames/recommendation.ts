// Which games suit a group, best first. Pure.
import type { GameFacts } from './catalogue.ts'
import type { BoardgameRecommendationData } from './schemas.ts'

/** How well a game suits; undefined when it does not, or when too little is known of it. */
export function scoreOf(game: GameFacts, wanted: BoardgameRecommendationData): number | undefined {
  const known = suits(game, wanted) ? estimates(game) : undefined
  if (!known) return undefined
  const { numPlayers, timeToPlay, complexity } = wanted
  const tooSimple = complexity === 0 ? 0 : 1.5 * Math.abs(Math.max(1, Math.min(5, complexity)) - known.complexity)
  return 100 + known.rating - 2 * Math.abs(numPlayers - known.players) - Math.abs(timeToPlay - known.minutes) / 15 - tooSimple
}

/** Unknown values fail: undefined compares false with every number. */
function suits(game: GameFacts, { numPlayers, timeToPlay, minAge, maxAge, complexity }: BoardgameRecommendationData): boolean {
  const { minPlayers = NaN, maxPlayers = NaN, avgPlayingTime = NaN, minAge: age = NaN, complexity: weight = NaN } = game
  return (
    minPlayers <= numPlayers &&
    maxPlayers >= numPlayers &&
    avgPlayingTime <= timeToPlay &&
    (maxAge === 0 || age <= maxAge) &&
    (minAge === 0 || age >= minAge) &&
    (complexity === 0 || weight >= complexity)
  )
}

/** The four numbers that count, at most one of them guessed. In the data 0 means unknown. */
function estimates(game: GameFacts): { players: number; minutes: number; rating: number; complexity: number } | undefined {
  const { suggestedPlayers, avgPlayingTime, avgRating, complexity, minPlayers, maxPlayers, minPlayingTime, maxPlayingTime } = game
  const faults = Number(!suggestedPlayers) + Number(!avgPlayingTime) + Number(!avgRating) + Number(!complexity)
  if (faults > 1) return undefined
  const players = suggestedPlayers || middle(minPlayers, maxPlayers, 1)
  const minutes = avgPlayingTime || middle(minPlayingTime, maxPlayingTime, 0)
  if (players === undefined || minutes === undefined) return undefined
  return { players, minutes, rating: avgRating || 4.5, complexity: complexity || 3 }
}

function middle(low: number | undefined, high: number | undefined, roundUp: 0 | 1): number | undefined {
  return low && high ? Math.floor((low + high + roundUp) / 2) : undefined
}
