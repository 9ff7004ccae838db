// Every endpoint under /karaoke but those of micro karaoke.
import { methodAndPath, Reply, route, type Cached } from '../core/http/route.ts'
import { Type, Uuid } from '../core/schema/schema.ts'
import { NoteCreateData } from '../users/schemas.ts'
import { isKaraokeManager, listLatest, listPerformances, logPerformance } from './performances.service.ts'
import {
  KaraokePerformedSongsData,
  KaraokePerformedSongsResult,
  KaraokeReloadData,
  KaraokeSongData,
  KaraokeSongResponseData,
  performancesQuery,
  songsQuery,
  UserAuthorizedToCreateKaraokeLogs,
} from './schemas.ts'
import { favoriteSong, getSong, listSongs, reloadSongs, unfavoriteSong } from './service.ts'

const features = ['karaoke'] as const
const song = { song_id: Uuid }

const songs: Cached = {
  tables: ['karaoke_song', 'karaoke_performance', 'favorite'],
  parts: { karaoke_favorite: (viewer) => viewer?.id ?? '' },
}

export const karaokeRoutes = [
  route({
    method: 'GET',
    path: '/karaoke',
    access: 'flex',
    features,
    query: songsQuery,
    reply: KaraokeSongResponseData,
    summary:
      'Songs by artist and title. Needs `favorite=true` or a `search`: words of artist and title, one letter that the artist ' +
      'begins with, or `#` for a number.',
    cached: songs,
    run: (ctx, { query }) => listSongs(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/karaoke/latest',
    access: 'flex',
    features,
    query: performancesQuery,
    reply: KaraokePerformedSongsResult,
    summary: 'What was sung, newest first.',
    cached: songs,
    run: (ctx, { query }) => listPerformances(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/karaoke/performance',
    access: 'flex',
    features,
    query: performancesQuery,
    reply: Type.Array(KaraokePerformedSongsData),
    summary: 'What was sung, newest first, as a list.',
    cached: songs,
    run: (ctx, { query }) => listLatest(ctx, query),
  }),
  ...(['GET', 'POST'] as const).flatMap((method) =>
    ['/karaoke/userIsManager', '/karaoke/userismanager'].map((path) =>
      route({
        method,
        path,
        ...(method === 'GET' && path === '/karaoke/userIsManager' ? {} : { clientName: false as const }),
        access: 'token',
        features,
        reply: UserAuthorizedToCreateKaraokeLogs,
        summary: 'Whether the caller may log performances.',
        run: ({ viewer }) => ({ isAuthorized: isKaraokeManager(viewer) }),
      }),
    ),
  ),
  route({
    method: 'GET',
    path: '/karaoke/:song_id',
    access: 'flex',
    features,
    params: song,
    reply: KaraokeSongData,
    summary: 'One song with everybody who has sung it.',
    cached: songs,
    run: (ctx, { params }) => getSong(ctx, params.song_id),
  }),
  route({
    method: 'POST',
    path: '/karaoke/:song_id/favorite',
    access: 'token',
    features,
    params: song,
    status: 201,
    alreadySo: true,
    summary: 'Favorites a song; 200 when it was.',
    run: async (ctx, { params }) => new Reply((await favoriteSong(ctx, params.song_id)) ? 201 : 200),
  }),
  ...(['POST /karaoke/:song_id/favorite/remove', 'DELETE /karaoke/:song_id/favorite'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: song,
      status: 204,
      alreadySo: true,
      summary: 'Takes a song off the favorites; 200 when it was none.',
      run: async (ctx, { params }) => new Reply((await unfavoriteSong(ctx, params.song_id)) ? 204 : 200),
    }),
  ),
  route({
    method: 'POST',
    path: '/karaoke/:song_id/logperformance',
    access: 'token',
    features,
    params: song,
    body: NoteCreateData,
    status: 201,
    idempotent: true,
    summary: 'Logs that a song was sung; the note says by whom. For karaoke managers.',
    run: (ctx, { params, body }) => logPerformance(ctx, params.song_id, body.note),
  }),
  route({
    method: 'POST',
    path: '/karaoke/reload',
    access: 'admin',
    features,
    reply: KaraokeReloadData,
    summary:
      "Reads the library's file again. Songs keep their ids and stay favorites, and the log stays; a file that is wrong changes " +
      'nothing, and the answer says where.',
    run: (ctx) => reloadSongs(ctx),
  }),
]
