// `npm run format` and `npm run lint`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Runs the formatter or the linter; returns the exit code. */
export function style(root, tool, args) {
  return spawnSync(process.execPath, [join(root, 'node_modules', tool, 'bin', tool), ...args], { cwd: root, stdio: 'inherit' }).status ?? 1
}
