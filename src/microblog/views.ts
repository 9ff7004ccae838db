// Rows and a viewer to what is sent. Pure: everything it needs is in memory already.
import type { Accounts } from '../accounts/accounts.ts'
import { noMarks, type PostMarks } from '../post/feed.ts'
import { shownPost, shownReactors, type Reactors } from '../post/shown.ts'
import type { PostRow } from './rows.ts'
import type { MicroblogPostData, MicroblogPostDetailData } from './schemas.ts'

type OwnMarks = Omit<PostMarks, 'likeCount'>

function shown(accounts: Accounts, post: PostRow, marks: OwnMarks) {
  return { twarrtID: post.id, ...shownPost(accounts, post, marks), ...(post.replyGroup === null ? {} : { replyGroupID: post.replyGroup }) }
}

/** One post. */
export function postData(accounts: Accounts, post: PostRow, marks: PostMarks): MicroblogPostData {
  return { ...shown(accounts, post, marks), likeCount: marks.likeCount }
}

/** One post with everybody who has reacted to it. */
export function postDetailData(accounts: Accounts, post: PostRow & OwnMarks & Reactors): MicroblogPostDetailData {
  return { ...shown(accounts, post, post), ...shownReactors(accounts, post) }
}

/** One post with nothing hidden; moderators are not shown what has been said about it. */
export function judgedPostData(accounts: Accounts, post: PostRow): MicroblogPostData {
  return postData(accounts, { ...post, moderationStatus: 'normal' }, noMarks)
}
