// The words of signing in by an identity provider, which come with its pages and with the button of the sign-in page.
import { addTexts } from '../texts.ts'
import en from '../texts/oidc.en.json'

declare module '../texts.ts' {
  interface Books {
    oidc: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/oidc.de.json') } })
