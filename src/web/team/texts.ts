// The words of the console in the reader's language: a file of its own, since most people never open it.
import { signal } from '@preact/signals'
import { language, textIn, type KeyOf, type Texts } from '../texts.ts'
import en from '../texts/admin.en.json'

export type ConsoleText = KeyOf<keyof typeof en>

const german = signal<Texts | undefined>(undefined)
const loadGerman = () =>
  import('../texts/admin.de.json').then(
    ({ default: all }) => {
      german.value = all
    },
    // Without a network the words stay English.
    () => undefined,
  )
// Awaited once, so that no page of the console is drawn in English first.
if (language.value === 'de') await loadGerman()
language.subscribe((chosen) => {
  if (chosen === 'de' && !german.value) void loadGerman()
})

/** As `t` of the app, for the words of the console. */
export function c(key: ConsoleText, values: Readonly<Record<string, string | number>> = {}): string {
  return textIn(language.value === 'de' && german.value ? [german.value, en] : [en], key, values)
}
