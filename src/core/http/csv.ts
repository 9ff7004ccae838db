// Tables as files for spreadsheets.

interface CsvOptions {
  /** Tells old spreadsheets that it is UTF-8. */
  byteOrderMark?: boolean
  lineEnd?: '\r\n' | '\n'
}

/** Lines of cells as CSV: every cell quoted, none of them run as a formula. */
export function csvOf(lines: readonly (readonly string[])[], { byteOrderMark = false, lineEnd = '\r\n' }: CsvOptions = {}): Buffer {
  const text = lines.map((line) => line.map(cell).join(',') + lineEnd).join('')
  return Buffer.from((byteOrderMark ? '\u{feff}' : '') + text)
}

/** Spreadsheets run what begins like a formula. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
