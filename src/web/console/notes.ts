// What long work says of itself, in the reader's language.
import type { OperationData } from '../../sdk/client.ts'
import { locale } from '../texts.ts'
import { c, type ConsoleText } from '../team/texts.ts'

/** How far it is, or how it ended. What the server says in the words of an error stays in these. */
export function noteOf({ note, noteCode, noteValues = {} }: Pick<OperationData, 'note' | 'noteCode' | 'noteValues'>): string {
  const key = `note.${noteCode}` as ConsoleText
  const format = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 })
  const values = Object.fromEntries(Object.entries(noteValues).map(([name, value]) => [name, format.format(value)]))
  const said = noteCode === undefined ? key : c(key, values)
  return said === key ? note : said
}
