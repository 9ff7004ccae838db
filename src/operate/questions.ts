// The questions of `npm run setup`: what is asked, what counts as an answer, and what is proposed. Pure, but for the addresses.
import { DateTime, IANAZone } from 'luxon'
import { networkAddresses } from '../core/base/config.ts'
import type { Asked } from './ask.ts'

/** The answers of the operator. */
export interface Answers {
  name: string
  start: string
  days: string
  zone: string
  /** Host name or address, with a port if it is not 8081. */
  address: string
  /** `yes`, `no`, or two files with a comma between them. */
  tls: string
  /** A folder, or `no`. */
  backups: string
  /** Whom push services write to, or `no`. */
  push: string
}

/** One question, and what is proposed where nothing is known. */
export interface Question extends Omit<Asked, 'fallback'> {
  key: keyof Answers
  fallback(): string
}

const address = /^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:(\d{1,5}))?$/i

export const questions: Question[] = [
  {
    key: 'name',
    text: 'Name of the event',
    fallback: () => 'Our trip',
    check: (answer) => (answer.length > 0 && answer.length <= 80 && !/[\r\n"]/.test(answer) ? undefined : 'A name has 1 to 80 characters.'),
  },
  {
    key: 'start',
    text: 'First day (yyyy-mm-dd)',
    fallback: () => DateTime.now().toISODate(),
    check: (answer) => (/^\d{4}-\d\d-\d\d$/.test(answer) && DateTime.fromISO(answer).isValid ? undefined : 'A day looks like 2026-03-01.'),
  },
  {
    key: 'days',
    text: 'Days, first and last counted',
    fallback: () => '8',
    check: (answer) => (/^\d{1,3}$/.test(answer) && Number(answer) >= 1 && Number(answer) <= 366 ? undefined : 'Days are 1 to 366.'),
  },
  {
    key: 'zone',
    text: 'Time zone of where it begins',
    fallback: () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'America/New_York',
    check: (answer) => (IANAZone.isValidZone(answer) ? undefined : 'A zone looks like America/New_York or Europe/Berlin.'),
  },
  {
    key: 'address',
    text: 'Name or address of this server for phones',
    fallback: () => networkAddresses()[0] ?? 'localhost',
    check: (answer) => {
      const [, , , , port] = address.exec(answer) ?? []
      const fits = address.test(answer) && (port === undefined || (Number(port) > 0 && Number(port) <= 65535))
      return fits ? undefined : 'An address looks like ship.example, 192.168.1.20 or ship.example:443.'
    },
  },
  {
    key: 'tls',
    text: 'TLS: yes makes a certificate; or no; or <certificate file>,<key file>',
    fallback: () => 'yes',
    check: (answer) => (/^(yes|no|[^,]+,[^,]+)$/.test(answer) ? undefined : 'Say yes, no, or two files with a comma between them.'),
  },
  {
    key: 'backups',
    text: 'Folder for a backup every night, or no',
    fallback: () => 'backups',
    check: (answer) => (answer.length > 0 && !/[\r\n"]/.test(answer) ? undefined : 'Name a folder, or say no.'),
  },
  {
    key: 'push',
    text: 'Notices to phones whose app is closed, over the internet: your mail address, for the push services; or no',
    fallback: () => 'no',
    check: (answer) =>
      answer === 'no' || (/^[^\s@"]+@[^\s@"]+$/.test(answer) && answer.includes('.')) ? undefined : 'Say no, or a mail address.',
  },
]

/** Host and port of an address that was checked. */
export function splitAddress(text: string): { host: string; port: number } {
  const [, host = 'localhost', , , port] = address.exec(text) ?? []
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? 8081) }
}
