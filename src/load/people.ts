// People for a load test: they come on board as everybody does, with a registration code and a password of their own.
import { randomBytes } from 'node:crypto'
import { ConfigError } from '../core/base/config.ts'
import { createClient, type Client } from '../sdk/client.ts'
import { mapConcurrently } from './concurrency.ts'

/** Somebody who takes part. */
export interface Person {
  readonly id: string
  readonly username: string
  readonly token: string
}

/** A place where they meet. */
export interface Place {
  readonly people: readonly Person[]
  readonly chats: readonly Chat[]
  readonly forums: readonly string[]
}

export interface Chat {
  readonly id: string
  readonly members: readonly Person[]
}

const codesAtOnce = 500
const together = 16
/** Neighbours in the list of people. */
export const membersOfChat = 20
const forumCount = 50
/** More people than these have come by themselves. */
const mostStrangers = 50
const nameOfLoad = 'load-'

/** @throws ConfigError where people live already: all that a load test writes stays, and they would notice it. */
export async function requireEmptyPlace(admin: Client): Promise<void> {
  const everybody = await admin.admin.users({ limit: 1 })
  const ofTests = await admin.admin.users({ search: nameOfLoad, limit: 1 })
  const strangers = everybody.paginator.total - ofTests.paginator.total
  if (strangers > mostStrangers)
    throw new ConfigError(
      `${strangers} people live there. A load test fills the place with people and posts that stay, so it wants one of its own. ` +
        'With --although-people-are-here it is done all the same.',
    )
}

/** Makes so many accounts, signs them in, and gives them chats and forums. `onArrival` gets how many are there. */
export async function createPlace(admin: Client, url: string, users: number, onArrival: (count: number) => void): Promise<Place> {
  const codes = await makeCodes(admin, users)
  const tag = `${nameOfLoad}${randomBytes(3).toString('hex')}`
  let arrived = 0
  const people = await mapConcurrently(codes, together, async (code, index) => {
    const person = await comeOnBoard(url, `${tag}-${index + 1}`, code)
    onArrival(++arrived)
    return person
  })
  const groups = Array.from({ length: Math.ceil(users / membersOfChat) }, (_, index) =>
    people.slice(index * membersOfChat, (index + 1) * membersOfChat),
  )
  const chats = await mapConcurrently(groups, together, (members) => makeChat(url, members))
  const forums = await mapConcurrently(people.slice(0, forumCount), together, (person) => makeForum(url, person))
  return { people, chats, forums }
}

async function makeCodes(admin: Client, users: number): Promise<string[]> {
  const codes: string[] = []
  while (codes.length < users) codes.push(...(await admin.admin.regcodesMake({ count: Math.min(codesAtOnce, users - codes.length) })).codes)
  return codes
}

async function comeOnBoard(url: string, username: string, verification: string): Promise<Person> {
  const client = createClient({ baseUrl: url })
  const password = randomBytes(12).toString('base64url')
  await client.user.create({ username, password, verification })
  const { userID, token } = await client.auth.login({ username, password })
  if (token === undefined) throw new Error(`${username} was signed in without a token`)
  return { id: userID, username, token }
}

async function makeChat(url: string, members: readonly Person[]): Promise<Chat> {
  const [owner, ...others] = members as readonly [Person, ...Person[]]
  const { fezID } = await createClient({ baseUrl: url, token: owner.token }).fez.create({
    fezType: 'open',
    title: 'Dinner tonight',
    info: '',
    minCapacity: 0,
    maxCapacity: 0,
    initialUsers: others.map(({ id }) => id),
  })
  return { id: fezID, members }
}

async function makeForum(url: string, { token }: Person): Promise<string> {
  const client = createClient({ baseUrl: url, token })
  const category = (await client.forum.categories()).find(({ isRestricted, isEventCategory }) => !isRestricted && !isEventCategory)
  if (!category) throw new ConfigError('There is no category in which people may start forums.')
  const firstPost = { text: 'What did you like best today?', images: [] }
  const { forumID } = await client.forum.create({ category_id: category.categoryID, title: 'The best of today', firstPost })
  return forumID
}
