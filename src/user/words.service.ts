// An account's own alertwords and mutewords.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import { forgetAlertword } from '../hits/alertwords.service.ts'
import { watchedGroupOf } from '../hits/watched-words.ts'
import { userTopic } from '../accounts/events.ts'
import type { KeywordData } from './schemas.ts'
import { deleteWord, insertWord, selectWords, type WordList } from './words.queries.ts'
import { isUsable, lowerCased, minLetters, wordsIn } from '../text/words.ts'

/** Mutewords are looked for in every item of every list: somebody with thousands would slow down everybody. */
const maxWords = 500

/** The caller's words. */
export async function listWords(ctx: Ctx, list: WordList): Promise<KeywordData> {
  return { keywords: await selectWords(ctx.sql, list, ctx.viewer.id) }
}

/** Adds one word; one that is there already changes nothing. */
export async function addWord(ctx: Ctx, list: WordList, typed: string): Promise<KeywordData> {
  const word = oneWord(typed)
  if (!isUsable(word)) throw badRequest('word_invalid', `A word needs at least ${minLetters} letters, and less than 50.`)
  return await ctx.transaction(async (tx) => {
    const before = await selectWords(tx.sql, list, ctx.viewer.id)
    if (before.includes(word)) return { keywords: before }
    if (before.length >= maxWords) throw badRequest('too_many_words', `You have ${maxWords} words, which is the maximum. Remove one first.`)
    await insertWord(tx.sql, list, ctx.viewer.id, word, tx.now)
    return await changed(tx, list, word)
  })
}

/** Removes one word; one that is not there changes nothing. */
export async function removeWord(ctx: Ctx, list: WordList, typed: string): Promise<KeywordData> {
  const word = list === 'muteword' ? oneWord(typed) : lowerCased(typed)
  return await ctx.transaction(async (tx) => {
    if ((await deleteWord(tx.sql, list, ctx.viewer.id, word)) && list === 'alertword') await forgetAlertword(tx, ctx.viewer.id, word)
    return await changed(tx, list, word)
  })
}

async function changed(tx: Tx, list: WordList, word: string): Promise<KeywordData> {
  if (list === 'alertword') tx.changesPart(['alertword'], watchedGroupOf(word))
  else tx.emitConfirmed(userTopic, tx.viewer.id, { type: 'relationsChanged' })
  return { keywords: await selectWords(tx.sql, list, tx.viewer.id) }
}

function oneWord(typed: string): string {
  const words = wordsIn(typed)
  if (words.length !== 1) throw badRequest('word_invalid', 'This must be exactly one word.')
  return words[0] as string
}
