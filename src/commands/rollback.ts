// `quarterdeck rollback`: see src/upgrade.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig } from '../accounts/config.ts'
import type { Config } from '../core/base/config.ts'
import { runCommand } from '../operate/command.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { currentId, kitHome, noteUpgrade, upgradesIn, versionFolder } from '../upgrade/kit.ts'
import type { Screen } from '../terminal/screen.ts'
import { withVersionsOf } from '../upgrade/place.ts'
import { migrationsBeyond, switchVersion } from '../upgrade/switch.ts'

const startWithinMs = 120_000

await runCommand(async (screen) => {
  const { values } = parseArgs({ options: { env: { type: 'string', short: 'e' } } })
  const home = kitHome()
  const config = readConfig(values.env === undefined ? [] : ['--env', values.env])
  await withVersionsOf(home, () => rollback(screen, home, config))
})

async function rollback(screen: Screen, home: string, config: Config): Promise<void> {
  const from = currentId(home)
  const last = upgradesIn(home).findLast((each) => each.to === from)
  if (!last || !existsSync(versionFolder(home, last.from))) throw new OperatorError('There is no version before this one.')
  const to = last.from
  const beyond = migrationsBeyond(home, from, to)
  if (beyond.length > 0)
    throw new OperatorError(
      `${to} cannot read the database any more: ${from} has changed it (${beyond.join(', ')}).\n` +
        (last.backup === undefined
          ? 'A backup of before can be restored into an empty folder.'
          : `With what was there before the upgrade, and without what was written since: unpack ${to} in another folder, and restore ${last.backup} there.`),
    )
  await screen.step(
    'Switch',
    () => switchVersion({ home, config, to, withinMs: startWithinMs, say: (line) => screen.line(line) }),
    () => `${to} in place of ${from}`,
  )
  noteUpgrade(home, { at: new Date().toISOString(), from, to })
}
