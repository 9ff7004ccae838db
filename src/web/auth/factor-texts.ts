// The words of the second factor, which come with its pages and with the field of its code.
import { addTexts } from '../texts.ts'
import en from '../texts/factor.en.json'

declare module '../texts.ts' {
  interface Books {
    factor: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/factor.de.json') } })
