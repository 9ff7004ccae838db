// Structured logs. Secrets and message texts never get here: callers log ids and counts.
import { pino, destination, type Logger } from 'pino'

export type Log = Logger<'notice'>

/** Between info and warning: what an operator in production wants to see, such as starts and stops. */
const customLevels = { notice: 35 }

/** JSON lines on standard output; `source` names the process (server, worker, ...). */
export function createLog(level: string, source: string): Log {
  return pino(
    {
      level,
      customLevels,
      base: { source, pid: process.pid },
      redact: { paths: ['*.password', '*.token', '*.authorization', '*.recoveryKey', '*.text'], censor: '[hidden]' },
    },
    destination({ fd: 1, sync: false }),
  )
}
