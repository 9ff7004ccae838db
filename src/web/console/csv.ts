// Tables as files for spreadsheets.

/** Spreadsheets run what begins like a formula. */
const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** Saves lines of cells as a file. */
export function csvFile(name: string, lines: readonly (readonly string[])[]): void {
  const text = `\u{feff}${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
