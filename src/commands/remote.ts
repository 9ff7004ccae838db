// `npm run remote -- <command>`: does over the network what the console does; see src/remote/commands.ts.
import { parseArgs } from 'node:util'
import { ConfigError } from '../core/base/config.ts'
import { runCommand } from '../operate/command.ts'
import type { RemoteCommand } from '../remote/command.ts'
import { remoteCommands } from '../remote/commands.ts'
import { sayRefusal, tokenFrom, usualServer } from '../remote/sign-in.ts'
import { tableOf } from '../remote/table.ts'
import { createClient, QuarterdeckError } from '../sdk/client.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import type { Screen } from '../terminal/screen.ts'

await runCommand(async (screen) => {
  const { name, command, rest } = commandOf(process.argv.slice(2))
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: {
      server: { type: 'string', short: 's', default: process.env['QUARTERDECK_SERVER'] || usualServer },
      'token-file': { type: 'string' },
      json: { type: 'boolean', default: false },
      ...Object.fromEntries(Object.entries(command.options ?? {}).map(([option, type]) => [option, { type, ...shortOf(option) }])),
    },
  })
  const { server, json, 'token-file': tokenFile, ...options } = values
  requireWords(name, command, positionals)
  const client = createClient({ baseUrl: String(server), token: tokenFrom(tokenFile as string | undefined, process.env) })
  try {
    const { raw, table = [], lines = [], isBad, later } = await command.run(client, { words: positionals, options, nowMs: Date.now() })
    if (later) return await showAsItComes(screen, later, json)
    const shown = json ? [JSON.stringify(raw, undefined, 2)] : [...tableOf(table), ...lines]
    for (const line of shown) screen.line(line)
    if (isBad) process.exitCode = 1
  } catch (error) {
    if (error instanceof QuarterdeckError) throw new OperatorError(sayRefusal(error, String(server)))
    throw error
  }
})

/** Until somebody ends it, or nobody reads it any more. */
async function showAsItComes(screen: Screen, later: AsyncIterable<{ raw: unknown; line: string }>, json: boolean): Promise<void> {
  process.stdout.on('error', () => process.exit())
  for await (const { raw, line } of later) screen.line(json ? JSON.stringify(raw) : line)
}

function shortOf(option: string): { short?: string } {
  return option === 'follow' ? { short: 'f' } : {}
}

/** By the first two words, or the first. */
function commandOf([first = '', second = '', ...more]: readonly string[]): { name: string; command: RemoteCommand; rest: string[] } {
  const [long, short] = [remoteCommands[`${first} ${second}`], remoteCommands[first]]
  if (long) return { name: `${first} ${second}`, command: long, rest: more }
  if (short) return { name: first, command: short, rest: second === '' ? more : [second, ...more] }
  throw new ConfigError(`There is ${Object.keys(remoteCommands).join(', ')}; not "${[first, second].join(' ').trim()}".`)
}

function requireWords(name: string, { takes, least = 0 }: RemoteCommand, words: readonly string[]): void {
  if (words.length < least || (takes === '' && words.length > 0)) throw new ConfigError(`It is: ${name} ${takes}`.trimEnd())
}
