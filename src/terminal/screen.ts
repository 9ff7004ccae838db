// Everything that a start says to the operator: steps, lines, and on a terminal one line at the bottom that changes.
import { readableLog } from './readable-log.ts'

/** How lines look: for people on a terminal, for people in a pipe or file, or JSON for programs. */
export type Format = 'terminal' | 'text' | 'json'

/** A stream that lines go to; `process.stdout` is one. */
export interface Output {
  isTTY?: boolean
  columns?: number
  hasColors?(): boolean
  write(text: string): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface ScreenOptions {
  /** The value of LOG_FORMAT; unset: readable on a terminal, else logs stay JSON. */
  format?: 'text' | 'json' | undefined
  output?: Output
  errors?: Output
  terminalType?: string | undefined
  /** What the packed program is called, which then stands for npm in every sentence. */
  command?: string | undefined
  now?: () => number
}

// The code's own colours: cameras want dark squares on a light ground, whatever the window has.
const colours = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  code: ['97;40', '39;49'],
} as const

export type Colour = keyof typeof colours
export type Paint = (colour: Colour, text: string) => string

const nameWidth = 12
const spinMs = 100

/** Where the lines of one process go. */
export class Screen {
  readonly format: Format
  /** True when the JSON lines of our processes are made readable before they are shown. */
  readonly readsLogs: boolean
  readonly #output: Output
  readonly #errors: Output
  readonly #now: () => number
  readonly #colours: boolean
  readonly #command: string | undefined
  /** The line at the bottom. */
  #bottom = ''
  #status = ''
  readonly #running = new Map<string, number>()
  #spinner: NodeJS.Timeout | undefined

  constructor({
    format,
    output = process.stdout,
    errors = process.stderr,
    terminalType = process.env['TERM'],
    command = process.env['QUARTERDECK_COMMAND'],
    now = Date.now,
  }: ScreenOptions = {}) {
    const isTerminal = output.isTTY === true && terminalType !== 'dumb'
    this.format = format === 'json' ? 'json' : isTerminal ? 'terminal' : 'text'
    this.readsLogs = format === 'text' || this.format === 'terminal'
    this.#output = output
    this.#errors = errors
    this.#now = now
    this.#command = command || undefined
    this.#colours = this.format !== 'json' && output.isTTY === true && (output.hasColors?.() ?? false)
    // The reader of a pipe may go before us; there is nobody to tell then.
    for (const stream of [output, errors]) stream.on('error', ignoreClosedPipe)
  }

  /** Columns that a line may take; undefined where nothing wraps. */
  get columns(): number | undefined {
    return this.format === 'terminal' ? (this.#output.columns ?? 80) : undefined
  }

  paint(colour: Colour, text: string): string {
    const [on, off] = colours[colour]
    return this.#colours ? `\u001b[${on}m${text}\u001b[${off}m` : text
  }

  /** One line, or several. */
  line(text: string, colour?: Colour): void {
    if (this.format === 'json') return this.#json(30, text)
    this.#print(this.#output, colour ? this.paint(colour, text) : text)
  }

  /** Something that the operator should not miss. */
  warning(text: string): void {
    if (this.format === 'json') return this.#json(40, text)
    this.#print(this.#output, `${this.paint('yellow', '!')} ${text}`)
  }

  /** An error, on standard error. */
  error(text: string): void {
    this.#print(this.#errors, text)
  }

  /** A line that one of our processes logged. */
  log(json: string): void {
    const shown = this.readsLogs ? readableLog(json, (colour, text) => this.paint(colour, text)) : json
    if (shown !== undefined) this.#print(this.#output, shown)
  }

  /** Runs `work` and shows its name, what it says when it is done, and its time. */
  async step<T>(name: string, work: () => Promise<T>, describe: (result: T) => string): Promise<T> {
    const started = this.#now()
    this.#running.set(name, started)
    this.#spin()
    try {
      const result = await work()
      this.#running.delete(name)
      this.#done(name, describe(result), this.#now() - started)
      return result
    } finally {
      this.#running.delete(name)
      this.#spin()
    }
  }

  /** Replaces the line at the bottom; nothing is shown where there is no terminal. */
  status(text: string): void {
    this.#status = text
    this.#refresh()
  }

  /** Takes the line at the bottom away. */
  clear(): void {
    this.#running.clear()
    this.#spin()
    this.status('')
  }

  #done(name: string, detail: string, ms: number): void {
    if (this.format === 'json') return this.#json(30, `${name}: ${detail}`, { ms })
    const seconds = `${(ms / 1000).toFixed(1)} s`
    const room = Math.max(10, Math.min(this.columns ?? 100, 100) - nameWidth - 13)
    const what = `${name.padEnd(nameWidth)} ${shorten(detail, room).padEnd(room)}`
    this.#print(this.#output, `${this.paint('green', '✓')} ${what} ${this.paint('dim', seconds.padStart(8))}`)
  }

  #json(level: number, msg: string, more: object = {}): void {
    this.#print(this.#output, JSON.stringify({ level, time: this.#now(), source: 'start', pid: process.pid, ...more, msg }))
  }

  #spin(): void {
    if (this.format !== 'terminal') return
    if (this.#running.size === 0) {
      clearInterval(this.#spinner)
      this.#spinner = undefined
    } else this.#spinner ??= setInterval(() => this.#refresh(), spinMs).unref()
    this.#refresh()
  }

  #refresh(): void {
    if (this.format !== 'terminal') return
    const wanted = this.#wanted()
    if (wanted === this.#bottom) return
    this.#bottom = wanted
    this.#output.write(`\r\u001b[2K${wanted}`)
  }

  #wanted(): string {
    if (this.#running.size === 0) return this.#status && this.paint('dim', shorten(this.#status, (this.columns ?? 80) - 1))
    const oldest = Math.min(...this.#running.values())
    const text = `… ${[...this.#running.keys()].join(', ')}  ${((this.#now() - oldest) / 1000).toFixed(1)} s`
    return this.paint('dim', shorten(text, (this.columns ?? 80) - 1))
  }

  #print(stream: Output, text: string): void {
    if (this.#bottom !== '') this.#output.write('\r\u001b[2K')
    stream.write(`${this.#command === undefined ? text : inWordsOf(this.#command, text)}\n`)
    if (this.#bottom !== '') this.#output.write(this.#bottom)
  }
}

/** A pipe whose reader has gone takes nothing any more; that is no reason to stop. */
export function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}

/** Commands as the packed program takes them: `npm run backup -- <file>` is `quarterdeck backup <file>`. */
const inWordsOf = (command: string, text: string): string => text.replace(/\bnpm (?:run )?(\w+)(?: --(?= ))?/g, `${command} $1`)

/** At most `length` characters, the last of them a mark when some were cut off. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, Math.max(0, length - 1))}…`
}
