// The page that helps people to trust the private authority on their phones, and the file that they install.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../core/base/config.ts'
import type { Page } from '../core/http/http.ts'
import { Reply } from '../core/http/route.ts'
import { noSuchRoute } from '../core/base/errors.ts'
import { authorityFiles, fingerprintOf } from './authority.ts'

export const certificatePath = '/certificate'
const filePath = `${certificatePath}/authority.crt`

/** The authority's file, where `npm run certificate` has put it beside the certificate. */
export function authorityOf({ tls }: Pick<Config, 'tls'>): string | undefined {
  const file = tls && join(dirname(tls.certFile), authorityFiles.authority)
  return file !== undefined && existsSync(file) ? file : undefined
}

/** Served only where there is a private authority. */
export const certificatePages: Page[] = [
  {
    path: certificatePath,
    about: {
      summary: 'How a phone comes to trust the private authority of this server, where there is one.',
      type: 'text/html',
      refusals: [404],
    },
    run: ({ config }) => new Reply(200, Buffer.from(certificatePage(requireAuthority(config))), pageHeaders),
  },
  {
    path: filePath,
    about: {
      summary: 'The certificate of the private authority, where there is one.',
      type: 'application/x-x509-ca-cert',
      refusals: [404],
    },
    run: ({ config }) => new Reply(200, readFileSync(requireAuthority(config)), fileHeaders),
  },
]

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
}
/** Phones offer to install what comes with this type. */
export const fileHeaders = { 'Content-Type': 'application/x-x509-ca-cert' }

function requireAuthority(config: Config): string {
  const file = authorityOf(config)
  if (file === undefined) throw noSuchRoute()
  return file
}

/** The page. `fingerprint` lets people compare what they install with what the operator posts on a wall. */
export function certificatePage(authorityFile: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trust this server</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 38rem; margin: 0 auto; padding: 1rem; }
  a.file { display: inline-block; padding: .7rem 1.2rem; border-radius: .4rem; background: #14532d; color: #fff; text-decoration: none; }
  code { word-break: break-all; }
  @media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } }
</style>
<h1>Trust this server</h1>
<p>The server of this event has a certificate that its operator made. Install the operator's authority once, and your phone
or computer shows no warnings any more. Pages then also work offline, and calls and recordings can use the microphone.</p>
<p><a class="file" href="${filePath}">Get the certificate</a></p>
<h2>iPhone and iPad</h2>
<ol>
<li>Tap the button in Safari, then Allow.</li>
<li>Settings, Profile Downloaded (or General, VPN &amp; Device Management): Install.</li>
<li>Settings, General, About, Certificate Trust Settings: switch it on.</li>
</ol>
<h2>Android</h2>
<ol>
<li>Tap the button; the file is downloaded.</li>
<li>Settings, Security, More, Encryption &amp; credentials, Install a certificate, CA certificate: choose the file.</li>
</ol>
<h2>Computers</h2>
<p>Windows: open the file, Install Certificate, Trusted Root Certification Authorities. macOS: open it in Keychain Access, then
Trust, Always Trust. Linux and Firefox: import it among the authorities of the browser.</p>
<h2>Before you do</h2>
<p>Whoever holds the authority's key could pretend to be other sites to your phone. Compare this fingerprint with the one that
the operator shows, and remove the certificate after the event, where you installed it.</p>
<p>SHA-256: <code>${fingerprintOf(authorityFile)}</code></p>
</html>
`
}
