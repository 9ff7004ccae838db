// The photo stream, for tests that try everything.
import { randomUUID } from 'node:crypto'
import { identiconPng } from '../../src/image/identicon.ts'
import type { TestNodes } from '../support/app.ts'
import type { Cast, TestFeature, Things } from '../support/features.ts'
import { streamPhoto } from '../support/photostream.ts'
import { texts } from '../support/ids.ts'

const smallestPicture = identiconPng(randomUUID()).toString('base64')

export const feature: TestFeature = {
  access: `
GET /photostream token photostream
GET /photostream/placenames token photostream
POST /photostream/upload verified photostream creates
POST /photostream/:stream_photoID/report token photostream
GET /mod/photostream/:stream_photoID moderator photostream creates
POST /mod/photostream/:stream_photoID/setstate/:mod_state moderator photostream
POST /mod/photostream/:stream_photoID/delete moderator photostream creates
DELETE /mod/photostream/:stream_photoID moderator photostream creates
`,
  objects: `
POST /photostream/:stream_photoID/report stream_photoID stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
GET /mod/photostream/:stream_photoID stream_photoID moderator: missing=400 other=ok blocked=ok deleted=ok quarantined=ok
POST /mod/photostream/:stream_photoID/setstate/:mod_state stream_photoID moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
POST /mod/photostream/:stream_photoID/delete stream_photoID moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
DELETE /mod/photostream/:stream_photoID stream_photoID moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
`,
  bodies: {
    PhotostreamUploadData: () => ({ image: smallestPicture, createdAt: '2025-01-01T00:00:00Z' }),
  },
  things: {
    kinds: {
      streamPhoto: { params: ['stream_photoID'], hidden: ['blocked', 'deleted'] },
    },
    make: makePhotos,
  },
}

async function makePhotos(nodes: TestNodes, { owner, blocker }: Cast): Promise<Things> {
  const [other, blocked, deleted, quarantined] = await Promise.all([
    streamPhoto(nodes, owner),
    streamPhoto(nodes, blocker),
    streamPhoto(nodes, owner),
    streamPhoto(nodes, owner),
  ])
  await nodes.sql`update stream_photo set deleted_at = now() where id = ${deleted}`
  await nodes.sql`update stream_photo set moderation_status = 'quarantined' where id = ${quarantined}`
  return { streamPhoto: texts({ other, blocked, deleted, quarantined }) }
}
