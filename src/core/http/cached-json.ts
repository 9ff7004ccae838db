// The text of UserNotificationData, put together from parts that are kept until they change: everybody
// asks for it all the time. Pure.
import { createHash } from 'node:crypto'
import { joinedJson, type JsonText } from '../base/json-text.ts'

/** A part of the text, what it was made of, and what stands for it in the ETag. */
export interface PolledPart {
  readonly madeOf: readonly unknown[]
  /** JSON fields without braces. */
  readonly text: string
  readonly tag: string
}

/**
 * The part as it was, or made again when one of its sources is another. `passing` fields are no
 * reason to fetch the text again: the tag leaves them out.
 */
export function keptPart(
  before: PolledPart | undefined,
  madeOf: readonly unknown[],
  fields: () => { lasting: object; passing?: object },
): PolledPart {
  if (before && before.madeOf.length === madeOf.length && before.madeOf.every((source, index) => source === madeOf[index])) return before
  const { lasting, passing } = fields()
  const text = JSON.stringify(lasting)
  const tag = createHash('sha1').update(text).digest('base64url').slice(0, 16)
  return { madeOf, text: (passing ? JSON.stringify({ ...passing, ...lasting }) : text).slice(1, -1), tag }
}

/** The whole text and its ETag, weak since compression changes the bytes. */
export function joinParts<T>(server: PolledPart, user: PolledPart): { json: JsonText<T>; etag: string } {
  return { json: joinedJson(`{${server.text},${user.text}}`), etag: `W/"${server.tag}${user.tag}"` }
}
