// The words of passkeys, which come with their page and with the button of the sign-in page.
import { addTexts } from '../texts.ts'
import en from '../texts/passkey.en.json'

declare module '../texts.ts' {
  interface Books {
    passkey: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/passkey.de.json') } })
