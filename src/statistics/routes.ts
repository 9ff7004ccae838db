// Numbers for the team.
import { route } from '../core/http/route.ts'
import { ServerRollupData } from './schemas.ts'
import { countedTables } from './cached.ts'
import { rollUp } from './service.ts'

export const statisticsRoutes = [
  route({
    method: 'GET',
    path: '/admin/rollup',
    access: 'serviceteam',
    reply: ServerRollupData,
    summary:
      'Numbers of rows, deleted ones too: users, profile edits, user notes, alert words, mute words, stream photos, LFGs, their ' +
      'participants and posts, private threads and their posts, private events, personal events, forums, forum posts, their ' +
      'edits and reactions, karaoke performances, micro karaoke snippets, favorite users, followed events, favorite forums, ' +
      'bookmarked posts, favorite games, favorite songs, reports, moderator actions, items of the board, their edits.',
    cached: countedTables,
    run: (ctx) => rollUp(ctx),
  }),
]
