// Songs that many sing, for tests that try everything.
import { randomUUID } from 'node:crypto'
import type { TestNodes } from '../support/app.ts'
import type { Cast, TestFeature, Things } from '../support/features.ts'
import { sungSong } from '../support/microkaraoke.ts'
import { missingUuid, texts } from '../support/ids.ts'

const smallestVideo = Buffer.alloc(500_001, 1).toString('base64')

export const feature: TestFeature = {
  access: `
POST /karaoke/mk/offer verified karaoke+microkaraoke creates
POST /karaoke/mk/recording verified karaoke+microkaraoke creates
GET /karaoke/mk/songlist token karaoke+microkaraoke
GET /karaoke/mk/song/:micro_karaoke_song_id token karaoke+microkaraoke
GET /karaoke/mk/video/:filename flex karaoke+microkaraoke
POST /karaoke/mk/song/:micro_karaoke_song_id/report token karaoke+microkaraoke
POST /karaoke/mk/snippet/:micro_karaoke_snippet_id/report token karaoke+microkaraoke
POST /microkaraoke/offer verified microkaraoke creates
POST /microkaraoke/recording verified microkaraoke creates
GET /microkaraoke/songlist token microkaraoke
GET /microkaraoke/song/:micro_karaoke_song_id token microkaraoke
GET /microkaraoke/video/:filename flex microkaraoke
POST /microkaraoke/song/:micro_karaoke_song_id/report token microkaraoke
POST /microkaraoke/snippet/:micro_karaoke_snippet_id/report token microkaraoke
GET /mod/microkaraoke/songlist moderator -
GET /mod/microkaraoke/song/:micro_karaoke_song_id moderator -
GET /mod/microkaraoke/snippets/:micro_karaoke_song_id moderator -
POST /mod/microkaraoke/snippet/:micro_karaoke_snippet_id/delete moderator -
DELETE /mod/microkaraoke/snippet/:micro_karaoke_snippet_id moderator -
POST /mod/microkaraoke/approve/:micro_karaoke_song_id moderator -
`,
  objects: `
GET /karaoke/mk/song/:micro_karaoke_song_id micro_karaoke_song_id stranger: missing=400 other=ok unapproved=missing building=missing
GET /karaoke/mk/video/:filename filename stranger: missing=400
POST /karaoke/mk/song/:micro_karaoke_song_id/report micro_karaoke_song_id stranger: missing=400 other=ok unapproved=missing building=missing
POST /karaoke/mk/snippet/:micro_karaoke_snippet_id/report micro_karaoke_snippet_id stranger: missing=400 other=ok blocked=ok unapproved=missing
GET /microkaraoke/song/:micro_karaoke_song_id micro_karaoke_song_id stranger: missing=400 other=ok unapproved=missing building=missing
GET /microkaraoke/video/:filename filename stranger: missing=400
POST /microkaraoke/song/:micro_karaoke_song_id/report micro_karaoke_song_id stranger: missing=400 other=ok unapproved=missing building=missing
POST /microkaraoke/snippet/:micro_karaoke_snippet_id/report micro_karaoke_snippet_id stranger: missing=400 other=ok blocked=ok unapproved=missing
GET /mod/microkaraoke/song/:micro_karaoke_song_id micro_karaoke_song_id moderator: missing=400 other=ok unapproved=ok building=ok
GET /mod/microkaraoke/snippets/:micro_karaoke_song_id micro_karaoke_song_id moderator: missing=400 other=ok unapproved=ok building=ok
POST /mod/microkaraoke/snippet/:micro_karaoke_snippet_id/delete micro_karaoke_snippet_id moderator: missing=ok other=ok blocked=ok unapproved=ok
DELETE /mod/microkaraoke/snippet/:micro_karaoke_snippet_id micro_karaoke_snippet_id moderator: missing=ok other=ok blocked=ok unapproved=ok
POST /mod/microkaraoke/approve/:micro_karaoke_song_id micro_karaoke_song_id moderator: missing=400 other=ok unapproved=ok building=400
`,
  bodies: {
    MicroKaraokeRecordingData: () => ({ offerID: randomUUID(), videoData: smallestVideo }),
  },
  things: {
    kinds: {
      mkSong: { params: ['micro_karaoke_song_id'], hidden: ['unapproved', 'building'] },
      mkSnippet: { params: ['micro_karaoke_snippet_id'] },
    },
    make: makeSongs,
  },
}

async function makeSongs(nodes: TestNodes, { owner, blocker }: Cast): Promise<Things> {
  const [approved, unapproved, building] = await Promise.all([
    sungSong(nodes, [owner.id, blocker.id], { approved: true }),
    sungSong(nodes, [owner.id]),
    sungSong(nodes, [owner.id]),
  ])
  await nodes.sql`update mk_song set is_complete = false where id = ${building.songID}`
  return {
    mkSong: texts({ other: approved.songID, unapproved: unapproved.songID, building: building.songID }),
    mkSnippet: {
      other: approved.snippetIDs[0] as string,
      blocked: approved.snippetIDs[1] as string,
      unapproved: unapproved.snippetIDs[0] as string,
      missing: missingUuid,
    },
  }
}
