// Postgres refuses to run as root, so a root that starts us lends it another account.
import { execFileSync, spawnSync, type SpawnOptions } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { OperatorError } from '../supervisor/operator-error.ts'

/** A user and group of the operating system. */
export interface Account {
  uid: number
  gid: number
}

/** A program with its arguments, ready for `spawn`. */
export interface Command {
  program: string
  args: string[]
  options: SpawnOptions
}

/**
 * The account Postgres runs under; undefined when that is our own. The owner of an existing
 * directory stays: its files are readable to no one else.
 */
export function accountFor(directory: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(directory)
  if (uid !== 0) return { uid, gid }
  const account = accountNamed('postgres') ?? accountNamed('nobody')
  if (!account)
    throw new OperatorError(
      'Postgres may not run as root, and this system has neither a user postgres nor a user nobody. Start Quarterdeck as an ' +
        'ordinary user, or set DATABASE_URL.',
    )
  chownSync(directory, account.uid, account.gid)
  return account
}

/**
 * How to run `program` under `account`, working in `directory`.
 *
 * Folders above either may be closed to the account, as /root is. Then it gets the one
 * capability that passes through them; the directory's own files it owns anyway.
 */
export function commandAs(account: Account | undefined, program: string, args: string[], directory: string): Command {
  if (!account) return { program, args, options: {} }
  if (canUse(account, '-x', program) && canUse(account, '-w', directory)) return { program, args, options: account }
  if (spawnSync('setpriv', ['--version']).status !== 0) {
    throw new OperatorError(
      `Postgres may not run as root, and other users cannot reach ${directory} or ${program}. Start Quarterdeck as an ordinary user, ` +
        `move it and DATA_DIR to a folder open to others, or set DATABASE_URL.`,
    )
  }
  const lend = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    // access(2), by which Postgres finds its own files, looks away from capabilities without this bit.
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ]
  return { program: 'setpriv', args: [...lend, '--', program, ...args], options: {} }
}

function canUse(account: Account, test: '-x' | '-w', path: string): boolean {
  return spawnSync('test', [test, path], { ...account, cwd: '/' }).status === 0
}

function accountNamed(name: string): Account | undefined {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined // no such user
  }
}
