// Reads the spreadsheet that says who appears at which event: an .xlsx file, which is a zip of XML. It comes from outside and is
// read piece by piece, within limits.
import { posix } from 'node:path'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { fromBufferPromise, openPromise, type Entry, type ZipFile } from 'yauzl'
import type { ReceivedBytes } from '../core/schema/received-bytes.ts'

/** A fault of a file, in a sentence for the person who sent it. */
export class SheetFault extends Error {}

/** A row of the sheet, as it stands there. */
export interface SheetLine {
  /** Counted as spreadsheets do. */
  row: number
  day: string
  start: string
  title: string
  names: string[]
}

export interface Sheet {
  lines: SheetLine[]
  /** Sentences about columns that are not where they should be. */
  warnings: string[]
}

const sheetName = 'Full Schedule'
const columns = { day: ['Day', 'A'], start: ['Start', 'B'], title: ['EventName', 'G'], names: ['Featuring', 'J'] } as const
type ColumnName = keyof typeof columns

const maxEntries = 1000
const maxPartBytes = 32 * 1024 * 1024
const maxRows = 5000
const maxTexts = 100_000
const maxTextLength = 5000
const maxNames = 100
const maxDepth = 100

/** The rows that name somebody. @throws SheetFault when the file cannot be read. */
export async function readSheet({ content }: ReceivedBytes): Promise<Sheet> {
  let zip: ZipFile | undefined
  try {
    zip =
      typeof content === 'string'
        ? await openPromise(content, { autoClose: false })
        : await fromBufferPromise(content ?? Buffer.alloc(0), { autoClose: false })
    return linesOf(await readRows(zip, await entriesOf(zip)))
  } catch (error) {
    throw error instanceof SheetFault ? error : new SheetFault(`The file is damaged, or no .xlsx file: ${(error as Error).message}.`)
  } finally {
    zip?.close()
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries) throw new SheetFault(`The file has more than ${maxEntries} parts.`)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  return entries
}

/** Texts of cells by column, for each row by its number. */
type Rows = Map<number, Map<string, string>>

async function readRows(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Rows> {
  const parse = async (path: string, isNeeded: boolean, handlers: Handlers) => {
    const entry = entries.get(path)
    if (!entry && isNeeded) throw new SheetFault(`The file is no .xlsx file: it has no ${path}.`)
    if (entry) await parseXml(zip, entry, handlers)
  }
  let relation: string | undefined
  await parse('xl/workbook.xml', true, {
    open({ name, attributes }) {
      if (localName(name) === 'sheet' && attributes['name'] === sheetName) relation = attributes['r:id']
    },
  })
  if (relation === undefined) throw new SheetFault(`The file has no sheet named "${sheetName}".`)
  let target: string | undefined
  await parse('xl/_rels/workbook.xml.rels', true, {
    open({ name, attributes }) {
      if (localName(name) === 'Relationship' && attributes['Id'] === relation) target = attributes['Target']
    },
  })
  if (target === undefined) throw new SheetFault(`The sheet "${sheetName}" is missing in the file.`)
  const texts: string[] = []
  await parse('xl/sharedStrings.xml', false, sharedTexts(texts))
  const rows: Rows = new Map()
  await parse(posix.join('/xl', target.startsWith('/') ? posix.relative('/xl', target) : target).slice(1), true, cells(texts, rows))
  return rows
}

interface Handlers {
  open?(tag: SaxesTagPlain): void
  text?(text: string): void
  close?(tag: SaxesTagPlain): void
}

/** Without the prefix of a namespace. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

async function parseXml(zip: ZipFile, entry: Entry, { open, text, close }: Handlers): Promise<void> {
  if (entry.uncompressedSize > maxPartBytes) throw new SheetFault(`${entry.fileName} in the file is larger than ${maxPartBytes} bytes.`)
  const parser = new SaxesParser()
  let depth = 0
  // It would go on behind a fault, and report each tag that is not closed.
  parser.on('error', (error) => {
    throw new SheetFault(`${entry.fileName} in the file cannot be read: ${error.message}.`)
  })
  parser.on('opentag', (tag) => {
    if (++depth > maxDepth) throw new SheetFault(`${entry.fileName} in the file is too deep.`)
    open?.(tag)
  })
  parser.on('closetag', (tag) => {
    depth--
    close?.(tag)
  })
  if (text) parser.on('text', text)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>)
    parser.write(decoder.decode(piece, { stream: true }))
  parser.close()
}

/** Collects the texts that cells name by number. */
function sharedTexts(texts: string[]): Handlers {
  const reader = new TextReader()
  return {
    open({ name }) {
      if (localName(name) === 'si') reader.begin()
      reader.open(localName(name))
    },
    text: (text) => reader.add(text),
    close({ name }) {
      reader.close(localName(name))
      if (localName(name) !== 'si') return
      if (texts.length >= maxTexts) throw new SheetFault(`The file has more than ${maxTexts} texts.`)
      texts.push(reader.text)
    },
  }
}

/** Joins the pieces of a formatted text; how it is pronounced is left out. */
class TextReader {
  text = ''
  #inText = false
  #inPhonetic = false

  begin(): void {
    this.text = ''
  }

  open(name: string): void {
    if (name === 't' || name === 'v') this.#inText = true
    if (name === 'rPh') this.#inPhonetic = true
  }

  add(text: string): void {
    if (!this.#inText || this.#inPhonetic) return
    this.text += text
    if (this.text.length > maxTextLength) throw new SheetFault(`A text in the file has more than ${maxTextLength} characters.`)
  }

  close(name: string): void {
    if (name === 't' || name === 'v') this.#inText = false
    if (name === 'rPh') this.#inPhonetic = false
  }
}

/** Collects the cells of the sheet. */
function cells(texts: readonly string[], rows: Rows): Handlers {
  const reader = new TextReader()
  let cell: { row: number; column: string; type: string } | undefined
  return {
    open({ name, attributes }) {
      reader.open(localName(name))
      if (localName(name) !== 'c') return
      const { r = '', t = 'n' } = attributes as { r?: string; t?: string }
      const [, column, row] = /^([A-Z]{1,3})(\d{1,7})$/.exec(r) ?? []
      cell = column === undefined ? undefined : { row: Number(row), column, type: t }
      reader.begin()
    },
    text: (text) => reader.add(text),
    close({ name }) {
      reader.close(localName(name))
      if (localName(name) !== 'c' || !cell || reader.text === '') return
      const text = cell.type === 's' ? texts[Number(reader.text)] : reader.text
      if (text === undefined) throw new SheetFault(`The cell ${cell.column}${cell.row} has no text.`)
      let row = rows.get(cell.row)
      if (!row) {
        if (rows.size >= maxRows) throw new SheetFault(`The sheet has more than ${maxRows} rows.`)
        rows.set(cell.row, (row = new Map()))
      }
      row.set(cell.column, text.trim())
    },
  }
}

function linesOf(rows: Rows): Sheet {
  const [header, ...others] = [...rows].toSorted(([a], [b]) => a - b)
  if (!header) throw new SheetFault(`The sheet "${sheetName}" is empty.`)
  const warnings: string[] = []
  const found = {} as Record<ColumnName, string>
  for (const [key, [title, usual]] of Object.entries(columns) as [ColumnName, readonly [string, string]][]) {
    const column = [...header[1]].find(([, text]) => text.toLowerCase() === title.toLowerCase())?.[0]
    found[key] = column ?? usual
    if (column === undefined) warnings.push(`No column is headed ${title}; column ${usual} is used.`)
    else if (column !== usual) warnings.push(`The column ${title} is ${column} and not ${usual}; column ${column} is used.`)
  }
  const lines = others.flatMap(([row, texts]) => {
    const text = (key: ColumnName) => texts.get(found[key]) ?? ''
    const names = [
      ...new Set(
        text('names')
          .split(';')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
      ),
    ]
    if (names.length > maxNames) throw new SheetFault(`Row ${row} of the sheet has more than ${maxNames} names.`)
    return names.length === 0 ? [] : [{ row, day: text('day'), start: text('start'), title: text('title'), names }]
  })
  return { lines, warnings }
}
