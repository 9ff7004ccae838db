// What answers about forums are made of, for those that stay in memory.
import type { Cached } from '../core/http/route.ts'
import type { Viewer } from '../core/base/viewer.ts'

const reader = (viewer: Viewer | undefined) => viewer?.id ?? ''
const forumOf = (_viewer: Viewer | undefined, { forum_id = '' }: Record<string, string>) => forum_id

const categoryOf = (_viewer: Viewer | undefined, { category_id = '' }: Record<string, string>) => category_id

/** Forums of one category. */
export const forumsOfCategory: Cached = {
  tables: ['forum_category', 'event'],
  parts: { forum: categoryOf, forum_post: categoryOf, forum_reader: reader },
}

/** Forums that the caller has started, or has had to do with. */
export const ownForumLists: Cached = {
  tables: ['forum_category', 'event'],
  parts: { forum: 'shown', forum_post: 'shown', forum_reader: reader },
}

/** Lists of any forums. */
export const forumLists: Cached = { tables: ['forum', 'forum_category', 'forum_post', 'event'], parts: { forum_reader: reader } }

/** Posts of any forums. */
export const someForumPosts: Cached = { tables: ['forum', 'forum_category', 'forum_post', 'forum_post_mark'] }

/** Posts of one. */
export const postsOfForum: Cached = {
  tables: ['forum_category'],
  parts: { forum: forumOf, forum_post: forumOf, forum_post_mark: forumOf },
}

/** A page of a forum. */
export const forumPage: Cached = {
  tables: ['forum_category', 'event'],
  parts: { forum: forumOf, forum_post: forumOf, forum_post_mark: forumOf, forum_reader: reader },
}

/** A page of a forum that is found by something else. */
export const pageOfSome: Cached = {
  tables: ['forum', 'forum_category', 'forum_post', 'forum_post_mark', 'event'],
  parts: { forum_reader: reader },
}
