// The item board.
import { searchColumns, table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { byUuid } from '../moderation/judged.ts'
import { oldRows, oldVersions } from '../core/work/old-rows.ts'
import { selectWrittenItems } from './queries.ts'
import { removeItem, setItemState } from './service.ts'
import { quartermasterRoutes } from './routes.ts'

export const quartermasterFeature = feature({
  name: 'quartermaster',
  webPaths: [
    '/quartermaster',
    '/quartermaster/need',
    '/quartermaster/owned',
    '/quartermaster/about',
    '/quartermaster/create',
    '/quartermaster/:id',
    '/quartermaster/:id/edit',
  ],
  judged: [{ type: 'quartermasterItem', written: selectWrittenItems, setState: byUuid(setItemState), remove: byUuid(removeItem) }],
  routes: quartermasterRoutes,
  oldRows: [
    oldRows({
      kind: 'deleted',
      table: 'quartermaster_item',
      key: 'uuid',
      about: [['quartermasterItem'], 'id'],
    }),
    oldVersions('quartermaster_edit', [['quartermasterItem'], 'item_id']),
  ],
  tables: [
    // Nobody can lend what belongs to somebody who is gone: a deletion of an account takes it off the board.
    table('quartermaster_item', {
      persons: { owner_id: 'kept' },
      ownData: { as: 'quartermasterItems', of: 'owner_id', without: searchColumns },
    }),
    table('quartermaster_edit', {
      persons: { editor_id: 'kept' },
      goesWith: ['quartermaster_item'],
      ownData: { as: 'quartermasterItemsBefore', of: 'editor_id' },
    }),
  ],
})
