// `npm run setup`: asks what a server for real people needs to know; see src/operate.
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './core/config.ts'
import { readCertificate } from './core/http/certificate.ts'
import { runCommand } from './operate/command.ts'
import { prepareProduction, usualDataDir } from './operate/production.ts'
import { questions, type Answers, type Question } from './operate/questions.ts'
import type { Screen } from './terminal/screen.ts'

await runCommand(async (screen) => {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(questions.map(({ key }) => [key, { type: 'string' as const }])),
      yes: { type: 'boolean', short: 'y' },
      force: { type: 'boolean' },
      data: { type: 'string', default: usualDataDir },
    },
  })
  const given = values as Partial<Record<keyof Answers, string>>
  const wrong = questions.flatMap(({ key, check }) => {
    const complaint = given[key] === undefined ? undefined : check(given[key])
    return complaint === undefined ? [] : [`--${key}: ${complaint}`]
  })
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  const { privateSeedsDir } = readConfig(['--env', 'development'])
  const decided = values['yes'] ? withDefaults(given) : await ask(screen, given)
  const answers = { ...decided, ...filesFrom(decided.tls) }
  if (answers.tls.includes(',')) {
    const [certFile = '', keyFile = ''] = answers.tls.split(',')
    readCertificate({ certFile, keyFile })
  }
  const { data, force } = values as { data: string; force?: boolean }
  const { file, sheet } = prepareProduction(answers, { privateSeedsDir, dataDir: data, force: force === true, now: new Date() })
  for (const line of ['', ...sheet, '']) screen.line(line)
  screen.line(`Written to ${file}. Keep it from strangers; no backup holds it.`)
  screen.line('Next: npm run doctor, then npm start, which is production from now on.')
})

function withDefaults(given: Partial<Answers>): Answers {
  return Object.fromEntries(questions.map(({ key, fallback }) => [key, given[key] ?? fallback()])) as unknown as Answers
}

/** Asks for what was not given, each until there is an answer that will do. */
async function ask(screen: Screen, given: Partial<Answers>): Promise<Answers> {
  const input = createInterface({ input: process.stdin })
  const lines = input[Symbol.asyncIterator]()
  const answers: Partial<Answers> = { ...given }
  screen.line('Settings for a server for real people. An empty line takes what stands in brackets.')
  for (const question of questions) answers[question.key] ??= await askOne(screen, question, lines)
  input.close()
  return answers as Answers
}

async function askOne(screen: Screen, { text, fallback, check }: Question, lines: AsyncIterator<string>): Promise<string> {
  const proposed = fallback()
  for (;;) {
    process.stdout.write(`${text} [${proposed}]: `)
    const { value, done } = await lines.next()
    if (done)
      throw new ConfigError('\nThe questions were not answered. Without a terminal: npm run setup -- --yes, and flags for what differs.')
    const answer = String(value).trim() || proposed
    const complaint = check(answer)
    if (complaint === undefined) return answer
    screen.line(`  ${complaint}`)
  }
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
