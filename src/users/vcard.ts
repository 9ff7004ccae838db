// A profile as a card for the contacts of a phone: vCard 3.0 (RFC 2426). Pure.

export interface Card {
  id: string
  username: string
  changedAt: Date
  displayName: string
  realName: string
  email: string
  homeLocation: string
  discordUsername: string
  pronouns: string
  about: string
  photo: { type: 'JPEG' | 'PNG' | 'GIF'; bytes: Buffer } | undefined
}

/** Octets of a line, of which the first of a folded one is a blank. */
const foldedAt = 75

/** The text of the card. Cabin, dinner team, greeting and private notes are never in it. */
export function vcardOf(card: Card): string {
  const name = card.displayName || card.username
  const space = card.realName.lastIndexOf(' ')
  const [family, given] =
    card.realName === '' ? ['', name] : space < 0 ? ['', card.realName] : [card.realName.slice(space + 1), card.realName.slice(0, space)]
  const note = [card.pronouns, card.about].filter((line) => line !== '').join('\n')
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `PRODID:-//Quarterdeck//EN`,
    `UID:urn:uuid:${card.id}`,
    `FN:${escaped(name)}`,
    `N:${escaped(family)};${escaped(given)};;;`,
    `NICKNAME:${escaped(card.username)}`,
    ...(card.email ? [`EMAIL;TYPE=INTERNET:${escaped(card.email)}`] : []),
    ...(card.homeLocation ? [`ADR;TYPE=HOME:;;;${escaped(card.homeLocation)};;;`] : []),
    ...(card.discordUsername ? [`IMPP;X-SERVICE-TYPE=Discord:x-discord:${escaped(card.discordUsername)}`] : []),
    ...(note ? [`NOTE:${escaped(note)}`] : []),
    ...(card.photo ? [`PHOTO;ENCODING=b;TYPE=${card.photo.type}:${card.photo.bytes.toString('base64')}`] : []),
    `REV:${card.changedAt.toISOString()}`,
    'END:VCARD',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replace(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/g, '\\n')
    // oxlint-disable-next-line no-control-regex -- other control characters are no text
    .replace(/[\u0000-\u001f\u007f]/g, '')

/** No character is divided. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= foldedAt) return line
  const parts: string[] = []
  let part = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > foldedAt) {
      parts.push(part)
      part = ' '
      bytes = 1
    }
    part += character
    bytes += size
  }
  return [...parts, part].join('\r\n')
}
