// Songs of the karaoke library, for tests that try everything.
import type { TestFeature } from '../support/features.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /karaoke flex karaoke
GET /karaoke/latest flex karaoke
GET /karaoke/performance flex karaoke
GET /karaoke/userIsManager token karaoke
GET /karaoke/userismanager token karaoke
POST /karaoke/userIsManager token karaoke
POST /karaoke/userismanager token karaoke
GET /karaoke/:song_id flex karaoke
POST /karaoke/:song_id/favorite token karaoke
POST /karaoke/:song_id/favorite/remove token karaoke
DELETE /karaoke/:song_id/favorite token karaoke
POST /karaoke/:song_id/logperformance token karaoke
POST /karaoke/reload admin karaoke
`,
  objects: `
GET /karaoke/:song_id song_id stranger: missing=400 other=ok
POST /karaoke/:song_id/favorite song_id stranger: missing=400 other=ok
POST /karaoke/:song_id/favorite/remove song_id stranger: missing=ok other=ok
DELETE /karaoke/:song_id/favorite song_id stranger: missing=ok other=ok
POST /karaoke/:song_id/logperformance song_id manager: missing=400 other=ok
`,
  things: {
    kinds: {
      karaokeSong: { params: ['song_id'] },
    },
    make: async (nodes) => {
      const [song] = await nodes.sql<[{ id: string }]>`select id from karaoke_song limit 1`
      return { karaokeSong: { other: song.id, missing: missingUuid } }
    },
  },
}
