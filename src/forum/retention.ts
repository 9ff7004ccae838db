// What of forums grows old.
import { hasNoPosts, oldRows, oldVersions } from '../moderation/old-rows.ts'

const posts = {
  kind: 'deleted',
  table: 'forum_post',
  key: 'int',
  about: [['forumPost'], 'id'],
  polls: 'forum',
  first: { forum_post_edit: 'post_id', forum_post_mark: 'post_id' },
} as const

export const forumRetention = [
  oldRows({ ...posts, old: (sql, before) => sql`deleted_at < ${before}` }),
  oldRows({ ...posts, old: (sql, before) => sql`deleted_at is null and forum_id in (select id from forum where deleted_at < ${before})` }),
  oldRows({
    kind: 'deleted',
    table: 'forum',
    key: 'uuid',
    // One that an event refers to stays, without posts.
    old: (sql, before) => sql`deleted_at < ${before} and not exists (select from event where event.forum_id = forum.id)`,
    ready: (sql) => hasNoPosts(sql, 'forum_post', 'forum_post.forum_id', 'forum.id'),
    about: [['forum'], 'id'],
    // Tables that refer to forums are searched for each.
    atOnce: 20,
    first: { forum_edit: 'forum_id', forum_reader: 'forum_id' },
  }),
  oldVersions('forum_edit', [['forum'], 'forum_id']),
  oldVersions('forum_post_edit', [['forumPost'], 'post_id']),
]
