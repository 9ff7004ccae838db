// Tables as files for spreadsheets, and other files that the page makes itself.

/** Spreadsheets run what begins like a formula. */
const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** Saves lines of cells as a file. */
export function csvFile(name: string, lines: readonly (readonly string[])[]): void {
  saveText(name, `\u{feff}${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`, 'text/csv;charset=utf-8')
}

/** Saves a text as a file. */
export function saveText(name: string, text: string, type = 'text/plain;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
