// One of everything that has an id, in every state that matters to somebody who may not see it: for
// tests that try all routes on all things.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtIn } from '../../src/accounts/rows.ts'
import { imagePath } from '../../src/image/names.ts'
import type { TestNodes } from './app.ts'
import { givenFeedback } from './feedback.ts'
import { block, body, createChat, createSeamail, moderate, people, say, type Person } from './fez.ts'
import { categories, postIn, setState, startForum } from './forum.ts'
import { write } from './microblog.ts'
import { sungSong } from './microkaraoke.ts'
import { streamPhoto } from './photostream.ts'
import { boardItem } from './quartermaster.ts'
import { apply, type Listed } from './schedule.ts'

/** What an id may be the id of. */
const kinds = [
  'user',
  'fez',
  'fezPost',
  'personalEvent',
  'forum',
  'forumPost',
  'microblogPost',
  'category',
  'event',
  'announcement',
  'theme',
  'barrel',
  'session',
  'note',
  'report',
  'boardgame',
  'karaokeSong',
  'mkSong',
  'mkSnippet',
  'call',
  'image',
  'video',
  'scheduleLog',
  'hunt',
  'puzzle',
  'poll',
  'performer',
  'streamPhoto',
  'boardItem',
  'feedback',
  'template',
] as const
export type Kind = (typeof kinds)[number]

/** Ids by the state of what they belong to; `missing` belongs to nothing. */
export type Things = Readonly<Record<Kind, Readonly<Record<string, string>>>>

export interface World {
  /** Has made what is open to everybody. */
  owner: Person
  /** Is in the chats of the owner. */
  member: Person
  /** An ordinary user who is in none of it. */
  stranger: Person
  /** Blocks the stranger. */
  blocker: Person
  /** Has the roles that let somebody look after something. */
  manager: Person
  moderator: Person
  serviceteam: Person
  tho: Person
  admin: Person
  things: Things
}

/** What a parameter of a path is the id of; undefined when it is none. */
export function kindOf(path: string, name: string): Kind | undefined {
  switch (name) {
    case 'user_id':
    case 'userID':
      return 'user'
    case 'fezID':
    case 'fez_id':
      return path.startsWith('/personalevents/') ? 'personalEvent' : 'fez'
    case 'personal_event_id':
      return 'fez'
    case 'forum_id':
      return 'forum'
    case 'category_id':
      return 'category'
    case 'postID':
    case 'post_id':
      return /\/fez/.test(path) ? 'fezPost' : /\/forum/i.test(path) ? 'forumPost' : 'microblogPost'
    case 'event_id':
    case 'event_uid':
      return 'event'
    case 'announcementID':
      return 'announcement'
    case 'themeID':
      return 'theme'
    case 'barrel_id':
      return 'barrel'
    case 'session_id':
      return 'session'
    case 'report_id':
      return 'report'
    case 'boardgame_id':
      return 'boardgame'
    case 'song_id':
      return 'karaokeSong'
    case 'micro_karaoke_song_id':
      return 'mkSong'
    case 'micro_karaoke_snippet_id':
      return 'mkSnippet'
    case 'callID':
      return 'call'
    case 'image_filename':
      return 'image'
    case 'filename':
      return 'video'
    case 'schedule_log_id':
      return 'scheduleLog'
    case 'hunt_id':
      return 'hunt'
    case 'puzzle_id':
      return 'puzzle'
    case 'poll_id':
      return 'poll'
    case 'performer_id':
      return 'performer'
    case 'stream_photoID':
      return 'streamPhoto'
    case 'item_id':
      return 'boardItem'
    case 'feedback_id':
      return 'feedback'
    case 'template_id':
      return 'template'
    default:
      return undefined
  }
}

/** States of things that the stranger must not be able to tell from `missing`. */
export function hiddenStatesOf(path: string, kind: Kind): readonly string[] {
  // Pictures of users are for everybody who knows an id, as are those in posts.
  if (path.startsWith('/image/user/')) return []
  // Somebody in a block with the caller can be blocked back, and reported: whoever has the id knows already that it is one.
  if (/^\/users\/:\w+\/(block|report)$/.test(path)) return []
  return hiddenStates[kind] ?? []
}

const hiddenStates: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  user: ['blocked'],
  fez: ['secret', 'blocked', 'deleted'],
  personalEvent: ['other', 'blocked', 'deleted', 'chat'],
  fezPost: ['secret', 'blocked', 'deleted', 'inDeleted'],
  forum: ['restricted', 'role', 'deleted'],
  forumPost: ['restricted', 'role', 'blocked', 'deleted', 'inDeleted'],
  microblogPost: ['blocked', 'deleted'],
  category: ['restricted', 'role'],
  event: ['deleted'],
  mkSong: ['unapproved', 'building'],
  call: ['others'],
  puzzle: ['locked'],
  poll: ['secret', 'blocked', 'deleted'],
  performer: ['deleted'],
  streamPhoto: ['blocked', 'deleted'],
  boardItem: ['blocked', 'deleted'],
}

const missingUuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const missingInt = '2000000001'

/** Makes all of it anew, with people of its own; of things only what is wanted, and what comes with that. */
export async function buildWorld(nodes: TestNodes, wanted: readonly Kind[] = kinds): Promise<World> {
  const levels = ['moderator', 'serviceteam', 'tho', 'admin', 'banned', 'quarantined'] as const
  const [owner, member, stranger, blocker, manager, moderator, serviceteam, tho, admin, banned, quarantined] = (await people(
    nodes,
    {},
    {},
    {},
    {},
    { roles: ['shutternaut', 'shutternautmanager', 'karaokemanager'] },
    ...levels.map((level) => ({ level })),
  )) as [Person, Person, Person, Person, Person, Person, Person, Person, Person, Person, Person]
  await block(blocker, stranger)
  const cast = { owner, member, stranger, blocker, manager, moderator, serviceteam, tho, admin }
  const missing = missingUuid
  const when = <T>(of: readonly Kind[], make: () => T) => (of.some((kind) => wanted.includes(kind)) ? make() : undefined)
  const parts = await Promise.all([
    when(['fez', 'fezPost'], () => makeChats(nodes, cast)),
    when(['personalEvent'], () => makePersonalEvents(cast)),
    when(['category', 'forum', 'forumPost'], () => makeForums(nodes, cast)),
    when(['microblogPost'], () => makeMicroblog(nodes, cast)),
    when(['hunt', 'puzzle'], () => makeHunt(nodes)),
    when(['poll'], () => makePolls(cast)),
    when(['performer'], () => makePerformers(nodes)),
    when(['streamPhoto'], () => makePhotos(nodes, cast)),
    when(['boardItem'], () => makeBoardItems(nodes, cast)),
    when(['template'], async () => ({
      template: {
        other: (await body(moderator.one.post('/mod/templates', { title: 'A letter', content: 'Hello' }), 201)).templateID,
        missing,
      },
    })),
    when(['feedback'], async () => ({ feedback: { other: await givenFeedback(nodes, owner), missing } })),
    when(
      [
        'event',
        'announcement',
        'theme',
        'barrel',
        'session',
        'note',
        'report',
        'boardgame',
        'karaokeSong',
        'mkSong',
        'mkSnippet',
        'call',
        'scheduleLog',
      ],
      () => makeRest(nodes, cast),
    ),
  ])
  const things = Object.assign(
    {
      user: {
        other: owner.id,
        blocked: blocker.id,
        banned: banned.id,
        quarantined: quarantined.id,
        moderator: moderator.id,
        serviceteam: serviceteam.id,
        tho: tho.id,
        admin: admin.id,
        special: builtIn.admin,
        missing,
      },
      image: { ...storeImages(nodes), missing: `${missing.toUpperCase()}.png` },
      video: { missing: `${missing}.mp4` },
    },
    ...parts,
  ) as Things
  return { ...cast, things }
}

type Cast = Omit<World, 'things'>

async function makeChats(
  nodes: TestNodes,
  { owner, member, stranger, blocker, moderator }: Cast,
): Promise<Pick<Things, 'fez' | 'fezPost'>> {
  const [own, other, secret, blocked, deleted, quarantined] = (await Promise.all([
    createChat(stranger.one),
    createChat(owner.one),
    createSeamail(owner.one, [member]),
    createChat(blocker.one),
    createChat(owner.one),
    createChat(owner.one),
  ])) as [string, string, string, string, string, string]
  const [inOther, inSecret, inBlocked, inDeleted, gone] = await Promise.all([
    say(owner.one, other, 'a post'),
    say(owner.one, secret, 'a letter'),
    say(blocker.one, blocked, 'a post'),
    say(owner.one, deleted, 'a post'),
    say(owner.one, quarantined, 'a post'),
  ])
  await Promise.all([
    body(moderator.one.post(`/fez/${deleted}/delete`), 204),
    body(owner.one.post(`/fez/post/${gone}/delete`), 204),
    moderate(nodes, quarantined, 'quarantined'),
  ])
  return {
    fez: { own, other, secret, blocked, deleted, quarantined, missing: missingUuid },
    fezPost: texts({ other: inOther, secret: inSecret, blocked: inBlocked, deleted: gone, inDeleted }),
  }
}

async function makePersonalEvents({ owner, stranger, blocker, moderator }: Cast): Promise<Pick<Things, 'personalEvent'>> {
  const event = async (by: Person, participants: readonly Person[] = []): Promise<string> => {
    const times = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' }
    const content = { title: 'An event', description: 'About it', ...times, participants: participants.map(({ id }) => id) }
    return (await body(by.one.post('/personalevents/create', content), 201)).personalEventID
  }
  const [own, joined, other, blocked, deleted, chat] = await Promise.all([
    event(stranger),
    event(owner, [stranger]),
    event(owner),
    event(blocker),
    event(stranger),
    createChat(stranger.one),
  ])
  await body(moderator.one.post(`/fez/${deleted}/delete`), 204)
  return { personalEvent: { own, joined, other, blocked, deleted, chat, missing: missingUuid } }
}

async function makeForums(
  nodes: TestNodes,
  { owner, blocker, moderator, manager }: Cast,
): Promise<Pick<Things, 'category' | 'forum' | 'forumPost'>> {
  const [other, blocked, deleted, restricted, role, quarantined, locked] = await Promise.all([
    startForum(owner.one, 'Open'),
    startForum(blocker.one, 'Blocked'),
    startForum(owner.one, 'Deleted'),
    startForum(moderator.one, 'Restricted', { category: categories.moderatorsOnly }),
    startForum(manager.one, 'Role', { category: categories.shutternauts }),
    startForum(owner.one, 'Quarantined'),
    startForum(owner.one, 'Locked'),
  ])
  const [byBlocker, gone] = await Promise.all([postIn(blocker.one, other.forumID, 'hello'), postIn(owner.one, other.forumID, 'going')])
  await body(moderator.one.post(`/forum/${deleted.forumID}/delete`), 204)
  await body(owner.one.post(`/forum/post/${gone}/delete`), 204)
  await Promise.all([
    setState(nodes, 'forum', quarantined.forumID, 'quarantined'),
    setState(nodes, 'forum_post', quarantined.postID, 'quarantined'),
    setState(nodes, 'forum', locked.forumID, 'locked'),
  ])
  return {
    category: { other: categories.general, restricted: categories.moderatorsOnly, role: categories.shutternauts, missing: missingUuid },
    forum: {
      other: other.forumID,
      blocked: blocked.forumID,
      deleted: deleted.forumID,
      restricted: restricted.forumID,
      role: role.forumID,
      quarantined: quarantined.forumID,
      locked: locked.forumID,
      missing: missingUuid,
    },
    forumPost: texts({
      other: other.postID,
      blocked: byBlocker,
      inBlocked: blocked.postID,
      deleted: gone,
      inDeleted: deleted.postID,
      restricted: restricted.postID,
      role: role.postID,
      quarantined: quarantined.postID,
      inLocked: locked.postID,
    }),
  }
}

async function makeMicroblog(nodes: TestNodes, { owner, blocker }: Cast): Promise<Pick<Things, 'microblogPost'>> {
  const [other, blocked, deleted, quarantined] = await Promise.all([
    write(owner.one, 'a post #tag'),
    write(blocker.one, 'a post'),
    write(owner.one, 'a post'),
    write(owner.one, 'a post'),
  ])
  await body(owner.one.post(`/microblog/${deleted}/delete`), 204)
  await nodes.sql`update microblog_post set moderation_status = 'quarantined' where id = ${quarantined}`
  return { microblogPost: texts({ other, blocked, deleted, quarantined }) }
}

async function makeRest(
  nodes: TestNodes,
  { owner, member, stranger, blocker, tho, admin }: Cast,
): Promise<
  Omit<
    Things,
    | 'user'
    | 'personalEvent'
    | 'fez'
    | 'fezPost'
    | 'category'
    | 'forum'
    | 'forumPost'
    | 'microblogPost'
    | 'image'
    | 'video'
    | 'hunt'
    | 'puzzle'
    | 'poll'
    | 'performer'
    | 'streamPhoto'
    | 'boardItem'
    | 'feedback'
    | 'template'
  >
> {
  const missing = missingUuid
  const barrel = async ({ one }: Person) =>
    (await body(one.post('/user/barrel', { name: 'A barrel', uuidList: [member.id] }), 201)).barrelID as string
  const [event, [other, own], note, [announcement], theme, report, [game], [song]] = await Promise.all([
    makeEvents(nodes, admin),
    Promise.all([barrel(owner), barrel(stranger)]),
    body(owner.one.post(`/users/${member.id}/note`, { note: 'a note' }), 201),
    nodes.sql<[{ id: number }]>`
      insert into announcement (author_id, text, display_until, created_at, updated_at) values (${tho.id}, 'Hear', now() + interval '1 hour', now(), now()) returning id`,
    makeTheme(nodes),
    makeReport(nodes, owner, member),
    nodes.sql<[{ id: string }]>`select id from boardgame limit 1`,
    nodes.sql<[{ id: string }]>`select id from karaoke_song limit 1`,
  ])
  const [approved, unapproved, building] = await Promise.all([
    sungSong(nodes, [owner.id, blocker.id], { approved: true }),
    sungSong(nodes, [owner.id]),
    sungSong(nodes, [owner.id]),
  ])
  const session = async ({ id }: Person) => {
    const [row] = await nodes.sql<[{ id: string }]>`
      insert into browser_session values (${randomUUID()}, ${id}, ${randomBytes(32)}, 'Firefox on Linux', now(), now(), now() + interval '1 day') returning id`
    return row
  }
  const [ownSession, othersSession] = await Promise.all([session(stranger), session(owner)])
  await nodes.sql`update mk_song set is_complete = false where id = ${building.songID}`
  const [log] = await nodes.sql<
    [{ id: number }]
  >`insert into schedule_log (automatic, change_count, created_at) values (true, 0, now()) returning id`
  return {
    event,
    announcement: texts({ other: announcement.id }),
    theme: { other: theme, missing },
    barrel: { own: own as string, other: other as string, missing },
    session: { own: ownSession.id, other: othersSession.id, missing },
    note: { other: note.noteID as string, missing },
    report: { other: report, missing },
    boardgame: { other: game.id, missing },
    karaokeSong: { other: song.id, missing },
    mkSong: texts({ other: approved.songID, unapproved: unapproved.songID, building: building.songID }),
    mkSnippet: {
      other: approved.snippetIDs[0] as string,
      blocked: approved.snippetIDs[1] as string,
      unapproved: unapproved.snippetIDs[0] as string,
      missing,
    },
    call: { others: randomUUID(), missing },
    scheduleLog: texts({ other: log.id }),
  }
}

async function makeEvents(nodes: TestNodes, admin: Person): Promise<Record<string, string>> {
  const [uid, goneUid] = [randomUUID(), randomUUID()]
  const event = (each: string): Listed => ({ uid: each, title: 'An event', start: '2025-03-03T13:00:00Z', end: '2025-03-03T14:00:00Z' })
  await apply(admin, [event(uid), event(goneUid)], { deletes: false, posts: true })
  // Those of other worlds stay.
  const others = await nodes.sql<
    { uid: string }[]
  >`select uid from event where title = 'An event' and deleted_at is null and uid not in ${nodes.sql([uid, goneUid])}`
  await apply(admin, [uid, ...others.map((other) => other.uid)].map(event))
  const rows = await nodes.sql<{ id: string; uid: string }[]>`select id, uid from event where uid in ${nodes.sql([uid, goneUid])}`
  const idOf = (wanted: string) => rows.find((row) => row.uid === wanted)?.id as string
  return { other: idOf(uid), deleted: idOf(goneUid), missing: missingUuid }
}

async function makePhotos(nodes: TestNodes, { owner, blocker }: Cast): Promise<Pick<Things, 'streamPhoto'>> {
  const [other, blocked, deleted, quarantined] = await Promise.all([
    streamPhoto(nodes, owner),
    streamPhoto(nodes, blocker),
    streamPhoto(nodes, owner),
    streamPhoto(nodes, owner),
  ])
  await nodes.sql`update stream_photo set deleted_at = now() where id = ${deleted}`
  await nodes.sql`update stream_photo set moderation_status = 'quarantined' where id = ${quarantined}`
  return { streamPhoto: texts({ other, blocked, deleted, quarantined }) }
}

async function makeBoardItems(nodes: TestNodes, { owner, blocker }: Cast): Promise<Pick<Things, 'boardItem'>> {
  const [other, blocked, deleted, quarantined] = await Promise.all([owner, blocker, owner, owner].map((person) => boardItem(person.one)))
  await nodes.sql`update quartermaster_item set deleted_at = now() where id = ${deleted as string}`
  await nodes.sql`update quartermaster_item set moderation_status = 'quarantined' where id = ${quarantined as string}`
  return { boardItem: { other, blocked, deleted, quarantined, missing: missingUuid } as Record<string, string> }
}

async function makePolls({ owner, member, blocker }: Cast): Promise<Pick<Things, 'poll'>> {
  const ask = async ({ one }: Person, more: object = { place: 'microblog' }) =>
    await body(one.post('/poll/create', { question: 'Which?', choices: ['This', 'That'], ...more }), 201)
  const placeID = await createSeamail(owner.one, [member])
  const [other, secret, blocked, deleted] = await Promise.all([ask(owner), ask(owner, { place: 'fez', placeID }), ask(blocker), ask(owner)])
  await body(owner.one.post(`/microblog/${deleted.postID}/delete`), 204)
  return { poll: { other: other.pollID, secret: secret.pollID, blocked: blocked.pollID, deleted: deleted.pollID, missing: missingUuid } }
}

async function makeHunt(nodes: TestNodes): Promise<Pick<Things, 'hunt' | 'puzzle'>> {
  const [hunt] = await nodes.sql<
    [{ id: string }]
  >`insert into hunt (id, title, description) values (gen_random_uuid(), 'A hunt', '') returning id`
  const puzzle = async (position: number, unlockTime: string | null) => {
    const [row] = await nodes.sql<[{ id: string }]>`
      insert into hunt_puzzle (id, hunt_id, position, title, body, answer, answer_key, hints, unlock_time)
      values (gen_random_uuid(), ${hunt.id}, ${position}, 'A puzzle', '', 'An answer', 'ANANSWER', '{}', ${unlockTime}) returning id`
    return row.id
  }
  const [other, locked] = await Promise.all([puzzle(1, null), puzzle(2, '2999-01-01T00:00:00Z')])
  return { hunt: { other: hunt.id, missing: missingUuid }, puzzle: { other, locked, missing: missingUuid } }
}

async function makePerformers(nodes: TestNodes): Promise<Pick<Things, 'performer'>> {
  const performer = async (deletedAt: string | null) => {
    const [row] = await nodes.sql<[{ id: string }]>`
      insert into performer (id, is_official, name, sort_key, years_attended, alternative_names, created_at, updated_at, deleted_at)
      values (gen_random_uuid(), true, 'A performer', 'performer', '{}', '{}', now(), now(), ${deletedAt}) returning id`
    return row.id
  }
  const [other, deleted] = await Promise.all([performer(null), performer('2025-01-01T00:00:00Z')])
  return { performer: { other, deleted, missing: missingUuid } }
}

async function makeTheme(nodes: TestNodes): Promise<string> {
  const [row] = await nodes.sql<[{ id: string }]>`
    insert into daily_theme (id, title, info, cruise_day) values (gen_random_uuid(), 'A theme', 'Its text', 1)
    on conflict (cruise_day) do update set title = excluded.title returning id`
  return row.id
}

async function makeReport(nodes: TestNodes, owner: Person, reported: Person): Promise<string> {
  await body(owner.one.post(`/users/${reported.id}/report`, { message: 'a report' }), 201)
  const [row] = await nodes.sql<[{ id: string }]>`select id from report where reported_user_id = ${reported.id}`
  return row.id
}

function storeImages({ config }: TestNodes): Record<string, string> {
  const [other, archived] = [randomUUID(), randomUUID()].map((id) => `${id.toUpperCase()}.png`) as [string, string]
  for (const [size, name] of [
    ['full', other],
    ['thumb', other],
    ['archive', archived],
  ] as const) {
    const path = join(config.imagesDir, imagePath(size, name))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'a picture')
  }
  return { other, archived }
}

const texts = (ids: Record<string, number>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(ids).map(([state, id]) => [state, String(id)])),
  missing: missingInt,
})
