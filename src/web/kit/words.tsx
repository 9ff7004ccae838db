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

/** The path of an address of this server, else nothing, and the words that stand for the address. */
let shown = (address: string): readonly [path: string, words: string] => [
  address.startsWith(`${location.origin}/`) ? address.slice(location.origin.length) : '',
  address,
]

/** Has addresses shown by `by`, which knows more of them. */
export function showAddresses(by: typeof shown): void {
  shown = by
}

/** A link to a page of our own has a name and stays in the app; any other opens beside it and learns nothing of us. */
function Address({ address }: { address: string }) {
  const [path, words] = shown(address)
  return isOwnPath(path) ? (
    <Link href={path}>{words}</Link>
  ) : (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {address}
    </a>
  )
}
