// Rows and a viewer to what is sent. Pure: everything it needs is in memory already.
import type { Accounts } from '../accounts/accounts.ts'
import { noMarks, type PostMarks } from '../post/feed.ts'
import { shownContent, shownFor, shownMarks, shownReactors, type Reactors } from '../post/shown.ts'
import type { PostRow } from './rows.ts'
import type { MicroblogPostData, MicroblogPostDetailData } from './schemas.ts'

/** The part of a post that is the same for everybody. */
export const postContent = (post: PostRow) => ({
  twarrtID: post.id,
  ...shownContent(post),
  ...(post.replyGroup === null ? {} : { replyGroupID: post.replyGroup }),
})

/** One post. */
export function postData(accounts: Accounts, post: PostRow, marks: PostMarks): MicroblogPostData {
  return shownFor(accounts, postContent(post), post.authorId, marks)
}

/** One post with everybody who has reacted to it. */
export function postDetailData(accounts: Accounts, post: PostRow & Omit<PostMarks, 'counts'> & Reactors): MicroblogPostDetailData {
  return { ...postContent(post), author: accounts.get(post.authorId).header, ...shownMarks(post), ...shownReactors(accounts, post) }
}

/** One post with nothing hidden; moderators are not shown what has been said about it. */
export function judgedPostData(accounts: Accounts, post: PostRow): MicroblogPostData {
  return postData(accounts, { ...post, moderationStatus: 'normal' }, noMarks)
}
