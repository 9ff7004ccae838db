// `npm run certificate -- <name>...`: a certificate that phones can trust; see src/operate/authority.ts.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { commandOf, ConfigError, networkAddresses, urlHost, type Config } from '../core/base/config.ts'
import { Asker } from '../operate/ask.ts'
import { authorityFiles, longestDays } from '../operate/authority.ts'
import { certificatePage, certificatePath, fileHeaders } from '../operate/certificate-page.ts'
import { runCommand } from '../operate/command.ts'
import { folderOf, replaceCertificate, settingsOf } from '../operate/renewal.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { qrLines } from '../terminal/welcome.ts'
import type { Screen } from '../terminal/screen.ts'

await runCommand(async (screen) => {
  const { values, positionals: given } = parseArgs({
    allowPositionals: true,
    options: {
      env: { type: 'string', short: 'e' },
      folder: { type: 'string' },
      days: { type: 'string', default: '397' },
      only: { type: 'boolean', default: false },
      yes: { type: 'boolean', short: 'y', default: false },
      'new-authority': { type: 'boolean', default: false },
      serve: { type: 'boolean', default: false },
      port: { type: 'string', short: 'p', default: '8080' },
    },
  })
  // A folder needs no settings; those of the server say which names phones use.
  const config = settingsOf(values.env, values.folder !== undefined)
  const folder = values.folder === undefined ? folderOf(config as Config) : resolve(values.folder)
  if (values.serve) {
    if (given.length > 0) throw new ConfigError('--serve shows the authority that is there. To make a certificate, leave it out.')
    return serve(screen, folder, wholeNumber('--port', values.port, 65535))
  }
  const days = wholeNumber('--days', values.days, longestDays)
  const wrong = given.find((name) => !isIP(name) && !/^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(name))
  if (wrong !== undefined) throw new ConfigError(`"${wrong}" is neither a host name nor an address.`)

  const place = values.folder === undefined ? [] : ['--folder', values.folder]
  const command = (...words: string[]) =>
    config ? commandOf(config, 'certificate', ...place, ...words) : ['npm run certificate --', ...place, ...words].join(' ')
  const asker = new Asker(screen, command('--yes', ...given))
  try {
    await replaceCertificate(screen, asker, { ...values, given, folder, days, config, command })
  } finally {
    asker.close()
  }
})

/** Shows the page over plain HTTP, where no certificate is needed yet. */
function serve(screen: Screen, folder: string, port: number): void {
  const authorityFile = join(folder, authorityFiles.authority)
  if (!existsSync(authorityFile)) throw new OperatorError(`There is no authority in ${folder} yet. npm run certificate makes it.`)
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.crt')) response.writeHead(200, fileHeaders).end(readFileSync(authorityFile))
    else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(certificatePage(authorityFile))
  })
  server.on('error', (error) => {
    screen.error(`The port ${port} cannot be used: ${error.message}. Another one: --port <port>`)
    process.exit(1)
  })
  server.listen(port, '0.0.0.0', () => {
    const address = networkAddresses()[0] ?? 'localhost'
    const url = `http://${urlHost(address)}:${port}${certificatePath}`
    for (const line of [...qrLines(screen, url), '']) screen.line(line)
    screen.line(`${url} explains it to phones. Ctrl-C ends that.`)
  })
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > most)
    throw new ConfigError(`${name} must be a whole number from 1 to ${most}, not "${text}".`)
  return number
}
