// Pictures, for tests that try everything.
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { imagePath } from '../../src/image/names.ts'
import type { TestNodes } from '../support/app.ts'
import type { TestFeature } from '../support/features.ts'
import { knownImage } from '../support/images.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /image/descriptions token images
GET /image/full/:image_filename flex images
GET /image/qrcode flex images
GET /image/thumb/:image_filename flex images
GET /image/archive/:image_filename moderator images
GET /image/user/identicon/:user_id flex images
GET /image/user/full/:user_id flex images
GET /image/user/thumb/:user_id flex images
`,
  objects: `
GET /image/full/:image_filename image_filename stranger: missing=400 other=ok archived=missing
GET /image/thumb/:image_filename image_filename stranger: missing=400 other=ok archived=missing
GET /image/archive/:image_filename image_filename moderator: missing=400 other=missing archived=ok
GET /image/user/identicon/:user_id user_id stranger: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /image/user/full/:user_id user_id stranger: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /image/user/thumb/:user_id user_id stranger: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
`,
  bodies: {
    ImageUploadData: () => ({ filename: knownImage }),
  },
  things: {
    kinds: {
      image: { params: ['image_filename'] },
      video: { params: ['filename'] },
    },
    make: (nodes) =>
      Promise.resolve({
        image: { ...storeImages(nodes), missing: `${missingUuid.toUpperCase()}.png` },
        video: { missing: `${missingUuid}.mp4` },
      }),
  },
}

function storeImages({ config }: TestNodes): Record<string, string> {
  const [other, archived] = [randomUUID(), randomUUID()].map((id) => `${id.toUpperCase()}.png`) as [string, string]
  for (const [size, name] of [
    ['full', other],
    ['thumb', other],
    ['archive', archived],
  ] as const) {
    const path = join(config.imagesDir, imagePath(size, name))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'a picture')
  }
  return { other, archived }
}
