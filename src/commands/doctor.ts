// `npm run doctor`: looks at everything that a server needs, before or while it runs; see src/operate.
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfig } from '../accounts/config.ts'
import { backupFolder, backupsIn } from '../operate/backup-files.ts'
import { runCommand } from '../operate/command.ts'
import {
  checkBackups,
  checkCertificate,
  checkClock,
  checkDisk,
  checkMachine,
  checkPort,
  checkSettings,
  checkTrip,
  type Finding,
} from '../operate/findings.ts'
import { checkBucket, checkDatabase, checkPooler, checkRedis, checkStandby } from '../operate/stores.findings.ts'
import { makesNightlyBackups, tripDates } from '../settings/in-force.ts'
import { defaultSettings } from '../settings/values.ts'
import { isLocked } from '../supervisor/data-lock.ts'
import type { Colour } from '../terminal/screen.ts'

const marks: Record<Finding['level'], [mark: string, colour: Colour]> = {
  good: ['✓', 'green'],
  warning: ['!', 'yellow'],
  bad: ['✗', 'red'],
}

await runCommand(async (screen) => {
  const { values } = parseArgs({ options: { env: { type: 'string', short: 'e' } } })
  const config = readConfig(values.env === undefined ? [] : ['--env', values.env])
  const now = new Date()
  const built = statSync(fileURLToPath(import.meta.url)).mtime
  const [newest] = await backupsIn(backupFolder(config))
  const database = await checkDatabase(config)
  // Without the database nobody knows what the host has set in the console.
  const settings = database.settings ?? defaultSettings
  const findings = [
    ...checkSettings(config),
    await checkPort(config, isLocked(config.dataDir)),
    await checkDisk(config),
    ...checkMachine(),
    checkClock(now, built),
    checkTrip({ ...tripDates(config, settings), portTimeZone: config.portTimeZone }, now),
    ...checkCertificate(config, now),
    checkBackups({ production: config.production, nightly: makesNightlyBackups(config, settings), newest }, now),
    ...database.findings,
    ...(await checkPooler(config)),
    ...(await checkStandby(config)),
    await checkRedis(config),
    ...(await checkBucket(config)),
  ]
  for (const { level, about, text } of findings) {
    const [mark, colour] = marks[level]
    screen.line(`${screen.paint(colour, mark)} ${about.padEnd(12)} ${text}`)
  }
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  const [faults, warnings] = [count('bad'), count('warning')]
  screen.line('')
  screen.line(
    faults > 0
      ? `${faults} to mend, ${warnings} to look at.`
      : warnings > 0
        ? `Nothing in the way, ${warnings} to look at.`
        : 'All is well.',
  )
  if (faults > 0) process.exitCode = 1
})
