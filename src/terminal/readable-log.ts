// One JSON line of a log as a line for people. Pure.

import type { Paint } from './screen.ts'

interface Entry {
  level: number
  time: number
  msg?: string
  source?: string
  method?: string
  path?: string
  status?: number
  ms?: number
  err?: { message?: string; stack?: string }
}

const usual = new Set(['level', 'time', 'msg', 'source', 'pid', 'err'])
const ofRequests = new Set([...usual, 'method', 'path', 'status', 'ms', 'requestId'])
const methodWidth = 6
const pathWidth = 44

/** Makes `json` readable; text that is no log line stays as it is. Undefined for what a step has said already. */
export function readableLog(json: string, paint: Paint): string | undefined {
  const entry = parse(json)
  if (!entry) return json
  if (entry.msg === `${entry.source?.replace(/\d{1,3}$/, '')} ready`) return undefined
  const time = paint('dim', new Date(entry.time).toTimeString().slice(0, 8))
  if (entry.msg === 'request' && entry.method !== undefined) return `${time}  ${requestLine(entry, paint)}`
  const more = Object.entries(entry)
    .filter(([name]) => !usual.has(name))
    .map(([name, value]) => ` ${paint('dim', `${name}=`)}${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('')
  const source = entry.source === undefined || entry.msg?.startsWith(entry.source) ? '' : `${paint('dim', entry.source)} `
  return `${time}  ${source}${levelMark(entry.level, paint)}${entry.msg ?? ''}${more}${errorLines(entry, paint)}`
}

function requestLine(entry: Entry, paint: Paint): string {
  const { method = '', path = '', status = 0, ms = 0 } = entry
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const more = Object.entries(entry)
    .filter(([name]) => !ofRequests.has(name))
    .map(([name, value]) => ` ${paint('dim', `${name}=`)}${String(value)}`)
    .join('')
  return `${method.padEnd(methodWidth)} ${path.padEnd(pathWidth)} ${paint(colour, String(status))} ${paint('dim', `${ms} ms`.padStart(7))}${more}`
}

function levelMark(level: number, paint: Paint): string {
  if (level >= 60) return `${paint('red', 'fatal')} `
  if (level >= 50) return `${paint('red', 'error')} `
  if (level >= 40) return `${paint('yellow', 'warning')} `
  if (level >= 30) return ''
  return `${paint('dim', level >= 20 ? 'debug' : 'trace')} `
}

/** The reason on the same line, where it happened below it. */
function errorLines({ err }: Entry, paint: Paint): string {
  if (!err) return ''
  const [first = err.message ?? '', ...frames] = (err.stack ?? '').split('\n')
  return [`: ${first}`, ...frames.map((frame) => paint('dim', frame))].join('\n')
}

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{"level":')) return undefined
  try {
    const value = JSON.parse(line) as Partial<Entry>
    return typeof value.level === 'number' && typeof value.time === 'number' ? (value as Entry) : undefined
  } catch {
    return undefined
  }
}
