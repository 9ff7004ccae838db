// People, group chats and what they do to each other, for tests of chats.
import assert from 'node:assert/strict'
import { createAccounts, type AccountOptions, type TestAccount } from './accounts.ts'
import type { TestNodes } from './app.ts'
import type { Answer, Client, TestSocket } from './client.ts'

/** An account with a client on every node. */
export interface Person extends TestAccount {
  readonly clients: readonly Client[]
  /** The client on the first node. */
  readonly one: Client
  /** The client on the last node. */
  readonly two: Client
}

/** Makes accounts, in order. */
export async function people(nodes: TestNodes, ...wanted: (AccountOptions | undefined)[]): Promise<Person[]> {
  const accounts = await createAccounts(
    nodes.sql,
    wanted.map((options) => options ?? {}),
  )
  return accounts.map((account) => {
    const clients = nodes.apps.map((_, node) => nodes.client(account.token, node))
    return { ...account, clients, one: clients[0] as Client, two: clients.at(-1) as Client }
  })
}

/** A FezContentData of an LFG group. */
export function lfg(more: object = {}): Record<string, unknown> {
  return { fezType: 'gaming', title: 'Cards', info: 'Some cards', minCapacity: 0, maxCapacity: 0, initialUsers: [], ...more }
}

/** The body of an answer that must have this status. */
// oxlint-disable-next-line no-explicit-any -- see Answer
export async function body<T = any>(answer: Promise<Answer<T>>, status = 200): Promise<T> {
  const { status: got, body: value } = await answer
  assert.equal(got, status, JSON.stringify(value))
  return value
}

/** A refusal: the status, and a body that says why. Returns the reason. */
export async function refused(answer: Promise<Answer>, status: number): Promise<string> {
  const value = await body(answer, status)
  assert.equal(value.error, true)
  assert.equal(typeof value.reason, 'string')
  return value.reason
}

/** Creates a chat and returns its id. */
export async function createChat(owner: Client, more: object = {}): Promise<string> {
  return (await body(owner.post('/fez/create', lfg(more)), 201)).fezID
}

/** A private thread of its creator and others. */
export function createSeamail(owner: Client, others: readonly Person[], more: object = {}): Promise<string> {
  return createChat(owner, { fezType: 'closed', info: '', initialUsers: others.map(({ id }) => id), ...more })
}

/** Posts a text and returns the post's id. */
export async function say(client: Client, fezID: string, text: string, more: object = {}): Promise<number> {
  return (await body(client.post(`/fez/${fezID}/post`, { text, images: [], ...more }), 201)).postID
}

/** A notification socket on every node. */
export function listen(who: Person): Promise<TestSocket[]> {
  return Promise.all(who.clients.map((client) => client.socket('/notification/socket')))
}

export const names = (headers: readonly { username: string }[]): string[] => headers.map(({ username }) => username)

/** Person `a` blocks account `b`, over a node. */
export async function block(a: Person, b: Person, node = 0): Promise<void> {
  await body((a.clients[node] as Client).post(`/users/${b.id}/block`), 201)
}

export async function unblock(a: Person, b: Person, node = 0): Promise<void> {
  await body((a.clients[node] as Client).post(`/users/${b.id}/unblock`), 204)
}

/** Account `a` mutes account `b`, over a node. */
export async function mute(a: Person, b: Person, node = 0): Promise<void> {
  await body((a.clients[node] as Client).post(`/users/${b.id}/mute`), 201)
}

export async function unmute(a: Person, b: Person, node = 0): Promise<void> {
  await body((a.clients[node] as Client).post(`/users/${b.id}/unmute`), 204)
}

/** Tells all nodes about an account. */
export async function publishConfirmed(nodes: TestNodes, accountId: string, event: object, node = 0): Promise<void> {
  await nodes.apps[node]?.node.channels.publishConfirmed('user', accountId, event)
}

/** Tells all nodes that settings or zone changes were written by SQL. */
export async function settingsChanged(nodes: TestNodes): Promise<void> {
  await nodes.apps[0]?.node.channels.publishConfirmed('settings', 'all', { type: 'changed' })
}

/** Sets the moderation state of a chat. */
export async function moderate(nodes: TestNodes, fezID: string, status: string): Promise<void> {
  const [row] = await nodes.sql<
    { seq: number }[]
  >`update fez set moderation_status = ${status}::moderation_status, seq = seq + 1 where id = ${fezID} returning seq`
  await nodes.apps[0]?.node.channels.publishConfirmed('fez', fezID, { type: 'changed', seq: row?.seq })
}
