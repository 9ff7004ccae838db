// Takes a JSON object of lists apart while it arrives, one record at a time: a file from outside may hold millions.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A fault of the text. `message` continues a sentence that begins with the name of the file. */
export class RecordFault extends Error {}

/** An element of a list, or the value of a field that is no list. */
export interface FoundRecord {
  field: string
  inList: boolean
  value: unknown
}

const maxFields = 1000
const maxRecords = 20_000
const maxRecordBytes = 256 * 1024
/** Of all records together, with what they hold. */
const maxValues = 1_000_000
/** Other work gets its turn this often. */
const breatheAfterMs = 5

/**
 * Every record of the text, in order. `onField` is called for every field, also for those with an empty list.
 *
 * @throws RecordFault when it is no JSON object, or holds too much.
 */
export async function* recordsIn(pieces: AsyncIterable<Buffer>, onField: (field: string) => void): AsyncGenerator<FoundRecord, void> {
  const splitter = new RecordSplitter(onField)
  let breathedMs = performance.now()
  for await (const piece of pieces) {
    for (const record of splitter.take(piece)) {
      yield record
      if (performance.now() - breathedMs < breatheAfterMs) continue
      await nextTurn()
      breathedMs = performance.now()
    }
  }
  splitter.finish()
}

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')]
const [openBrace, closeBrace, openBracket, closeBracket] = [code('{'), code('}'), code('['), code(']')]
const blanks = new Set([...' \t\r\n'].map(code))
const byteOrderMark = [0xef, 0xbb, 0xbf]

const notJson = () => new RecordFault('is not well-formed JSON.')

/** The next token outside of a record. */
type Expected =
  | 'object'
  | 'first field'
  | 'field'
  | 'colon'
  | 'value'
  | 'first element'
  | 'element'
  | 'end of element'
  | 'end of value'
  | 'end'

class RecordSplitter {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #expected: Expected = 'object'
  /** Bytes of a byte order mark at the beginning. */
  #marked = 0
  readonly #onField: (field: string) => void
  #field = ''
  #fields = 0
  #records = 0
  #values = 0
  /** The part of a record that has come, or of a field's name. */
  #begun: Buffer[] = []
  #begunBytes = 0
  #depth = 0
  #inText = false
  #escaped = false
  /** Within a record or a name. */
  #within = false

  constructor(onField: (field: string) => void) {
    this.#onField = onField
  }

  *take(piece: Buffer): Generator<FoundRecord, void> {
    let start = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number
      if (!this.#within) {
        if (this.#marked < 3 && this.#expected === 'object' && byte === byteOrderMark[this.#marked]) {
          this.#marked++
          continue
        }
        if (blanks.has(byte) || !this.#begins(byte)) continue
        ;[this.#within, this.#depth, this.#inText, start] = [true, 0, false, at]
      }
      const end = this.#endOf(piece, at)
      if (end === undefined) {
        if (this.#begunBytes + at - start > maxRecordBytes) throw new RecordFault(`holds a record of more than ${maxRecordBytes} bytes.`)
        continue
      }
      const value = this.#parse(piece.subarray(start, end))
      // The byte that ended a number is looked at once more.
      at = end - 1
      if (this.#expected === 'first field' || this.#expected === 'field') {
        ;[this.#field, this.#expected] = [String(value), 'colon']
        if (++this.#fields > maxFields) throw new RecordFault(`holds more than ${maxFields} fields.`)
        this.#onField(this.#field)
        continue
      }
      const inList = this.#expected !== 'value'
      this.#expected = inList ? 'end of element' : 'end of value'
      if (++this.#records > maxRecords) throw new RecordFault(`holds more than ${maxRecords} records.`)
      yield { field: this.#field, inList, value }
    }
    if (!this.#within) return
    // A copy: the piece may be used again.
    this.#begun.push(Buffer.from(piece.subarray(start)))
    this.#begunBytes += piece.length - start
  }

  /** @throws RecordFault when something is missing. */
  finish(): void {
    if (this.#expected !== 'end') throw notJson()
  }

  /** Passes a byte outside of records; true when it begins one. */
  #begins(byte: number): boolean {
    switch (this.#expected) {
      case 'object':
        // JSON, but not an object.
        if (byte !== openBrace) throw byte === openBracket || byte === quote ? new RecordFault('has no users.') : notJson()
        this.#expected = 'first field'
        return false
      case 'first field':
        if (byte === closeBrace) this.#expected = 'end'
        else if (byte !== quote) throw notJson()
        return byte === quote
      case 'field':
        if (byte !== quote) throw notJson()
        return true
      case 'colon':
        return this.#goesOn(byte, { [colon]: 'value' })
      case 'value':
        if (byte !== openBracket) return true
        this.#expected = 'first element'
        return false
      case 'first element':
        if (byte !== closeBracket) return true
        this.#expected = 'end of value'
        return false
      case 'element':
        return true
      case 'end of element':
        return this.#goesOn(byte, { [comma]: 'element', [closeBracket]: 'end of value' })
      case 'end of value':
        return this.#goesOn(byte, { [comma]: 'field', [closeBrace]: 'end' })
      case 'end':
        throw notJson()
    }
  }

  #goesOn(byte: number, expected: Record<number, Expected>): false {
    const next = expected[byte]
    if (next === undefined) throw notJson()
    this.#expected = next
    return false
  }

  /** Where the record ends, if it ends at this byte or before it. */
  #endOf(piece: Buffer, at: number): number | undefined {
    const byte = piece[at] as number
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false
      else if (byte === backslash) this.#escaped = true
      else if (byte === quote) {
        this.#inText = false
        return this.#depth === 0 ? at + 1 : undefined
      }
      return undefined
    }
    if (byte === quote) this.#inText = true
    if (byte === quote || byte === comma || byte === openBrace || byte === openBracket) this.#count()
    if (byte === openBrace || byte === openBracket) this.#depth++
    else if (this.#depth === 0) return byte === comma || byte === closeBrace || byte === closeBracket || blanks.has(byte) ? at : undefined
    else if (byte === closeBrace || byte === closeBracket) return --this.#depth === 0 ? at + 1 : undefined
    return undefined
  }

  #count(): void {
    if (++this.#values > maxValues) throw new RecordFault(`holds more than ${maxValues} values.`)
  }

  #parse(last: Buffer): unknown {
    const bytes = this.#begun.length === 0 ? last : Buffer.concat([...this.#begun, last])
    ;[this.#begun, this.#begunBytes, this.#within] = [[], 0, false]
    try {
      return JSON.parse(this.#utf8.decode(bytes))
    } catch {
      throw notJson()
    }
  }
}
