// `npm run certificate -- <name>...`: a certificate that phones can trust; see src/operate/authority.ts.
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readFileSync } from 'node:fs'
import { ConfigError, networkAddresses, readConfig, urlHost } from './core/config.ts'
import { fingerprintOf, longestDays, makeCertificate } from './operate/authority.ts'
import { certificatePage, certificatePath, fileHeaders } from './operate/certificate-page.ts'
import { runCommand } from './operate/command.ts'
import { qrLines } from './terminal/welcome.ts'
import type { Screen } from './terminal/screen.ts'

await runCommand((screen) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      env: { type: 'string', short: 'e', default: 'development' },
      folder: { type: 'string' },
      days: { type: 'string', default: '397' },
      serve: { type: 'boolean', default: false },
      port: { type: 'string', short: 'p', default: '8080' },
    },
  })
  const folder = values.folder === undefined ? join(readConfig(['--env', values.env]).dataDir, 'tls') : resolve(values.folder)
  const days = wholeNumber('--days', values.days, longestDays)
  const names = positionals.length > 0 ? positionals : networkAddresses()
  const wrong = names.find((name) => !isIP(name) && !/^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(name))
  if (wrong !== undefined) throw new ConfigError(`"${wrong}" is neither a host name nor an address.`)
  if (names.length === 0) throw new ConfigError('This computer has no address on a network. Say names: npm run certificate -- ship.example')

  const made = makeCertificate(folder, [...new Set([...names, 'localhost', '127.0.0.1'])], days)
  screen.line(`Certificate for ${names.join(', ')}, until ${made.validTo.toISOString().slice(0, 10)}.`)
  if (made.isNewAuthority) screen.line(`A new authority signed it; keep ${join(folder, 'authority.key')} to yourself.`)
  screen.line('')
  screen.line('Settings for the server; it looks for a new certificate every few seconds:')
  screen.line(`  TLS_CERT_FILE=${made.certFile}`)
  screen.line(`  TLS_KEY_FILE=${made.keyFile}`)
  screen.line('')
  screen.line('Phones have to trust the authority once. Its fingerprint (SHA-256):')
  screen.line(`  ${fingerprintOf(made.authorityFile)}`)
  if (!values.serve) {
    screen.line(`The server explains how at ${certificatePath}; npm run certificate -- --serve does it without a warning of the browser.`)
    return
  }
  serve(screen, made.authorityFile, wholeNumber('--port', values.port, 65535))
})

/** Shows the page over plain HTTP, where no certificate is needed yet. */
function serve(screen: Screen, authorityFile: string, port: number): void {
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
