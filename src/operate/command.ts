// The common part of the command-line programs: a screen, and how they end.
import { ConfigError } from '../core/base/config.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { Screen } from '../terminal/screen.ts'

/** Runs a program; a fault of the operator becomes a sentence and exit code 1, a wrong argument or setting 2. */
export async function runCommand(work: (screen: Screen) => void | Promise<void>): Promise<void> {
  const screen = new Screen({ format: 'text' })
  try {
    await work(screen)
  } catch (error) {
    const { message, stack, code } = error as NodeJS.ErrnoException
    const wrongUse = error instanceof ConfigError || code?.startsWith('ERR_PARSE_ARGS')
    screen.error(wrongUse || error instanceof OperatorError ? message : (stack ?? message))
    process.exitCode = wrongUse ? 2 : 1
  }
}
