// The words of the app in the reader's language. English is always there; others are loaded when wanted. Each chunk of
// pages brings a book of its own.
import { signal } from '@preact/signals'
import en from './texts/en.json'
import type pages from './texts/pages.en.json'

/** Texts that depend on a number are stored once for each form, as `posts.one` and `posts.other`. */
export type KeyOf<Stored> = Stored extends infer Key ? (Key extends `${infer Base}.one` | `${infer Base}.other` ? Base : Key) : never
export type TextKey = KeyOf<keyof typeof en | keyof typeof pages>
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
const books: Book[] = [{ en, others: { de: () => import('./texts/de.json') } }]
const english = signal<Texts>(en)
const texts = signal<Texts>(en)

/** Adds the words of pages; to be awaited before these are shown. */
export async function addTexts(book: Book): Promise<void> {
  books.push(book)
  english.value = { ...english.value, ...book.en }
  await useLanguage(language.value)
}

/** The text with `{name}` replaced. With `n`, the form for that number: `key.one` where the language has one. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return textIn([texts.value, english.value], key, values)
}

/** The same out of other texts: the first that has it. */
export function textIn(sources: readonly Texts[], key: string, values: Readonly<Record<string, string | number>>): string {
  const form = 'n' in values ? `${key}.${new Intl.PluralRules(language.value).select(Number(values['n']))}` : key
  const found = sources.flatMap((source) => source[form] ?? source[`${key}.other`] ?? source[key] ?? [])[0] ?? key
  return found.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
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
  texts.value = Object.assign({}, ...loaded) as Texts
  language.value = chosen
  document.documentElement.lang = chosen
}
