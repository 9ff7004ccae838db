// Every endpoint under /mod/microkaraoke.
import { methodAndPath, route } from '../core/http/route.ts'
import { Int, Type, Uuid } from '../core/schema/schema.ts'
import { approveSong, deleteSnippet, getSongModeration, listSnippets, listSongsModeration } from './moderation.service.ts'
import { MicroKaraokeCompletedSong, MicroKaraokeSnippetModeration } from './schemas.ts'

const song = { micro_karaoke_song_id: Int }

export const microKaraokeModerationRoutes = [
  route({
    method: 'GET',
    path: '/mod/microkaraoke/songlist',
    access: 'moderator',
    reply: Type.Array(MicroKaraokeCompletedSong),
    summary: 'All songs, finished or not, by id.',
    run: (ctx) => listSongsModeration(ctx),
  }),
  route({
    method: 'GET',
    path: '/mod/microkaraoke/song/:micro_karaoke_song_id',
    access: 'moderator',
    params: song,
    reply: MicroKaraokeCompletedSong,
    summary: 'One song, finished or not.',
    run: (ctx, { params }) => getSongModeration(ctx, params.micro_karaoke_song_id),
  }),
  route({
    method: 'GET',
    path: '/mod/microkaraoke/snippets/:micro_karaoke_song_id',
    access: 'moderator',
    params: song,
    reply: Type.Array(MicroKaraokeSnippetModeration),
    summary: 'The slots of a song that are sung or reserved, in order.',
    run: (ctx, { params }) => listSnippets(ctx, params.micro_karaoke_song_id),
  }),
  ...(
    [
      'POST /mod/microkaraoke/snippet/:micro_karaoke_snippet_id/delete',
      'DELETE /mod/microkaraoke/snippet/:micro_karaoke_snippet_id',
    ] as const
  ).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'moderator',
      params: { micro_karaoke_snippet_id: Uuid },
      summary: 'Takes a part out of its song, which is neither complete nor approved then; also answers when it is gone already.',
      run: (ctx, { params }) => deleteSnippet(ctx, params.micro_karaoke_snippet_id),
    }),
  ),
  route({
    method: 'POST',
    path: '/mod/microkaraoke/approve/:micro_karaoke_song_id',
    access: 'moderator',
    params: song,
    summary: 'Shows a complete song to everybody and tells those who have sung in it.',
    run: (ctx, { params }) => approveSong(ctx, params.micro_karaoke_song_id),
  }),
]
