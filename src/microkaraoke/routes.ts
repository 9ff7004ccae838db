// Micro karaoke, under the path of the reference and under one of its own.
import { route, type Route, type ServiceFeature } from '../core/http/route.ts'
import { Int, Type, Uuid } from '../core/schema/schema.ts'
import { ReportData } from '../moderation/schemas.ts'
import { addRecording, offerSlot, requireOffer } from './offers.service.ts'
import { MicroKaraokeCompletedSong, MicroKaraokeOfferPacket, MicroKaraokeRecordingData, MicroKaraokeSongManifest } from './schemas.ts'
import { getManifest, listSongs, reportSnippet, reportSong, sendVideo } from './songs.service.ts'

const song = { micro_karaoke_song_id: Int }
const snippet = { micro_karaoke_snippet_id: Uuid }
/** A video of 40 million bytes in base64, with its slashes escaped. */
const recordingLimit = 56 * 1024 * 1024

/** The endpoints below one of the two paths. */
function microKaraokeFamily(base: string, features: readonly ServiceFeature[]): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/offer`,
      access: 'verified',
      features,
      reply: MicroKaraokeOfferPacket,
      summary: 'Reserves a slot of a song for half an hour. Who has one already gets the same again.',
      run: (ctx) => offerSlot(ctx),
    }),
    route({
      method: 'POST',
      path: `${base}/recording`,
      access: 'verified',
      features,
      body: MicroKaraokeRecordingData,
      bodyLimit: recordingLimit,
      idempotent: true,
      summary: 'Fills a reserved slot with a video of more than 500,000 and less than 40,000,000 bytes.',
      guard: (ctx) => requireOffer(ctx),
      run: (ctx, { body }) => addRecording(ctx, body),
    }),
    route({
      method: 'GET',
      path: `${base}/songlist`,
      access: 'token',
      features,
      reply: Type.Array(MicroKaraokeCompletedSong),
      summary: 'Songs that are complete and approved, by id. The caller has seen then that they are ready.',
      run: (ctx) => listSongs(ctx),
    }),
    route({
      method: 'GET',
      path: `${base}/song/:micro_karaoke_song_id`,
      access: 'token',
      features,
      params: song,
      reply: MicroKaraokeSongManifest,
      summary: 'The videos and the music of a song.',
      run: (ctx, { params }) => getManifest(ctx, params.micro_karaoke_song_id),
    }),
    route({
      method: 'GET',
      path: `${base}/video/:filename`,
      access: 'flex',
      features,
      params: { filename: Type.String() },
      summary: 'The video of a slot, or a range of its bytes.',
      run: (ctx, { params }) => sendVideo(ctx, params.filename),
    }),
    route({
      method: 'POST',
      path: `${base}/song/:micro_karaoke_song_id/report`,
      access: 'token',
      features,
      params: song,
      body: ReportData,
      status: 201,
      summary: 'Reports a song to the moderators.',
      run: (ctx, { params, body }) => reportSong(ctx, params.micro_karaoke_song_id, body.message),
    }),
    route({
      method: 'POST',
      path: `${base}/snippet/:micro_karaoke_snippet_id/report`,
      access: 'token',
      features,
      params: snippet,
      body: ReportData,
      status: 201,
      summary: 'Reports a part of a song to the moderators.',
      run: (ctx, { params, body }) => reportSnippet(ctx, params.micro_karaoke_snippet_id, body.message),
    }),
  ]
}

export const microKaraokeRoutes = [
  // Its former address.
  ...microKaraokeFamily('/karaoke/mk', ['karaoke', 'microkaraoke']).map((each) => ({ ...each, clientName: false as const })),
  ...microKaraokeFamily('/microkaraoke', ['microkaraoke']),
]
