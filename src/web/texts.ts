// The words of the app in the reader's language. English is always there; others are loaded when wanted. Each chunk of
// pages brings a book of its own.
import { signal } from '@preact/signals'
import en from './texts/en.json'

/** Texts that depend on a number are stored once for each form, as `posts.one` and `posts.other`. */
export type KeyOf<Stored> = Stored extends infer Key ? (Key extends `${infer Base}.one` | `${infer Base}.other` ? Base : Key) : never
/** Books by declaration merging: each stands where it is added. */
export interface Books {
  shell: typeof en
}
type KeysIn<Book> = Book extends unknown ? keyof Book : never
export type TextKey = KeyOf<KeysIn<Books[keyof Books]>>
export type Texts = Readonly<Partial<Record<string, string>>>

/** Each in its own words. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** English, and the way to the other languages. */
export interface Book {
  en: Texts
  others: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Texts }>>>
}

export const language = signal<Language>('en')
const books: Book[] = [
  { en, others: { de: () => import('./texts/de.json') } },
  // What the server says in English is already a sentence for people.
  { en: {}, others: { de: () => import('./texts/errors.de.json') } },
]
/** By language, in order of wish. No signal: whoever shows a text follows the language, and the words of further pages draw nothing again. */
const sources: Partial<Record<Language, readonly Texts[]>> = { en: [en] }

/** Adds the words of pages; to be awaited before these are shown. */
export async function addTexts(...added: readonly Book[]): Promise<void> {
  books.push(...added)
  sources[language.value] = [...(sources[language.value] ?? []), ...added.map(({ en: words }) => words)]
  await useLanguage(language.value)
}

/** The text with `{name}` replaced. With `n`, the form for that number: `key.one` where the language has one. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return textIn(sources[language.value] ?? [en], key, values)
}

/** To make one takes longer than a whole text. */
const plurals = new Map<Language, Intl.PluralRules>()

function pluralOf(n: number): Intl.LDMLPluralRule {
  let rules = plurals.get(language.value)
  if (!rules) plurals.set(language.value, (rules = new Intl.PluralRules(language.value)))
  return rules.select(n)
}

/** The same out of other texts: the first that has it. */
export function textIn(from: readonly Texts[], key: string, values: Readonly<Record<string, string | number>>): string {
  const form = 'n' in values ? `${key}.${pluralOf(Number(values['n']))}` : key
  const textOf = (source: Texts) => source[form] ?? source[`${key}.other`] ?? source[key]
  const first = from.find((source) => textOf(source) !== undefined)
  const found = (first && textOf(first)) ?? key
  return found.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** How numbers and dates are written: as in the device's country where that has the reader's language. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === language.value && tag.includes('-')) ??
  (language.value === 'en' ? 'en-GB' : language.value)

/** What the server has said in English, in the reader's language, where that is another one. Undefined in English, and without a text. */
export function translated(key: string, values: Readonly<Record<string, string | number>> = {}): string | undefined {
  const found = language.value === 'en' ? key : textIn(sources[language.value] ?? [], key, values)
  return found === key ? undefined : found
}

/** The language chosen before, or the browser's. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem('language') ?? '', ...navigator.languages].map((tag) => tag.split('-')[0] ?? '')
  await useLanguage((wanted.find((tag) => tag in languages) ?? 'en') as Language)
}

export async function chooseLanguage(chosen: Language): Promise<void> {
  localStorage.setItem('language', chosen)
  await useLanguage(chosen)
}

async function useLanguage(chosen: Language): Promise<void> {
  const loaded = await Promise.all(
    books.map(({ en: base, others }) => (chosen === 'en' ? base : others[chosen]().then(({ default: all }) => all))),
  ).catch(() => undefined)
  // Without a network a language may not be there.
  if (!loaded) return
  // Further pages brought their words in the meantime, and load all of them.
  if (loaded.length < books.length) return useLanguage(chosen)
  sources[chosen] = chosen === 'en' ? loaded : [...loaded, ...books.map(({ en: base }) => base)]
  language.value = chosen
  document.documentElement.lang = chosen
}
