// `npm run setup`: asks what a server for real people needs to know; see src/operate.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError } from '../core/base/config.ts'
import { readConfig } from '../accounts/config.ts'
import { readCertificate } from '../core/http/certificate.ts'
import { Asker } from '../operate/ask.ts'
import { runCommand } from '../operate/command.ts'
import { presentProduction, secretNames, type Present } from '../operate/present.ts'
import { prepareProduction, usualDataDir } from '../operate/production.ts'
import { questions, type Answers } from '../operate/questions.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import type { Screen } from '../terminal/screen.ts'

await runCommand(async (screen) => {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(questions.map(({ key }) => [key, { type: 'string' as const }])),
      yes: { type: 'boolean', short: 'y' },
      force: { type: 'boolean' },
      'new-secrets': { type: 'boolean' },
      data: { type: 'string' },
    },
  })
  const given = values as Partial<Record<keyof Answers, string>>
  const wrong = questions.flatMap(({ key, check }) => {
    const complaint = given[key] === undefined ? undefined : check(given[key])
    return complaint === undefined ? [] : [`--${key}: ${complaint}`]
  })
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  const { privateSeedsDir } = readConfig(['--env', 'development'])
  const present = presentProduction(privateSeedsDir, { given: values['data'] as string | undefined, usual: usualDataDir })
  if (present.file !== undefined && !values['force'])
    throw new OperatorError(`${present.file} exists already. To replace it, and keep it beside: npm run setup -- --force`)
  const known = { ...present.answers, ...given }
  const asker = new Asker(screen, 'npm run setup -- --yes, and flags for what differs.')
  try {
    const decided = values['yes'] ? withDefaults(known) : await ask(screen, asker, present, given)
    const answers = { ...decided, ...filesFrom(decided.tls) }
    if (answers.tls.includes(',')) {
      const [certFile = '', keyFile = ''] = answers.tls.split(',')
      readCertificate({ certFile, keyFile })
    }
    const kept = await keptSecrets(screen, asker, present, { yes: values['yes'] === true, anew: values['new-secrets'] === true })
    const { file, sheet } = prepareProduction(answers, { privateSeedsDir, present, kept, now: new Date() })
    for (const line of ['', ...sheet, '']) screen.line(line)
    screen.line(`Written to ${file}. Keep it from strangers; no backup holds it.`)
    if (present.data !== undefined && kept.TOKEN_SECRET === undefined)
      screen.warning(`Put the TOKEN_SECRET of before into ${file}: the server does not start on ${present.data} with another one.`)
    screen.line('Next: npm run doctor, then npm start, which is production from now on.')
  } finally {
    asker.close()
  }
})

function withDefaults(known: Partial<Answers>): Answers {
  return Object.fromEntries(questions.map(({ key, fallback }) => [key, known[key] ?? fallback()])) as unknown as Answers
}

/** Asks for what was not given, each until there is an answer that will do. */
async function ask(screen: Screen, asker: Asker, { answers: before }: Present, given: Partial<Answers>): Promise<Answers> {
  const answers: Partial<Answers> = { ...given }
  screen.line('Settings for a server for real people. An empty line takes what stands in brackets.')
  for (const { key, text, fallback, check } of questions)
    answers[key] ??= await asker.ask({ text, check, fallback: before[key] ?? fallback() })
  return answers as Answers
}

/** The secrets that stay, where data hangs on them: the operator decides about each. */
async function keptSecrets(
  screen: Screen,
  asker: Asker,
  { data, secrets }: Present,
  { yes, anew }: { yes: boolean; anew: boolean },
): Promise<Present['secrets']> {
  const known = secretNames.filter((name) => secrets[name] !== undefined)
  if (data === undefined || anew || known.length === 0) return {}
  if (yes) return secrets
  const kept: Present['secrets'] = {}
  screen.line('')
  screen.line(`There may be people in ${data} already. Keep a secret unless you know why it has to change.`)
  screen.line('The accounts admin, THO and prometheus keep the passwords and recovery keys that they have. Other ones here')
  screen.line('are for an empty database alone, and make the sheet for the safe wrong. Change those of accounts in the app.')
  for (const name of known) {
    if (name === 'TOKEN_SECRET')
      screen.line('With another TOKEN_SECRET the server does not start on this data, since all apps would be signed out.')
    if (await asker.agrees(`Keep ${name}?`, 'yes')) kept[name] = secrets[name] as string
  }
  return kept
}

/** Files are named from where the operator is; settings from where the project is. */
function filesFrom(tls: string): { tls?: string } {
  if (!tls.includes(',')) return {}
  return {
    tls: tls
      .split(',')
      .map((path) => resolve(path.trim()))
      .join(','),
  }
}
