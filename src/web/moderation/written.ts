// What a person has written, taken together: read page by page, and acted on in parts that one request takes.
import type { ContentData, WrittenData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import type { Settable, State } from './query.ts'

const atOnce = 50
const pageSize = 200

/** How far a deed is. */
export type Progress = (done: number, of: number) => void

interface Outcome {
  done: readonly WrittenData[]
  /** Sentences of the server about the others. */
  refused: readonly string[]
}

/** What can be hidden and is not. */
export const canHide = ({ type, moderationStatus }: WrittenData): boolean =>
  type !== 'mkSongSnippet' && moderationStatus !== 'quarantined' && moderationStatus !== 'autoQuarantined'

export const isHidden = ({ moderationStatus }: WrittenData): boolean =>
  moderationStatus === 'quarantined' || moderationStatus === 'autoQuarantined'

/** Everything that the person has written with these words. */
export async function readAll(user_id: string, search: string): Promise<WrittenData[]> {
  const found: WrittenData[] = []
  for (let before: string | undefined = ''; before !== undefined;) {
    const page: { items: WrittenData[]; next?: string } = await client.mod.userWritten({
      user_id,
      limit: pageSize,
      ...(before && { before }),
      ...(search && { search }),
    })
    found.push(...page.items)
    before = page.next
  }
  return found
}

export const setAll = (items: readonly WrittenData[], mod_state: Settable, tell: Progress): Promise<Outcome> =>
  inParts(items, tell, (part) => client.mod.contentSetstate({ mod_state, items: part }))

/** Posts before what they stand in, which takes them along. */
export const deleteAll = (items: readonly WrittenData[], tell: Progress): Promise<Outcome> => {
  const isPost = ({ type }: WrittenData) => type.endsWith('Post')
  return inParts([...items.filter(isPost), ...items.filter((item) => !isPost(item))], tell, (part) =>
    client.mod.contentDelete({ items: part }),
  )
}

/** As it was before it was hidden. What reports had hidden stays with the moderators. */
export async function showAgain(items: readonly WrittenData[], tell: Progress): Promise<void> {
  const before: Partial<Record<State, Settable>> = { normal: 'normal', modReviewed: 'reviewed', locked: 'locked' }
  for (const [state, word] of Object.entries(before))
    await setAll(
      items.filter(({ moderationStatus }) => moderationStatus === state),
      word,
      tell,
    )
}

async function inParts(
  items: readonly WrittenData[],
  tell: Progress,
  act: (part: ContentData[]) => Promise<{ done: ContentData[]; refused: (ContentData & { reason: string })[] }>,
): Promise<Outcome> {
  const done: WrittenData[] = []
  const refused: string[] = []
  for (let at = 0; at < items.length; at += atOnce) {
    tell(at, items.length)
    const part = items.slice(at, at + atOnce)
    const outcome = await act(part.map(({ type, id }) => ({ type, id })))
    done.push(...part.filter(({ type, id }) => outcome.done.some((each) => each.type === type && each.id === id)))
    refused.push(...outcome.refused.map(({ reason }) => reason))
  }
  return { done, refused }
}
