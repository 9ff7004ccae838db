// The programs of the command line, run as an operator runs them.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../../src/core/base/config.ts'

export interface Outcome {
  code: number | null
  /** stdout and stderr together. */
  output: string
}

/** Runs `npm run <name>` without npm, with these variables and nothing of the developer's own settings. */
export async function runTool(
  name: 'backup' | 'restore' | 'wipe' | 'certificate' | 'setup' | 'doctor' | 'health' | 'refresh' | 'password' | 'images',
  args: string[],
  env: Record<string, string>,
  input?: string,
): Promise<Outcome> {
  const child = spawn(process.execPath, ['--enable-source-maps', join(projectRoot, 'dist', 'src', 'commands', `${name}.js`), ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: process.env['TMPDIR'], VAPOR_ENV: 'development', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return await new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}
