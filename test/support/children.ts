// Processes that a process has started.
import { spawnSync } from 'node:child_process'

/** The ids of those whose command line holds `command`. */
export function childrenOf(pid: number, command: string): number[] {
  const rows = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).stdout.split('\n')
  return rows
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [])
    .filter(([, , parent, args]) => Number(parent) === pid && args?.includes(command))
    .map(([, child]) => Number(child))
}
