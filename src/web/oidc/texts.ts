// The words of signing in without a password here, which come with its pages and with its button at the door.
import { addTexts } from '../texts.ts'
import en from '../texts/oidc.en.json'

declare module '../texts.ts' {
  interface Books {
    oidc: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/oidc.de.json') } })
