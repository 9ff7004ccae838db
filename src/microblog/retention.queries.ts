// What of the microblog grows old.
import { oldRows, oldVersions } from '../core/work/old-rows.ts'

export const microblogRetention = [
  oldRows({
    kind: 'deleted',
    table: 'microblog_post',
    key: 'int',
    // One that was answered stays as long as an answer does.
    old: (sql, before) => sql`deleted_at < ${before} and not exists (
      select from microblog_post as reply where reply.reply_group = microblog_post.id and reply.deleted_at is null)`,
    ready: (sql) => sql`not exists (
      select from microblog_post as reply
      where reply.reply_group = microblog_post.id and reply.id <> microblog_post.id and reply.deleted_at is not null)`,
    about: [['twarrt'], 'id'],
    first: { poll: { column: 'post_id', where: ['place', 'microblog'] }, microblog_post_edit: 'post_id', microblog_post_mark: 'post_id' },
  }),
  oldVersions('microblog_post_edit', [['twarrt'], 'post_id']),
]
