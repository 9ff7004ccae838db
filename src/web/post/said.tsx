// The text of a post. Lines that begin with > and a space are somebody else's words.
import { Words } from '../kit/words.tsx'
import { WithPoll } from '../poll/card.tsx'

const quoted = /^> /
/** Of a post that is quoted; the rest is where it stands. */
const maxQuoted = 240

export function Said({ text }: { text: string }) {
  return (
    <WithPoll text={text}>
      <div class="words">
        {partsOf(text).map(({ isQuote, words }, index) =>
          isQuote ? (
            <blockquote key={index}>
              <Words text={words} />
            </blockquote>
          ) : (
            <Words key={index} text={words} />
          ),
        )}
      </div>
    </WithPoll>
  )
}

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
  const own = text
    .split('\n')
    .filter((line) => !quoted.test(line))
    .join('\n')
    .trim()
  const short = own.length > maxQuoted ? `${own.slice(0, maxQuoted).trimEnd()} …` : own
  return `${`@${author.username}: ${short}`.replace(/^/gm, '> ')}\n`
}
