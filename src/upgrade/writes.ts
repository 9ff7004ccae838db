// What people write every day, done on the copy of a rehearsal: a schema may read well, and refuse every post.
import { ask, type Answer, type Answers, type Person } from './answers.ts'

interface Write {
  /** The one with the lowest rights, or with the highest. */
  by: 'lowest' | 'highest'
  method: 'GET' | 'POST' | 'DELETE'
  /** With `{names}` of what earlier answers had. */
  path: string
  body?: object
  /** Names for ids of its answer, unless an earlier one had them: the first is `name`, the second `name2`. */
  saves?: Readonly<Record<string, readonly string[]>>
}

const text = 'A rehearsal of what people write.'
const post = { text, images: [] }
const inChat = { ...post, postAsModerator: false, postAsTwitarrTeam: false }
const group = { fezType: 'activity', title: 'Rehearsal', info: text, minCapacity: 0, maxCapacity: 0, initialUsers: [] }

const forum = { title: 'Rehearsal {turn}', firstPost: post }
const forumIds = { forum: ['forumID'] }

/** In this order. Two of each kind of post: the second tells what the first does not. */
const writes: readonly Write[] = [
  { by: 'lowest', method: 'GET', path: '/user/whoami', saves: { lowest: ['userID'] } },
  { by: 'highest', method: 'GET', path: '/user/whoami', saves: { highest: ['userID'] } },
  { by: 'lowest', method: 'GET', path: '/forum/categories', saves: { category: ['categoryID'] } },
  { by: 'lowest', method: 'GET', path: '/events', saves: { event: ['eventID'] } },
  { by: 'lowest', method: 'POST', path: '/fez/create', body: group, saves: { group: ['fezID'] } },
  { by: 'lowest', method: 'POST', path: '/fez/{group}/post', body: inChat },
  { by: 'lowest', method: 'POST', path: '/fez/{group}/post', body: inChat },
  { by: 'highest', method: 'POST', path: '/fez/{group}/join' },
  { by: 'highest', method: 'POST', path: '/fez/{group}/post', body: inChat },
  { by: 'highest', method: 'POST', path: '/fez/{group}/unjoin' },
  { by: 'lowest', method: 'POST', path: '/fez/{group}/update', body: { ...group, title: 'Rehearsal, again' } },
  { by: 'lowest', method: 'POST', path: '/fez/{group}/cancel' },
  {
    by: 'lowest',
    method: 'POST',
    path: '/fez/create',
    body: { ...group, fezType: 'closed', initialUsers: ['{highest}'] },
    saves: { seamail: ['fezID'] },
  },
  { by: 'highest', method: 'POST', path: '/fez/{seamail}/post', body: inChat },
  // The first categories may be the team's.
  { by: 'lowest', method: 'POST', path: '/forum/categories/{category}/create', body: forum, saves: forumIds },
  { by: 'lowest', method: 'POST', path: '/forum/categories/{category2}/create', body: forum, saves: forumIds },
  { by: 'highest', method: 'POST', path: '/forum/categories/{category}/create', body: forum, saves: forumIds },
  { by: 'lowest', method: 'POST', path: '/forum/{forum}/create', body: post, saves: { forumPost: ['postID'] } },
  { by: 'highest', method: 'POST', path: '/forum/{forum}/create', body: post },
  { by: 'highest', method: 'POST', path: '/forum/post/{forumPost}/like' },
  { by: 'lowest', method: 'POST', path: '/forum/{forum}/favorite' },
  { by: 'highest', method: 'POST', path: '/forum/post/{forumPost}/report', body: { message: text } },
  { by: 'lowest', method: 'POST', path: '/microblog/create', body: post, saves: { post: ['twarrtID', 'postID'] } },
  { by: 'lowest', method: 'POST', path: '/microblog/create', body: post },
  { by: 'highest', method: 'POST', path: '/microblog/{post}/reply', body: post },
  { by: 'highest', method: 'POST', path: '/microblog/{post}/love' },
  { by: 'lowest', method: 'POST', path: '/microblog/{post}/update', body: { ...post, text: `${text} Changed.` } },
  { by: 'lowest', method: 'POST', path: '/microblog/{post}/delete' },
  { by: 'lowest', method: 'POST', path: '/users/{highest}/mute' },
  { by: 'lowest', method: 'POST', path: '/users/{highest}/unmute' },
  { by: 'lowest', method: 'POST', path: '/users/{highest}/favorite' },
  { by: 'lowest', method: 'POST', path: '/users/{highest}/unfavorite' },
  { by: 'highest', method: 'POST', path: '/users/{lowest}/note', body: { note: text } },
  { by: 'lowest', method: 'POST', path: '/user/alertwords/add/rehearsal' },
  { by: 'lowest', method: 'POST', path: '/user/alertwords/remove/rehearsal' },
  {
    by: 'lowest',
    method: 'POST',
    path: '/user/barrel',
    body: { name: 'Rehearsal', uuidList: ['{highest}'] },
    saves: { barrel: ['barrelID'] },
  },
  { by: 'lowest', method: 'POST', path: '/user/barrels/{barrel}/delete' },
  { by: 'lowest', method: 'POST', path: '/events/{event}/favorite' },
  { by: 'lowest', method: 'DELETE', path: '/events/{event}/favorite' },
  {
    by: 'lowest',
    method: 'POST',
    path: '/auth/tokens',
    body: { name: 'Rehearsal', scope: 'read', days: 1 },
    saves: { token: ['tokenID'] },
  },
  { by: 'lowest', method: 'DELETE', path: '/auth/tokens/{token}' },
  { by: 'highest', method: 'POST', path: '/notification/announcement/create', body: { text, displayUntil: '{tomorrow}' } },
]

const prefix = '/api/v3'
const dayMs = 24 * 60 * 60_000

/**
 * Does all of it, and keeps the answers. `turn` tells the runs on one copy from each other. What an earlier answer should have
 * named and did not is asked for by its name: that, too, is to be the same.
 */
export async function writeEverything(url: string, people: readonly Person[], turn: number): Promise<Answers> {
  const [lowest, highest] = [people[0], people.at(-1)]
  const answers = new Map<string, Answer>()
  if (!lowest || !highest) return answers
  const names = new Map<string, string>([
    ['turn', String(turn)],
    ['tomorrow', new Date(Date.now() + dayMs).toISOString()],
  ])
  const named = (value: string) => value.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names.get(name) ?? whole)
  for (const [index, { by, method, path, body, saves = {} }] of writes.entries()) {
    const person = by === 'lowest' ? lowest : highest
    const ids = new Map<string, Set<string>>()
    const content = body && named(JSON.stringify(body))
    const answer = await ask(url + prefix + named(path), person, ids, { method, ...(content === undefined ? {} : { body: content }) })
    for (const [name, members] of Object.entries(saves)) {
      const [id, second] = members.flatMap((member) => [...(ids.get(member.toLowerCase()) ?? [])])
      if (id === undefined || names.has(name)) continue
      names.set(name, id)
      if (second !== undefined) names.set(`${name}2`, second)
    }
    if (method !== 'GET') answers.set(`${person.username} ${method} ${prefix}${path} (write ${index + 1})`, answer)
  }
  return answers
}
