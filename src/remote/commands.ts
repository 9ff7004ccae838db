// What the console does, as commands over the network: each takes words and options, calls the client package, and says what came of it.
import { endpoints } from '../sdk/api.ts'
import type { Client } from '../sdk/client.ts'
import { ConfigError } from '../core/base/config.ts'
import { done, wordOf, type Given, type Outcome, type RemoteCommand } from './command.ts'
import { announce, announcements, deleteAnnouncement } from './announcements.ts'
import { backups, incidents, jobs, logs, makeBackup, ofJobs, status } from './machine.ts'
import { audit, codes, demote, exportAudit, exportPeople, makeCodes, printCodes, promote, users } from './people.ts'
import { applySchedule, checkSchedule, fetchSchedule, scheduleLog, undoSchedule } from './schedule.ts'
import { retention, setRetention, setSettings, settings } from './settings.ts'
import { deleteWebhook, makeWebhook, pauseWebhook, testWebhook, webhookLog, webhooks } from './webhooks.ts'

/** By their name, or name and first word. */
export const remoteCommands: Readonly<Record<string, RemoteCommand>> = {
  status: { takes: '', run: status },
  incidents: { takes: '', run: incidents },
  logs: { takes: '[words]', options: { follow: 'boolean' }, run: logs },
  users: { takes: '[words]', options: { level: 'string', role: 'string', limit: 'string' }, run: users },
  promote: { takes: '<username> <moderator|serviceteam|tho|admin>', least: 2, run: promote },
  demote: { takes: '<username>', least: 1, run: demote },
  codes: { takes: '[words]', options: { free: 'boolean', limit: 'string' }, run: codes },
  'codes make': { takes: '<number>', least: 1, options: { prefix: 'string' }, run: makeCodes },
  'codes print': { takes: '', options: { cards: 'boolean', address: 'string' }, run: printCodes },
  announce: { takes: '<text>', least: 1, options: { until: 'string', at: 'string', as: 'string' }, run: announce },
  announcements: { takes: '', run: announcements },
  'announcements delete': { takes: '<number>', least: 1, run: deleteAnnouncement },
  'schedule check': { takes: '<file.ics|address>', least: 1, run: checkSchedule },
  'schedule apply': {
    takes: '<file.ics|address>',
    least: 1,
    options: { delete: 'boolean', posts: 'boolean', 'other-days': 'boolean' },
    run: applySchedule,
  },
  'schedule fetch': { takes: '', run: fetchSchedule },
  'schedule log': { takes: '', run: scheduleLog },
  'schedule undo': { takes: '<number>', least: 1, run: undoSchedule },
  jobs: { takes: '', run: jobs },
  'jobs retry': { takes: '<kind>', least: 1, run: ofJobs((client, kind) => client.admin.jobsKindsRetry({ job_kind: kind })) },
  'jobs drop': { takes: '<kind>', least: 1, run: ofJobs((client, kind) => client.admin.removeJobsKindsFailed({ job_kind: kind })) },
  'jobs pause': { takes: '<kind>', least: 1, run: ofJobs((client, kind) => client.admin.jobsKindsPause({ job_kind: kind })) },
  'jobs resume': { takes: '<kind>', least: 1, run: ofJobs((client, kind) => client.admin.jobsKindsResume({ job_kind: kind })) },
  audit: { takes: '', options: { who: 'string', action: 'string', about: 'string', limit: 'string' }, run: audit },
  'export people': { takes: '[words]', run: exportPeople },
  'export audit': { takes: '', options: { who: 'string', action: 'string', about: 'string' }, run: exportAudit },
  settings: { takes: '', run: settings },
  'settings set': { takes: '<name>=<value>...', least: 1, run: setSettings },
  backups: { takes: '', run: backups },
  'backups make': { takes: '', run: makeBackup },
  retention: { takes: '[<kind>=<days>...]', run: retention },
  'retention set': { takes: '<kind>=<days>...', least: 1, run: setRetention },
  webhooks: { takes: '', run: webhooks },
  'webhooks make': { takes: '<name> <address> <kind>...', least: 3, run: makeWebhook },
  'webhooks test': { takes: '<name>', least: 1, run: testWebhook },
  'webhooks log': { takes: '<name>', least: 1, run: webhookLog },
  'webhooks pause': { takes: '<name>', least: 1, run: pauseWebhook(true) },
  'webhooks resume': { takes: '<name>', least: 1, run: pauseWebhook(false) },
  'webhooks delete': { takes: '<name>', least: 1, run: deleteWebhook },
  call: { takes: "'<METHOD> <path>' ['<json>']", least: 1, run: call },
}

/** Any endpoint, by the line of the API document. */
async function call(client: Client, given: Given): Promise<Outcome> {
  const [line, json] = [wordOf(given), wordOf(given, 1)]
  const input = json === '' ? {} : parsed(json)
  // What is known of an endpoint besides: a body, a key.
  const known = Object.values(endpoints)
    .flatMap((group) => Object.values(group))
    .find((each) => (each.split(/[ ?]/, 2) as string[]).join(' ') === line)
  const raw = await client.call(known ?? line, input)
  if (raw instanceof Response) {
    const text = await raw.text()
    return { raw: text, lines: [text] }
  }
  return { raw, lines: [JSON.stringify(raw ?? done.raw, undefined, 2)] }
}

function parsed(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch {
    throw new ConfigError('The input must be JSON, such as \'{"limit":5}\'.')
  }
}
