// What of forums grows old.
import { isEmpty, oldRows, oldVersions } from '../core/work/old-rows.ts'

const posts = {
  kind: 'deleted',
  table: 'forum_post',
  key: 'int',
  about: [['forumPost'], 'id'],
  first: { poll: { column: 'post_id', where: ['place', 'forum'] }, forum_post_edit: 'post_id', forum_post_mark: 'post_id' },
} as const

export const forumRetention = [
  oldRows(posts),
  oldRows({ ...posts, old: (sql, before) => sql`deleted_at is null and forum_id in (select id from forum where deleted_at < ${before})` }),
  oldRows({
    kind: 'deleted',
    table: 'forum',
    key: 'uuid',
    // One that an event refers to stays, without posts.
    old: (sql, before) => sql`deleted_at < ${before} and not exists (select from event where event.forum_id = forum.id)`,
    ready: (sql) => isEmpty(sql, 'forum_post', 'forum_post.forum_id', 'forum.id'),
    about: [['forum'], 'id'],
    // Tables that refer to forums are searched for each.
    atOnce: 20,
    first: { forum_edit: 'forum_id', forum_reader: 'forum_id' },
  }),
  oldVersions('forum_edit', [['forum'], 'forum_id']),
  oldVersions('forum_post_edit', [['forumPost'], 'post_id']),
]
