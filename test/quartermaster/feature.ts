// The item board, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { Cast, Guests, TestFeature, Things } from '../support/features.ts'
import { boardItem } from '../support/quartermaster.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /quartermaster token quartermaster
GET /quartermaster/:item_id token quartermaster
POST /quartermaster/create verified quartermaster creates
POST /quartermaster/:item_id/update token quartermaster creates
POST /quartermaster/:item_id/delete token quartermaster creates
DELETE /quartermaster/:item_id token quartermaster creates
POST /quartermaster/:item_id/report token quartermaster
GET /mod/quartermaster/:item_id moderator quartermaster
POST /mod/quartermaster/:item_id/setstate/:mod_state moderator quartermaster
`,
  objects: `
GET /quartermaster/:item_id item_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
POST /quartermaster/:item_id/update item_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
POST /quartermaster/:item_id/delete item_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
DELETE /quartermaster/:item_id item_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
POST /quartermaster/:item_id/report item_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
GET /mod/quartermaster/:item_id item_id moderator: missing=400 other=ok blocked=ok deleted=ok quarantined=ok
POST /mod/quartermaster/:item_id/setstate/:mod_state item_id moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
`,
  bodies: {
    QuartermasterCreateData: () => ({ category: 'have', items: [{ itemName: 'A sewing kit' }] }),
    QuartermasterContentData: () => ({ category: 'need', itemName: 'A sewing kit' }),
  },
  evening: offerItems,
  things: {
    kinds: {
      boardItem: { params: ['item_id'], hidden: ['blocked', 'deleted'] },
    },
    make: makeBoardItems,
  },
}

async function makeBoardItems(nodes: TestNodes, { owner, blocker }: Cast): Promise<Things> {
  const [other, blocked, deleted, quarantined] = await Promise.all([owner, blocker, owner, owner].map((person) => boardItem(person.one)))
  await nodes.sql`update quartermaster_item set deleted_at = now() where id = ${deleted as string}`
  await nodes.sql`update quartermaster_item set moderation_status = 'quarantined' where id = ${quarantined as string}`
  return { boardItem: { other, blocked, deleted, quarantined, missing: missingUuid } as Record<string, string> }
}

async function offerItems({ sam, mara }: Guests): Promise<Record<string, string>> {
  const item = await boardItem(
    sam.one,
    { itemName: 'Travel iron', itemDescription: 'Works with both kinds of sockets.' },
    { location: 'Library, second shelf' },
  )
  await boardItem(mara.one, { itemName: 'Three decks of cards' })
  return { 'board-item': `/quartermaster/${item}` }
}
