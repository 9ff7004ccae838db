// All pages of the item board, with their words.
import { addTexts } from '../texts.ts'
import en from '../texts/quartermaster.en.json'

declare module '../texts.ts' {
  interface Books {
    quartermaster: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/quartermaster.de.json') } })

export { EditItem, NewItems } from './form.tsx'
export { AboutBoard, Board, Item } from './page.tsx'
