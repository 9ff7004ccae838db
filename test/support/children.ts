// Processes that others have started.
import { spawnSync } from 'node:child_process'

const processes = (): [pid: number, parent: number, command: string][] =>
  spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .flatMap((row) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []
      return command === undefined ? [] : [[Number(pid), Number(parent), command]]
    })

/** The ids of those that a process has started, and whose command line holds `command`. */
export const childrenOf = (pid: number, command: string): number[] =>
  processes().flatMap(([child, parent, line]) => (parent === pid && line.includes(command) ? [child] : []))

/** The ids of all whose command line holds `command`. */
export const processesWith = (command: string): number[] => processes().flatMap(([pid, , line]) => (line.includes(command) ? [pid] : []))

/** Processes that have ended meanwhile need no signal. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}
