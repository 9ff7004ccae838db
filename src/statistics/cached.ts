// The tables that the roll-up is made of: it stays in memory until one of them is written.
import type { Cached } from '../core/http/route.ts'

export const countedTables: Cached = {
  tables: [
    'account',
    'profile_edit',
    'note',
    'alertword',
    'muteword',
    'fez',
    'fez_member',
    'fez_post',
    'forum',
    'forum_post',
    'forum_post_edit',
    'forum_post_mark',
    'karaoke_performance',
    'mk_snippet',
    'favorite',
    'event_follower',
    'forum_reader',
    'boardgame_favorite',
    'karaoke_favorite',
    'report',
    'moderator_action',
    'stream_photo',
    'quartermaster_item',
    'quartermaster_edit',
  ],
}
