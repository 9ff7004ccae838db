// Every endpoint under /boardgames.
import { pageQuery } from '../core/http/paging.ts'
import { methodAndPath, Reply, route } from '../core/http/route.ts'
import { Type, Uuid } from '../core/schema/schema.ts'
import { games } from './cached.ts'
import { BoardgameData, BoardgameRecommendationData, BoardgameReloadData, BoardgameResponseData, gamesQuery } from './schemas.ts'
import { favoriteGame, getGame, listExpansions, listGames, recommendGames, reloadGames, unfavoriteGame } from './service.ts'

const features = ['gameslist'] as const
const game = { boardgame_id: Uuid }

export const boardgamesRoutes = [
  route({
    method: 'GET',
    path: '/boardgames',
    access: 'flex',
    features,
    query: gamesQuery,
    reply: BoardgameResponseData,
    summary:
      "The games of the library, by title; those whose library title has the words of `search`, and the caller's favorites with " +
      '`favorite=true`.',
    cached: games,
    run: (ctx, { query }) => listGames(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/boardgames/:boardgame_id',
    access: 'flex',
    features,
    params: game,
    reply: BoardgameData,
    summary: 'One game.',
    cached: games,
    run: (ctx, { params }) => getGame(ctx, params.boardgame_id),
  }),
  route({
    method: 'GET',
    path: '/boardgames/expansions/:boardgame_id',
    access: 'flex',
    features,
    params: game,
    query: pageQuery,
    reply: Type.Union([Type.Array(BoardgameData), BoardgameResponseData]),
    summary: 'A base game and all of its expansions, by the id of any of them: a list, or a page when `start` or `limit` is given.',
    cached: games,
    run: (ctx, { params, query }) => listExpansions(ctx, params.boardgame_id, query),
  }),
  ...(['GET', 'POST'] as const).map((method) =>
    route({
      method,
      path: '/boardgames/recommend',
      access: 'flex',
      features,
      query: pageQuery,
      body: BoardgameRecommendationData,
      reply: BoardgameResponseData,
      summary: 'Games that suit a group, best first.',
      effort: 1,
      ...(method === 'GET' && { cached: games }),
      run: (ctx, { query, body }) => recommendGames(ctx, body, query),
    }),
  ),
  route({
    method: 'POST',
    path: '/boardgames/:boardgame_id/favorite',
    access: 'token',
    features,
    params: game,
    status: 201,
    alreadySo: true,
    summary: 'Favorites a game; 200 when it was.',
    run: async (ctx, { params }) => new Reply((await favoriteGame(ctx, params.boardgame_id)) ? 201 : 200),
  }),
  ...(['POST /boardgames/:boardgame_id/favorite/remove', 'DELETE /boardgames/:boardgame_id/favorite'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: game,
      status: 204,
      alreadySo: true,
      summary: 'Takes a game off the favorites; 200 when it was none.',
      run: async (ctx, { params }) => new Reply((await unfavoriteGame(ctx, params.boardgame_id)) ? 204 : 200),
    }),
  ),
  route({
    method: 'POST',
    path: '/boardgames/reload',
    access: 'admin',
    features,
    reply: BoardgameReloadData,
    summary:
      "Reads the library's file again. Games keep their ids and stay favorites; a file that is wrong changes nothing, and the " +
      'answer says where.',
    run: (ctx) => reloadGames(ctx),
  }),
]
