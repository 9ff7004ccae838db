// The text of a post. Lines that begin with > and a space are somebody else's words.
import { t } from '../texts.ts'
import { Words } from '../kit/words.tsx'
import { Shown } from '../kit/feature.tsx'

const quoted = /^> /
/** Of a post that is quoted; the rest is where it stands. */
const maxQuoted = 240

/** What a quote says of the post that it is from. */
export interface Quoted {
  username: string
  /** The first of its words. */
  start: string
}

/** Of quotes that `quoteOf` has made. */
const attributed = /^@(\S+): ([^]*)$/

interface SaidProps {
  text: string
  /** Leads to a post that is quoted. */
  toQuoted?: ((quoted: Quoted) => void) | undefined
}

export function Said({ text, toQuoted }: SaidProps) {
  return (
    <Shown text={text}>
      <div class="words">
        {partsOf(text).map(({ isQuote, words }, index) =>
          isQuote ? <Quote key={index} words={words} toQuoted={toQuoted} /> : <Words key={index} text={words} />,
        )}
      </div>
    </Shown>
  )
}

function Quote({ words, toQuoted }: { words: string; toQuoted: SaidProps['toQuoted'] }) {
  const [, username, said = ''] = attributed.exec(words) ?? []
  return (
    <blockquote>
      <Words text={words} />
      {toQuoted && username && (
        <button
          type="button"
          class="plain-button to-quoted"
          aria-label={t('toQuoted', { name: username })}
          onClick={() => toQuoted({ username, start: said.replace(/ …$/, '') })}
        />
      )}
    </blockquote>
  )
}

/** Whether a post is the one that is quoted. */
export const isQuoted = ({ username, start }: Quoted, { author, text }: { author: { username: string }; text: string }): boolean =>
  author.username === username && ownWords(text).startsWith(start)

/** Words that a search finds a quoted post by. */
export const searchOf = ({ start }: Quoted): string => (start.split('\n')[0] ?? '').slice(0, 60)

function partsOf(text: string): { isQuote: boolean; words: string }[] {
  const parts: { isQuote: boolean; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const isQuote = quoted.test(line)
    const last = parts.at(-1)
    if (last?.isQuote === isQuote) last.lines.push(line.replace(quoted, ''))
    else parts.push({ isQuote, lines: [line.replace(quoted, '')] })
  }
  // A quote stands apart by itself: it needs no empty lines around it.
  return parts.flatMap(({ isQuote, lines }) => {
    const words = parts.length > 1 ? lines.join('\n').replace(/^\n+|(?<!\n)\n+$/g, '') : lines.join('\n')
    return words === '' ? [] : { isQuote, words }
  })
}

/** A post as the beginning of an answer to it. What it has quoted itself is left out. */
export function quoteOf({ author, text }: { author: { username: string }; text: string }): string {
  const own = ownWords(text)
  const short = own.length > maxQuoted ? `${own.slice(0, maxQuoted).trimEnd()} …` : own
  return `${`@${author.username}: ${short}`.replace(/^/gm, '> ')}\n`
}

/** A text without what it quotes itself. */
const ownWords = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !quoted.test(line))
    .join('\n')
    .trim()
