// An answer that everybody asks for all the time, as text, put together from parts that change at different times. Pure.
import { createHash } from 'node:crypto'
import { joinedJson, type JsonText } from '../base/json-text.ts'

/** A part of the text, and what stands for it in the ETag. */
export interface PolledPart {
  /** JSON fields without braces. */
  readonly text: string
  readonly tag: string
}

/** A part with these fields. `passing` ones are no reason to fetch the text again: the tag leaves them out. */
export function polledPart({ lasting, passing }: { lasting: object; passing?: object }): PolledPart {
  const text = JSON.stringify(lasting)
  const tag = createHash('sha1').update(text).digest('base64url').slice(0, 16)
  return { text: (passing ? JSON.stringify({ ...passing, ...lasting }) : text).slice(1, -1), tag }
}

/** The whole text and its ETag, weak since compression changes the bytes. */
export function joinParts<T>(server: PolledPart, user: PolledPart): { json: JsonText<T>; etag: string } {
  return { json: joinedJson(`{${server.text},${user.text}}`), etag: `W/"${server.tag}${user.tag}"` }
}
