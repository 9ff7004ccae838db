// What people write: plain text in which addresses, names and hashtags are links. Nothing of it is ever HTML.
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'

const links =
  /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]'])|(?<![\p{L}\p{N}_])@([\p{L}\p{N}][\p{L}\p{M}\p{N}\-.+_]{0,48}[\p{L}\p{N}])|(?<![\p{L}\p{N}_&])#([\p{L}\p{N}_]{2,50})/gu

export function Words({ text }: { text: string }) {
  return <>{parts(text)}</>
}

function parts(text: string): ComponentChildren[] {
  const found: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(links)) {
    const [whole, address, name, tag] = match
    found.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (address) found.push(<Address address={address} />)
    else if (name) found.push(<Link href={`/profile/${encodeURIComponent(name)}`}>{whole}</Link>)
    else if (tag) found.push(<Link href={`/tweets?hashtag=${encodeURIComponent(tag)}`}>{whole}</Link>)
  }
  found.push(text.slice(end))
  return found
}

/** A path of this server. Two slashes, of either kind, begin the name of another one. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path)

/** Other names of this server, as it says itself. */
export const ownHosts = new Set<string>()

let nameOf: (path: string) => string | undefined = () => undefined

/** Has links to pages of ours shown by what `name` calls them. */
export function nameLinks(name: typeof nameOf): void {
  nameOf = name
}

/** The path of an address of this server; empty for others. */
function ownPathIn(address: string): string {
  try {
    const { host, hostname, pathname, search, hash } = new URL(address)
    return host === location.host || ownHosts.has(hostname) ? pathname.replace(/\/{2,}/g, '/') + search + hash : ''
  } catch {
    return ''
  }
}

/** A link to a page of our own has a name and stays in the app; any other opens beside it and learns nothing of us. */
function Address({ address }: { address: string }) {
  const path = ownPathIn(address)
  return isOwnPath(path) ? (
    <Link href={path}>{nameOf(path) ?? address}</Link>
  ) : (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {address}
    </a>
  )
}
