// What stand-ins on the way to Postgres say and recognise of its protocol (https://www.postgresql.org/docs/current/protocol-message-formats.html).

/** A message: its type, its length, and what it says. */
export function message(type: string, text: string): Buffer {
  const content = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

/** An ErrorResponse that ends a connection. `code`: five characters, as Postgres lists them. */
export const fatal = (code: string, reason: string): Buffer => message('E', `SFATAL\0VFATAL\0C${code}\0M${reason}\0\0`)

const readyForQuery = message('Z', 'I')

/** True when these end with ReadyForQuery outside of a transaction, which is always the last that Postgres says. */
export const isReadyAfter = (bytes: Buffer): boolean => bytes.subarray(-readyForQuery.length).equals(readyForQuery)
