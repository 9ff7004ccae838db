// For which names a private authority may sign (RFC 5280, 4.2.1.10). Phones that trust it are asked to trust it with the
// names of this server, and with names and addresses that lead nowhere outside of a private network: whoever gets its
// key can pretend to be this server, and no site of the internet.
import { isIP } from 'node:net'
import forge from 'node-forge'

const extensionId = '2.5.29.30'
/** Types of names in certificates. */
const [dnsName, ipAddress] = [2, 7]
/** The tag of what is permitted, in the extension. */
const permitted = 0

/** So that the server may get another name or address without all phones trusting an authority again. */
const privateDomains = ['localhost', 'local', 'lan', 'internal', 'home.arpa']
const privateNetworks = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
]

/** A name, or the address and the mask of a network, as forge has them: each character is a byte. */
interface Subtree {
  type: number
  value: string
}

/** The extension of an authority that may sign for these names. Phones that cannot read it must not trust the authority. */
export function constraintsFor(names: readonly string[]): object {
  const domains = [...privateDomains, ...names.filter((name) => isIP(name) === 0).map(domainOf)]
  const networks = privateNetworks.map(networkOf)
  for (const address of names.filter((name) => isIP(name) !== 0))
    if (!networks.some((each) => isWithin(address, each))) networks.push(networkOf(`${address}/${isIP(address) === 6 ? 128 : 32}`))
  const subtrees = [...[...new Set(domains)].map((value) => ({ type: dnsName, value })), ...networks].map(({ type, value }) =>
    sequence([tagged(type, value)]),
  )
  return { id: extensionId, critical: true, value: sequence([tagged(permitted, subtrees)]) }
}

/** Its types take every tag for one of the universal types. */
const create = forge.asn1.create as unknown as (tagClass: number, tag: number, isMade: boolean, content: Content) => forge.asn1.Asn1
type Content = string | forge.asn1.Asn1[]

const sequence = (parts: forge.asn1.Asn1[]) => create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.SEQUENCE, true, parts)
const tagged = (tag: number, content: Content) => create(forge.asn1.Class.CONTEXT_SPECIFIC, tag, typeof content !== 'string', content)

/** Which of the names this authority may not sign for; undefined when it may sign for all there are. */
export function namesBeyond(authority: forge.pki.Certificate, names: readonly string[]): string[] | undefined {
  const { permittedSubtrees } = (authority.getExtension('nameConstraints') ?? {}) as { permittedSubtrees?: Subtree[] }
  return permittedSubtrees && names.filter((name) => !permittedSubtrees.some((subtree) => isWithin(name, subtree)))
}

const domainOf = (name: string): string => name.replace(/^\*\./, '').toLowerCase()

function networkOf(text: string): Subtree {
  const [address = '', prefix = ''] = text.split('/')
  const bytes = bytesOf(address)
  const mask = Array.from(bytes, (_, index) => (0xff00 >> Math.min(8, Math.max(0, Number(prefix) - 8 * index))) & 0xff)
  return { type: ipAddress, value: bytes + String.fromCharCode(...mask) }
}

function isWithin(name: string, { type, value }: Subtree): boolean {
  if (isIP(name) === 0) return type === dnsName && (domainOf(name) === value || domainOf(name).endsWith(`.${value}`))
  const address = bytesOf(name)
  if (type !== ipAddress || value.length !== 2 * address.length) return false
  const [network, mask] = [value.slice(0, address.length), value.slice(address.length)]
  return Array.from(address).every((byte, index) => ((byte.charCodeAt(0) ^ network.charCodeAt(index)) & mask.charCodeAt(index)) === 0)
}

/** Its types do not name it. */
const { bytesFromIP: bytesOf } = forge.util as unknown as { bytesFromIP(address: string): string }
