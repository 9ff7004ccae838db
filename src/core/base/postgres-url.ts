// Addresses of Postgres: of one server, or of several of which one is the primary and the others follow it.

/** `postgres://[user[:password]@]host[:port][,...]/database[?...]` */
const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)([/?#].*)?$/s

/** One address for each host that is named; undefined for any other text. */
function addressesIn(url: string): URL[] | undefined {
  const whole = URL.canParse(url) ? new URL(url) : undefined
  if (whole && !whole.hostname.includes(',')) return /^postgres(?:ql)?:$/.test(whole.protocol) ? [whole] : undefined
  const [, before = '', hosts, after = ''] = form.exec(url) ?? []
  const urls = hosts?.split(',').map((host) => `${before}${host}${after}`)
  if (!urls?.every((each) => URL.canParse(each))) return undefined
  const addresses = urls.map((each) => new URL(each))
  return addresses.every(({ hostname }) => hostname !== '') ? addresses : undefined
}

/**
 * Whether this is the address of a Postgres that can be written to. Of several hosts `target_session_attrs` may say so in the
 * two ways that there are.
 */
export function isPostgresUrl(url: string): boolean {
  const addresses = addressesIn(url)
  return addresses !== undefined && ['primary', 'read-write', null].includes(attributeOf(addresses[0] as URL))
}

/** The address to connect to: of several hosts the primary, whichever that is by then. */
export function primaryUrl(url: string): string {
  const [address, other] = addressesIn(url) ?? []
  if (!address || !other) return url
  // postgres.js takes a standby for one that can be written to, because its default is that.
  address.searchParams.set('target_session_attrs', 'primary')
  return withHostsOf(url, address)
}

/** The address of another database of the same servers. */
export function otherDatabase(url: string, name: string): string {
  const [address, other] = addressesIn(url) as [URL, URL?]
  address.pathname = `/${name}`
  return other ? withHostsOf(url, address) : address.href
}

function withHostsOf(url: string, { pathname, search }: URL): string {
  const [, before = '', hosts = ''] = form.exec(url) ?? []
  return `${before}${hosts}${pathname}${search}`
}

const attributeOf = ({ searchParams }: URL): string | null => searchParams.get('target_session_attrs')

/** How many hosts an address names; one where it names a folder of sockets. */
export const hostCountOf = (url: string): number => (addressesIn(url) ?? [url]).length

/** The hosts that an address names: it holds a password. */
export const postgresHostsOf = (url: string): string => (addressesIn(url) ?? []).map(({ host }) => host).join(', ')

/** The password that an address holds, as it is written there. */
export const postgresPasswordOf = (url: string): string => addressesIn(url)?.[0]?.password ?? ''
