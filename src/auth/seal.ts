// What only this community's servers can read: encrypted, and authentic, with keys that are made of TOKEN_SECRET (AES-256-GCM).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Node } from '../core/work/ctx.ts'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Each purpose has a key of its own. */
const keyOf = (tokenSecret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', tokenSecret, '', purpose, 32))

/** `boundTo`: an id without which it cannot be opened. */
export function seal(tokenSecret: string, purpose: string, boundTo: string, content: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes)
  const sealing = createCipheriv(cipher, keyOf(tokenSecret, purpose), iv).setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([sealing.update(content), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), sealed])
}

/** @throws Error when it was sealed with another key, for another purpose, or is bound to something else. */
export function unseal(tokenSecret: string, purpose: string, boundTo: string, sealed: Buffer): Buffer {
  const opening = createDecipheriv(cipher, keyOf(tokenSecret, purpose), sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
  opening.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([opening.update(sealed.subarray(ivBytes + tagBytes)), opening.final()])
}

/** What a browser carries between two requests, so that any server can go on with it: a text for addresses, cookies and JSON. */
export function sealState(node: Node, purpose: string, boundTo: string, content: object, ms: number): string {
  const text = JSON.stringify({ ...content, untilMs: node.clock.now() + ms })
  return seal(node.tokenSecret, purpose, boundTo, Buffer.from(text)).toString('base64url')
}

/** The content of a state; undefined when it is too old, of another community, for another purpose, or made up. */
export function unsealState<T extends object>(node: Node, purpose: string, boundTo: string, state: string): T | undefined {
  try {
    const content = JSON.parse(unseal(node.tokenSecret, purpose, boundTo, Buffer.from(state, 'base64url')).toString()) as T & {
      untilMs: number
    }
    return content.untilMs > node.clock.now() ? content : undefined
  } catch {
    return undefined
  }
}
