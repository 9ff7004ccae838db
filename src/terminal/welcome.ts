// The text for the operator once everything is up: where to go, who admin is, what to know. Pure, but for the addresses.
import { renderUnicodeCompact } from 'uqr'
import { commandOf, isLoopback, networkAddresses, urlHost, type Config, type Secret } from '../core/base/config.ts'
import type { Screen } from './screen.ts'

export interface Addresses {
  /** For a browser on this machine. */
  here: string
  /** For everybody else on the network; empty when only this machine can reach the server. */
  network: string[]
}

const labelWidth = 15
/** A QR code may take so much of the window's width. */
const qrMargin = 2

/** Where a server that listens on `port` can be reached. */
export function addressesOf({ hostname, tls, externalUrl }: Config, port: number, found = networkAddresses()): Addresses {
  const scheme = tls ? 'https' : 'http'
  const url = (host: string) => `${scheme}://${urlHost(host)}:${port}`
  if (isLoopback(hostname)) return { here: url('localhost'), network: [] }
  const everywhere = hostname === '0.0.0.0' || hostname === '::'
  const own = everywhere ? found.filter((address) => hostname === '::' || !address.includes(':')).map(url) : [url(hostname)]
  const configured = isLoopback(new URL(externalUrl).hostname) ? [] : [externalUrl]
  return { here: everywhere ? url('localhost') : url(hostname), network: [...new Set([...configured, ...own])] }
}

/** Shows it all. `port` is that of the server; undefined when only a worker runs. `password` is the administrator's. */
export function welcome(screen: Screen, config: Config, port: number | undefined, password: Secret): void {
  if (port === undefined) return screen.line('The worker is running. Ctrl-C stops it.')
  const addresses = addressesOf(config, port)
  const { here, network } = addresses
  const label = (text: string) => `  ${text.padEnd(labelWidth)}`
  const lines = [
    '',
    screen.paint('bold', `Quarterdeck is running at ${network[0] ?? here}`),
    '',
    ...(config.eventName === '' ? [] : [`${label('Event')}${config.eventName}`]),
    `${label('This computer')}${screen.paint('cyan', here)}`,
    ...network.map((url, index) => `${label(index === 0 ? 'Phones' : '')}${screen.paint('cyan', url)}`),
    `${label('The API')}${here}/docs`,
    `${label('Administrator')}admin, ${saysPassword(password)}`,
  ]
  if (config.demoContent) lines.push(`${label('Sample people')}james, heidi, sam and verified, each with password "password"`)
  lines.push(...notLetIn(config, addresses), `${label('To stop')}Ctrl-C`, ...codeLines(screen, addresses), '')
  for (const line of lines) if (line !== '' || screen.format !== 'json') screen.line(line.trimEnd())
  warn(screen, config, addresses)
}

function saysPassword({ value, from }: Secret): string {
  const set = from === undefined ? `password "${value}"` : `the password is ADMIN_PASSWORD in ${from}`
  // Later settings do not change an account that exists.
  return `${set}, unless it was changed since`
}

function notLetIn({ production }: Config, { network }: Addresses): string[] {
  if (network.length > 0 || production) return []
  return [`  ${'Phones'.padEnd(labelWidth)}not let in; npm start -- --hostname 0.0.0.0 does that`]
}

function codeLines(screen: Screen, { network: [url] }: Addresses): string[] {
  return url === undefined || screen.format !== 'terminal' ? [] : qrLines(screen, url)
}

/** The code of an address, if the window is wide enough. */
export function qrLines(screen: Screen, url: string): string[] {
  const lines = renderUnicodeCompact(url, { border: 1 }).split('\n')
  if ((lines[0]?.length ?? 0) + 2 * qrMargin > (screen.columns ?? Infinity)) return []
  return ['', ...lines.map((line) => ' '.repeat(qrMargin) + screen.paint('code', line))]
}

function warn(screen: Screen, config: Config, { network }: Addresses): void {
  const { demoContent, production, hostname, externalUrl } = config
  if (demoContent) {
    screen.warning('Sample people are in here. A server for real people: npm run setup')
    if (network.length > 0) screen.warning('Everybody on this network can log in as them, and as admin.')
  }
  if (production && network.length === 0) screen.warning(`Only this computer, or a proxy on it, can reach ${hostname}.`)
  if (production && externalUrl.startsWith('http:')) {
    screen.warning('Without TLS everybody on the network can read along, and browsers allow')
    screen.warning(`no offline pages, microphone or calls: ${commandOf(config, 'certificate')}`)
  }
}
