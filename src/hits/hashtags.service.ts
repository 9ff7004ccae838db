// Completing hashtags while they are typed.
import type { OpenCtx } from '../core/work/ctx.ts'
import { graphemes } from '../core/schema/decode.ts'
import { badRequest } from '../core/base/errors.ts'
import { selectHashtags } from './queries.ts'

const maxTags = 10

/** Hashtags that begin with a text, whose # may be left out; in order, without #. */
export async function completeHashtag(ctx: OpenCtx, typed: string): Promise<string[]> {
  const beginning = typed.normalize('NFC').replace(/^#/, '')
  if (!/^[\p{L}\p{M}\p{N}]+$/u.test(beginning) || graphemes(beginning, 50) > 49)
    throw badRequest('hashtag_invalid', 'A hashtag has 1 to 49 letters or digits.')
  return await selectHashtags(ctx.sql, beginning, maxTags)
}
