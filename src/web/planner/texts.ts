// The words of these pages, which come with them.
import { addTexts } from '../texts.ts'
import en from '../texts/planner.en.json'

declare module '../texts.ts' {
  interface Books {
    planner: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/planner.de.json') } })
