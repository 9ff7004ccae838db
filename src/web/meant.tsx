// Leads from an address of an app, or of an older site, to the page that it means.
import type { ComponentChildren } from 'preact'
import { Redirect, useLocation, useSearch } from 'wouter-preact'
import { meantBy } from './addresses.ts'
import { nameLinks } from './kit/words.tsx'
import { t, type TextKey } from './texts.ts'

/** Words for pages of ours, by how their addresses begin. The first that fits counts. */
const names: readonly (readonly [begins: RegExp, word: TextKey])[] = [
  [/^\/(lfg|fez)\/[\da-f-]{36}/i, 'link.group'],
  [/^\/(lfg|fez)\b/, 'link.groups'],
  [/^\/tweets\b/, 'link.microblog'],
  [/^\/forums\/[\da-f-]{36}/i, 'link.category'],
  [/^\/forums?\b/, 'link.forum'],
  [/^\/seamail\b/, 'link.seamail'],
  [/^\/events\b/, 'link.event'],
  [/^\/(user|username|profile)\b/, 'link.person'],
  [/^\/boardgames\b/, 'link.games'],
  [/^\/karaoke\b/, 'link.karaoke'],
  [/^\/poll\b/, 'link.poll'],
  [/^\/./, 'link.page'],
]

nameLinks((path) => {
  const word = names.find(([begins]) => begins.test(path))?.[1]
  return word && `[${t(word)}]`
})

export function Meant({ children }: { children: ComponentChildren }) {
  const [path] = useLocation()
  const target = meantBy(path, useSearch())
  return target === undefined ? <>{children}</> : <Redirect to={target} replace />
}
