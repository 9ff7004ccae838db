// Which words of a text have changed. Pure.

/** A piece of text that is in both, only in the new one, or only in the old one. */
export interface Piece {
  kind: 'same' | 'new' | 'gone'
  text: string
}

/** Longer texts are shown one after the other: comparing them would take too long. */
const mostWords = 1500

/** The old text and the new one as one, word by word. */
export function wordsChanged(before: string, after: string): Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > mostWords || now.length > mostWords)
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]
  // Lengths of the longest common tails.
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] as number
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      common[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const pieces: Piece[] = []
  const add = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else pieces.push({ kind, text })
  }
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      add('same', old[row] as string)
      row++
      column++
    } else if (row < old.length && (column === now.length || at(row + 1, column) >= at(row, column + 1))) add('gone', old[row++] as string)
    else add('new', now[column++] as string)
  }
  return pieces
}

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/g) ?? []
