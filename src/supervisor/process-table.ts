// Facts of the operating system about processes. Process ids are reused, so an id found in
// a file means nothing without its start time or its command line.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const hasProc = existsSync('/proc/self/stat')
const pollMs = 20

/** When the process started, in the system's own notation; undefined when there is none. */
export function startTime(pid: number): string | undefined {
  if (!hasProc) return ps(pid, 'lstart=')
  // The name in parentheses may hold spaces and parentheses itself; field 22 is counted from its end.
  const fields = readProc(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ')
  // A zombie has ended; only its parent has not looked yet.
  return fields?.[0] === 'Z' ? undefined : fields?.[19]
}

/** True while there is a process of that number, whoever runs it. */
export function isAlive(pid: number): boolean {
  // Zero, as of an empty file, would be all processes of one's own group.
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The command line, arguments separated by spaces; undefined when there is no such process. */
export function commandLine(pid: number): string | undefined {
  return hasProc ? readProc(pid, 'cmdline')?.replaceAll('\0', ' ') : ps(pid, 'command=')
}

/** Sends a signal; a process that is gone already is fine. */
function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Ends a process that is not our child: asks first, then kills it, and waits until it is gone. */
export async function endProcess(pid: number, ask: NodeJS.Signals, deadlineMs: number): Promise<void> {
  const started = startTime(pid)
  if (started === undefined) return
  for (const [signal, waitMs] of [
    [ask, deadlineMs],
    ['SIGKILL', 5000],
  ] as const) {
    signalProcess(pid, signal)
    for (let waited = 0; waited < waitMs; waited += pollMs) {
      if (startTime(pid) !== started) return
      await sleep(pollMs)
    }
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined // gone
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined // ps fails for a process that is gone
  }
}
