// What a host should look at: the checks of the doctor, as far as a running server can make them, and what waits for people.
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ctx, Node } from '../core/work/ctx.ts'
import { maxFailures } from '../core/outbox/jobs.ts'
import {
  checkBackups,
  checkCertificate,
  checkClock,
  checkDisk,
  checkMachine,
  checkSettings,
  bad,
  checkTrip,
  good,
  warning,
  type Finding,
} from '../operate/findings.ts'
import { imagesMissing } from '../image/folder.service.ts'
import { backupFolder, backupsIn } from '../operate/backup-files.ts'
import { findingsOfAccounts, findingsOfDialect } from '../operate/stores.findings.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { backupSchedule } from './nightly.service.ts'
import { selectLastNight } from './operations.queries.ts'
import { selectState, selectTroubledJobs } from './checks.queries.ts'
import { readiness } from './event.service.ts'
import type { CheckData } from './schemas.ts'

const builtAt = statSync(fileURLToPath(import.meta.url)).mtime
const minuteMs = 60_000

/** All checks, those that need a hand first. */
export function runChecks(ctx: Ctx): Promise<CheckData[]> {
  return ctx.node.flights.after('checks', () => check(ctx))
}

async function check(ctx: Ctx): Promise<CheckData[]> {
  const { config } = ctx.node
  const { trip } = settingsOf(ctx.node)
  const now = new Date(ctx.nowMs)
  const findings: Finding[] = [
    ...(await checksOfPeople(ctx, now)),
    ...(await systemFindings(ctx)),
    ...checkSettings(config),
    ...(await findingsOfAccounts(ctx.sql, config)),
    ...(await findingsOfDialect(ctx.sql, config)),
    checkTrip({ startDate: trip.startDate, lengthInDays: trip.lengthInDays, portTimeZone: trip.portZone }, now),
    ...checkMachine(),
  ]
  const order = ['bad', 'warning', 'good']
  return findings.map(checkData).sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
}

/** What the machine does by itself: jobs, backups, the disk, the clock, the certificate, Redis. */
export async function systemFindings(ctx: Ctx<Viewer | undefined>): Promise<Finding[]> {
  const { config, bus } = ctx.node
  const now = new Date(ctx.nowMs)
  return [
    await checkJobs(ctx, now),
    await checkOfBackups(ctx, now),
    await checkDisk(config),
    await checkImages(ctx.node),
    checkClock(now, builtAt),
    ...checkCertificate(config, now),
    bus.up
      ? good('Redis', 'answers', 'redis')
      : bad('Redis', 'It does not answer. Live messages between servers and jobs wait until it does.', 'redis-away'),
  ]
}

async function checkImages(node: Node): Promise<Finding> {
  return (await imagesMissing(node))
    ? bad(
        'Images',
        'None of the images that people have sent is in their folder. Look whether its disk is there; until then none is taken. If they are lost for good, make an empty file named lost in that folder.',
        'images-missing',
      )
    : await node.files.store.stat('lost').then(
        () => good('Images', 'their place is there', 'images'),
        () =>
          bad(
            'Images',
            'The place where they lie does not answer: none is shown or taken. Look whether it runs. npm run doctor says more.',
            'images-away',
          ),
      )
}

async function checkJobs({ sql }: Ctx<Viewer | undefined>, now: Date): Promise<Finding> {
  const { failed, overdue, paused } = await selectTroubledJobs(sql, now, maxFailures)
  if (failed > 0)
    return bad('Jobs', `${failed} failed for good. Look at why, and try again or drop them.`, 'jobs-failed', { number: failed })
  if (overdue === 0 && paused > 0)
    return warning('Jobs', `${paused} kinds are paused. Let them go on when there is no reason any more.`, 'jobs-paused', {
      number: paused,
    })
  return overdue > 0
    ? warning('Jobs', `${overdue} have waited for more than five minutes. Does a worker run?`, 'jobs-late', { number: overdue })
    : good('Jobs', 'none has failed', 'jobs')
}

async function checkOfBackups(ctx: Ctx<Viewer | undefined>, now: Date): Promise<Finding> {
  const { config } = ctx.node
  const { nightly } = backupSchedule(ctx.node)
  const last = nightly ? await selectLastNight(ctx.sql) : undefined
  if (last?.state === 'failed') return bad('Backups', `The one of the last night failed. ${last.note}`, 'backup-failed')
  const [newest] = await backupsIn(backupFolder(config))
  return checkBackups({ production: config.production, nightly, newest }, now)
}

async function checksOfPeople(ctx: Ctx, now: Date): Promise<Finding[]> {
  const [{ openReports, oldestReportAt, allEvents, codes, people }, { events }] = await Promise.all([selectState(ctx.sql), readiness(ctx)])
  const elsewhere = allEvents - events
  const minutes = oldestReportAt ? Math.round((now.getTime() - oldestReportAt.getTime()) / minuteMs) : 0
  return [
    openReports === 0
      ? good('Reports', 'none is open', 'reports-none')
      : (minutes > 60 ? bad : warning)(
          'Reports',
          `${openReports} open, the oldest for ${minutes} minutes. Take them on in the queue of reports.`,
          'reports',
          { number: openReports, minutes },
        ),
    allEvents === 0
      ? warning('Schedule', 'It is empty. Upload a calendar.', 'schedule-empty')
      : elsewhere > 0
        ? warning(
            'Schedule',
            `${events} events, and ${elsewhere} on other days. Look whether it is the calendar of this event, or change the event's dates.`,
            'schedule-elsewhere',
            { number: events, elsewhere },
          )
        : good('Schedule', `${events} events`, 'schedule', { number: events }),
    codes === 0
      ? warning('Codes', 'There are none, so nobody can be confirmed. Make some, or upload a list.', 'codes-none')
      : good('Codes', `${codes} codes for ${people} accounts`, 'codes', { codes, people }),
  ]
}

/** Browsers must not learn where the server keeps its files: only the last name of a path is shown. */
const withoutFolders = (text: string): string =>
  text.replace(/(?<![^\s"(])\/[^\s"),;]+/g, (path) => basename(path.replace(/\.$/, '')) + (path.endsWith('.') ? '.' : ''))

/** The first sentence is the finding, the rest what to do; the latter is empty when all is well. */
export function splitFinding({ level, text: finding }: Finding): { sentence: string; mend: string } {
  const text = withoutFolders(finding)
  const [, sentence = text, mend = ''] = /^(.*?[^.\d][.?])(?:\s+(?=[A-Z])(.*))?$/s.exec(text) ?? []
  return { sentence, mend: level === 'good' ? '' : mend }
}

/** The stable word of what a finding is about. */
export const nameOf = ({ about }: Finding): string => about.toLowerCase().replaceAll(' ', '-')

function checkData(finding: Finding): CheckData {
  const { code, values = {} } = finding
  const { sentence, mend } = splitFinding(finding)
  return {
    name: nameOf(finding),
    state: finding.level,
    sentence,
    ...(mend === '' ? {} : { mend }),
    ...(code === undefined ? {} : { code, values: JSON.stringify(values) }),
  }
}
