// Sample content: chats between the demo users, their forum posts and their public posts.
import { DateTime } from 'luxon'
import { builtIn } from '../src/accounts/rows.ts'
import type { Config } from '../src/core/base/config.ts'
import type { Sql } from '../src/core/db/db.ts'
import { openStore } from '../src/core/files/open-store.ts'
import type { FileStore } from '../src/core/files/store.ts'
import { upsertFeedback } from '../src/feedback/queries.ts'
import { hasNoHunts, insertHunt, insertPuzzles } from '../src/hunts/queries.ts'
import type { HuntPuzzleCreateData } from '../src/hunts/schemas.ts'
import { puzzleRow } from '../src/hunts/service.ts'
import { beginReplyGroups, hasNoPosts, insertPosts } from '../src/microblog/queries.ts'
import { hasNoPhotos, insertPhoto } from '../src/photostream/queries.ts'
import type { PhotoStreamBoatLocation } from '../src/photostream/types.ts'
import { contentOf } from '../src/post/authors.service.ts'
import { hasNoPerformers, insertLinksByUid, lockPerformers, upsertPerformers } from '../src/performers/queries.ts'
import { profileOf } from '../src/performers/rules.ts'
import type { PerformerRow } from '../src/performers/rows.ts'
import { demoUsers } from './accounts.ts'
import { sizesOf } from '../src/image/sizes.ts'
import { writePicture, type Scene } from './pictures.ts'
import { insertDemoChat, insertDemoPhotographers, selectFirstShadowEvent, type DemoChat } from './queries.ts'

const { james, heidi, sam, verified } = demoUsers

/** Writes the demo chats that are missing, feedback, posts while the microblog is empty, a hunt, performers and photos while there are none. */
export async function seedDemo(sql: Sql, config: Config, now: Date): Promise<void> {
  for (const chat of demoChats(config.portTimeZone, now)) await insertDemoChat(sql, chat, now)
  if (await hasNoPosts(sql)) await writeDemoPosts(sql, now)
  if (await hasNoHunts(sql)) await writeDemoHunt(sql, config.portTimeZone, now)
  if (await hasNoPerformers(sql)) await writeDemoPerformers(sql, Number(config.startDate.slice(0, 4)), now)
  await writeDemoFeedback(sql, now)
  if (!(await hasNoPhotos(sql))) return
  const store = await openStore(config)
  try {
    await writeDemoPhotos(sql, store, now)
  } finally {
    store.close()
  }
}

async function writeDemoPosts(sql: Sql, now: Date): Promise<void> {
  const write = async (authorId: string, minutesAgo: number, text: string, replyGroup: number | null = null) => {
    const createdAt = new Date(now.getTime() - minutesAgo * 60_000)
    const [id] = await insertPosts(sql, [
      { authorId, realAuthorId: authorId, ...contentOf(text), images: [], imageSizes: null, replyGroup, createdAt },
    ])
    return id as number
  }
  await write(builtIn.admin, 240, 'Welcome aboard! Everything you write here can be read by everybody.')
  const question = await write(heidi, 95, 'Has anybody seen dolphins yet? #dolphins')
  await beginReplyGroups(sql, [question])
  await write(sam, 93, 'Three of them at breakfast, port side! #dolphins', question)
  await write(heidi, 90, 'I was asleep. Of course.', question)
  await write(james, 30, 'A seat is free at the card table in the library, seven in the evening. #games')
}

async function writeDemoFeedback(sql: Sql, now: Date): Promise<void> {
  const event = await selectFirstShadowEvent(sql)
  if (!event) return
  const feedback = {
    id: '00000000-0000-4000-8000-000000000501',
    authorId: heidi,
    eventId: event.id,
    eventTitle: event.title,
    eventLocation: event.location,
    eventTime: event.startTime,
    hostName: 'Heidi',
    attendance: 'About twenty, most of them awake',
    recap: 'We stretched, we laughed, nobody fell over.',
    issues: 'The sun is in everybody’s eyes at that hour. Could we face the other way?',
  }
  await upsertFeedback(sql, feedback, now)
}

async function writeDemoPhotos(sql: Sql, store: FileStore, now: Date): Promise<void> {
  const photos: [authorId: string, minutesAgo: number, location: PhotoStreamBoatLocation, scene: Scene][] = [
    [james, 300, 'Ashore', 'mountains'],
    [heidi, 180, 'Main Stage', 'stage'],
    [sam, 75, 'On Boat', 'sunset'],
  ]
  for (const [index, [authorId, minutesAgo, location, scene]] of photos.entries()) {
    const image = `00000000-0000-4000-8000-00000000040${index}.png`
    const imageSizes = sizesOf([await writePicture(store, image, scene)])
    await insertPhoto(sql, {
      authorId,
      image,
      imageSizes,
      createdAt: new Date(now.getTime() - minutesAgo * 60_000),
      eventId: null,
      location,
    })
  }
}

async function writeDemoHunt(sql: Sql, portZone: string, now: Date): Promise<void> {
  const hunt = {
    id: '00000000-0000-4000-8000-000000000301',
    title: 'The missing lifebuoy',
    description: 'Somebody has taken the lifebuoy from the *aft deck*. Three puzzles lead to it; the last one opens tomorrow at noon.',
  }
  const puzzles: HuntPuzzleCreateData[] = [
    {
      title: 'Four bearings',
      body: 'Head **E**ast, then **A**stern, then **S**tarboard, then **T**urn round. Read only what stands out.',
      answer: 'East',
      hints: { west: 'The other way.', north: 'A quarter turn too far.' },
    },
    {
      title: 'Breakfast',
      body: 'I have a shell and never swim, I am broken before I am used. Two of me come with toast.',
      answer: 'Eggs',
      hints: { egg: 'There are two of me.', nut: 'Not at breakfast.', oyster: 'That one is at sea.' },
    },
    {
      title: 'Where it hangs',
      body: 'Take what you found in puzzle one, and the deck whose number is said to be lucky.',
      answer: 'East side, seven',
      hints: { 'east side': 'On which deck?' },
      unlockTime: DateTime.fromJSDate(now, { zone: portZone }).plus({ days: 1 }).startOf('day').set({ hour: 12 }).toJSDate(),
    },
  ]
  await insertHunt(sql, hunt)
  const id = (index: number) => `00000000-0000-4000-8000-00000000031${index}`
  await insertPuzzles(
    sql,
    puzzles.map((puzzle, index) => puzzleRow(id(index), hunt.id, puzzle)),
  )
}

/** Events of the sample schedule, by their uids. */
const events = {
  openingNight: 'd18fe329197027bcf84f50ca6a8a39c6',
  stretches: '1a5cbe8fedf6bc7b047d596dbad13457',
  panel: '7c2eeec619fb3929c1fbf3cd135017ca',
  lighthouses: 'effc02c7d80fc94c34081fe4323465cb',
  lookingUp: '95c6e3ee88c5e00808f57d8cddedcadb',
  gulls: '031eb96a9f0a843f5dcfa4fcb8cafee9',
}

async function writeDemoPerformers(sql: Sql, year: number, now: Date): Promise<void> {
  const performers: (Pick<PerformerRow, 'name'> & Partial<PerformerRow> & { at: string[] })[] = [
    {
      name: 'The Bilge Pumps',
      bio: 'Five people, two accordions and **one** very large drum. They have opened every trip since the first.',
      title: 'House band',
      website: 'https://bilge-pumps.example',
      yearsAttended: [year - 2, year - 1, year],
      at: [events.openingNight, events.panel],
    },
    {
      name: 'Edda Fathom',
      pronouns: 'she/her',
      bio: 'Edda reads what keepers of lighthouses wrote when the weather was bad.',
      organization: 'Society of Lamplighters',
      yearsAttended: [year],
      at: [events.lighthouses, events.panel],
    },
    { name: 'Gale Mercer', pronouns: 'they/them', bio: 'Half of a podcast about birds at sea.', yearsAttended: [year], at: [events.gulls] },
    { name: 'Heidi', accountId: heidi, bio: 'No experience needed. Bring a towel.', yearsAttended: [year], at: [events.stretches] },
    { name: 'Sam Stargazer', accountId: sam, bio: 'I have a small telescope and a thermos.', yearsAttended: [], at: [events.lookingUp] },
  ]
  const rows = performers.map(({ name, accountId = null, yearsAttended = [], at: _at, ...profile }, index) => ({
    id: `00000000-0000-4000-8000-00000000040${index}`,
    accountId,
    isOfficial: accountId === null,
    name,
    photo: null,
    ...profileOf(profile),
    yearsAttended,
    alternativeNames: [],
  }))
  await lockPerformers(sql)
  await upsertPerformers(sql, rows, now)
  await insertLinksByUid(
    sql,
    performers.flatMap(({ at }, index) => at.map((uid) => ({ performerId: (rows[index] as PerformerRow).id, uid }))),
  )
  await insertDemoPhotographers(
    sql,
    { managerId: heidi, photographerId: james, wanted: [events.openingNight, events.lookingUp], claimed: events.lookingUp },
    now,
  )
}

function demoChats(portZone: string, now: Date): DemoChat[] {
  const tomorrow = (hour: number) => DateTime.fromJSDate(now, { zone: portZone }).plus({ days: 1 }).startOf('day').set({ hour }).toJSDate()
  return [
    {
      id: '00000000-0000-4000-8000-000000000201',
      type: 'gaming',
      title: 'Three-player card game in the library',
      info: 'I bring the cards and teach the rules. Beginners are welcome; we play two rounds.',
      location: 'Library, deck 5',
      startTime: tomorrow(19),
      endTime: tomorrow(21),
      maxCapacity: 3,
      memberIds: [james, verified, heidi, sam],
      posts: [
        { authorId: james, text: 'The table by the window is ours from seven.', minutesAgo: 90 },
        { authorId: heidi, text: 'Never played it before, hope that is all right.', minutesAgo: 64 },
        { authorId: james, text: 'It is easy, you will be fine after one hand.', minutesAgo: 62 },
        { authorId: sam, text: 'I am first in the queue if somebody cannot make it!', minutesAgo: 12 },
      ],
    },
    {
      id: '00000000-0000-4000-8000-000000000202',
      type: 'dining',
      title: 'Late breakfast for people who slept in',
      info: 'Pancakes, coffee, no hurry.',
      location: 'Lido buffet',
      startTime: tomorrow(10),
      endTime: tomorrow(11),
      maxCapacity: 6,
      memberIds: [heidi, verified],
      posts: [{ authorId: heidi, text: 'Look for the person with the very large mug.', minutesAgo: 45 }],
    },
    {
      id: '00000000-0000-4000-8000-000000000203',
      type: 'closed',
      title: 'Costume for the last evening',
      info: '',
      location: null,
      startTime: null,
      endTime: null,
      maxCapacity: 0,
      memberIds: [heidi, sam],
      posts: [
        { authorId: heidi, text: 'Did you bring the silver paint?', minutesAgo: 40 },
        { authorId: sam, text: 'Two cans. And glitter, a lot of glitter.', minutesAgo: 38 },
        { authorId: heidi, text: 'Perfect. Meet at the aft stairs after dinner?', minutesAgo: 35 },
        { authorId: sam, text: 'Half past eight. I will be the one who glitters.', minutesAgo: 33 },
        { authorId: heidi, text: 'See you there.', minutesAgo: 5 },
      ],
    },
  ]
}
