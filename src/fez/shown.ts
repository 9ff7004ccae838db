// The beginning of a chat's JSON that no post changes, for viewers from whom no block hides anybody in it: there may be
// a thousand members.
import { versionOf, type FezRow } from './rows.ts'
import { fezWithoutMembers, type Thread, type ViewContext } from './views.ts'
import type { FezWithPostData } from './schemas.ts'
import { joinedJsonBytes, type JsonBytes } from '../core/base/json-text.ts'
import { Memo } from '../core/base/memo.ts'

/** One chat's. */
export class ShownChat {
  readonly #begun = new Memo<Uint8Array<ArrayBuffer>>()

  /** A chat for a viewer who hides nobody and may see its thread, and the fields of a post, as its frame has them, beside its own. */
  withPost(
    view: ViewContext,
    settings: number,
    fez: FezRow,
    memberIds: Iterable<string>,
    thread: Thread,
    frame: Uint8Array,
  ): JsonBytes<FezWithPostData> {
    const begun = this.#begun.get([versionOf(fez), view.accounts.revision, settings], () => begin(view, fez, memberIds))
    const { postCount, readCount, isMuted, isFavorite } = thread
    const numbers = `,"postCount":${postCount},"readCount":${readCount},"isMuted":${isMuted},"isFavorite":${isFavorite}}`
    const middle = Buffer.from(`${numbers},"lastModificationTime":"${fez.updatedAt.toISOString()}",`)
    // Without the brace that opens it.
    return joinedJsonBytes(Buffer.concat([begun, middle, frame.subarray(1)]))
  }
}

/** All fields but the time of the last change, up to the members who take part and those who wait. */
function begin(view: ViewContext, fez: FezRow, memberIds: Iterable<string>): Uint8Array<ArrayBuffer> {
  const { lastModificationTime: _changes, ...fields } = fezWithoutMembers(view, fez)
  const headers = Array.from(memberIds, (id) => view.accounts.get(id).headerJson)
  const room = fez.maxCapacity === 0 ? headers.length : fez.maxCapacity
  const members = `"participants":[${headers.slice(0, room).join()}],"waitingList":[${headers.slice(room).join()}]`
  // A small buffer of Node would keep the larger one that it shares.
  return new TextEncoder().encode(`${JSON.stringify(fields).slice(0, -1)},"members":{${members}`)
}
