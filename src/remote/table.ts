// Rows as columns of text.

type Row = Readonly<Record<string, string | number | undefined>>

/** Numbers to the right, texts to the left; the first line has the names. What is not there stays empty. */
export function tableOf(rows: readonly Row[]): string[] {
  const names = Object.keys(rows[0] ?? {})
  const columns = names.map((name) => {
    const cells = rows.map((row) => String(row[name] ?? ''))
    const width = Math.max(name.length, ...cells.map((cell) => cell.length))
    const isNumber = rows.every((row) => typeof row[name] === 'number')
    const pad = (cell: string) => (isNumber ? cell.padStart(width) : cell.padEnd(width))
    return [name, ...cells].map(pad)
  })
  return (columns[0] ?? []).map((_, line) =>
    columns
      .map((cells) => cells[line])
      .join('  ')
      .trimEnd(),
  )
}
