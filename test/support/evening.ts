// An evening aboard, for pictures of the app and for looking at it: people with faces, chats with something new, groups,
// forums, a schedule around now.
import sharp from 'sharp'
import type { TestNodes } from './app.ts'
import { testFeatures } from './features.ts'
import { body, createChat, createSeamail, people, say, type Person } from './fez.ts'
import { startForum } from './forum.ts'
import { apply, type Listed } from './schedule.ts'
import { until } from './until.ts'

export interface Evening {
  /** Whose browser is looked at. */
  readonly heidi: Person
  readonly sam: Person
  /** Of the seamail, the group, the forum, the event and a post of the microblog. */
  readonly ids: Readonly<Record<'seamail' | 'group' | 'forum' | 'event' | 'post' | 'barrel', string>>
  /** Pages of what else is there, by name. */
  readonly pages: Readonly<Record<string, string>>
}

const minute = 60_000
const hour = 60 * minute

/** Plays it; times are around `now`. */
export async function anEvening(nodes: TestNodes, now = Date.now()): Promise<Evening> {
  const at = (offset: number) => new Date(Math.round((now + offset) / (15 * minute)) * 15 * minute).toISOString()
  const wanted = [
    { username: 'heidi.berg', displayName: 'Heidi' },
    { username: 'sam.okoro', displayName: 'Sam' },
    { username: 'mara.v', displayName: 'Mara Vance' },
    { username: 'otto.lind', displayName: 'Otto Lind' },
    { username: 'kim.tanaka', displayName: 'Kim' },
    { username: 'thecaptain', displayName: 'Captain Ada', level: 'serviceteam' as const },
  ]
  const [heidi, sam, mara, otto, kim, captain] = (await people(nodes, ...wanted)) as [Person, Person, Person, Person, Person, Person]
  const admin = { ...(await people(nodes, { level: 'admin' })).at(0) } as Person
  await Promise.all(
    [sam, mara, otto].map(async (person, index) => {
      const image = await drawing(['#c96f4a', '#3f7f8c', '#6f5f9c'][index] as string, index)
      const send = () => person.one.post('/user/image', { image: image.toString('base64') })
      // The worker may still be on its way.
      await until(async () => (await send()).status === 200, 'pictures are processed', 60_000)
    }),
  )
  const events: Listed[] = [
    ['Trivia: maps and charts', 'Crow’s Nest, Deck 10', -30, 30],
    ['Knots for beginners', 'Aft deck', 45, 105],
    ['Dinner, first seating', 'Main dining room', 60, 150],
    ['Concert: The Long Swell', 'Main stage', 150, 240],
    ['Board games until late', 'Card room, Deck 4', 180, 420],
    ['Star gazing with the second mate', 'Sun deck', 260, 330],
    ['Morning yoga', 'Spa deck', 760, 820],
    ['Watercolours: clouds', 'Atelier', 900, 1020],
  ].map(([title, location, from, to], index) => ({
    uid: `evening-${index}`,
    title: String(title),
    location: String(location),
    description: 'Bring a friend. Everybody is welcome, no need to sign up.',
    category: index === 3 ? 'MAIN CONCERT' : 'GAMING',
    start: at(Number(from) * minute),
    end: at(Number(to) * minute),
  }))
  await apply(admin, events, { posts: true })
  const listed = (await body(heidi.one.get('/events'))) as { eventID: string; title: string }[]
  const idOf = (title: string) => listed.find((event) => event.title.startsWith(title))?.eventID as string
  for (const title of ['Knots', 'Dinner', 'Concert']) await body(heidi.one.post(`/events/${idOf(title)}/favorite`), 201)

  await body(
    captain.one.post('/notification/announcement/create', {
      text: 'Clocks go back one hour tonight at 2:00. Ship time is what counts.',
      displayUntil: at(8 * hour),
    }),
    201,
  )

  const seamail = await createSeamail(heidi.one, [sam, mara], { title: 'Dinner plans' })
  for (const [who, text] of [
    [heidi, 'Shall we all eat together tonight?'],
    [sam, 'Yes! The first seating has a table for five by the window.'],
    [mara, 'I am in. Otto would come, too, if there is room.'],
    [heidi, 'There is. I will ask at the desk.'],
    [sam, 'Great. See https://example.com/menu, they have the lemon tart again.'],
  ] as const)
    await say(who.one, seamail, text)
  const group = await createChat(sam.one, {
    title: 'Cards at nine',
    info: 'We play Hearts and whatever else is on the shelf. Beginners are welcome.',
    location: 'Card room, Deck 4',
    startTime: at(3 * hour),
    endTime: at(5 * hour),
    minCapacity: 3,
    maxCapacity: 4,
  })
  for (const person of [heidi, otto]) await body(person.one.post(`/fez/${group}/join`), 201)
  await say(otto.one, group, 'I bring the long deck.')
  for (const [title, fezType] of [
    ['Shore walk: old town', 'shore'],
    ['Ukulele circle', 'music'],
    ['Vegan table', 'dining'],
  ])
    await createChat(mara.one, {
      title,
      fezType,
      info: 'Come along',
      location: 'Meet at the gangway',
      startTime: at(20 * hour),
      endTime: at(22 * hour),
      maxCapacity: 8,
    })

  const forum = await startForum(mara.one, 'Whales, dolphins and birds')
  const photo = await drawing('#2f6f8f', 5, 1200, 800)
  const posts: [Person, string, Buffer?][] = [
    [mara, 'Three humpbacks off the port side just now, heading north.'],
    [otto, 'Got one of them! #whales', photo],
    [kim, '@heidi.berg did you see the gannets this morning?'],
  ]
  for (const [who, text, picture] of posts)
    await body(
      who.one.post(`/forum/${forum.forumID}/create`, { text, images: picture ? [{ image: picture.toString('base64') }] : [] }),
      201,
    )
  const { posts: said } = await body(mara.one.get(`/forum/${forum.forumID}?start=0`))
  await body(mara.one.post(`/forum/post/${said[0].postID}/pin`), 201)
  for (const [who, reaction] of [
    [sam, 'love'],
    [kim, 'like'],
    [heidi, 'like'],
  ] as const)
    await body(who.one.post(`/forum/post/${said[1].postID}/${reaction}`))
  await body(
    otto.one.post(`/forum/${forum.forumID}/create`, {
      text: `> @${mara.username}: Three humpbacks off the port side just now, heading north.\nStill there, a bit behind us.`,
      images: [],
    }),
    201,
  )
  for (const title of ['Lost and found', 'Swap: cabin snacks', 'Which deck is the quietest?']) await startForum(kim.one, title)
  await body(heidi.one.post(`/forum/${forum.forumID}/favorite`), 201)

  const tweets: number[] = []
  for (const [who, text] of [
    [kim, 'The library on deck 5 has a reading nook with a porthole. That is all. #quietplaces'],
    [sam, 'Whoever left a ukulele in the Crow’s Nest: it is safe with me.'],
    [mara, 'Green flash at sunset! @heidi.berg you would have loved it.'],
  ] as const)
    tweets.push((await body(who.one.post('/microblog/create', { text, images: [] }), 201)).twarrtID)
  const post = tweets[0] as number
  await body(heidi.one.post(`/microblog/${post}/love`))
  await body(sam.one.post(`/microblog/${post}/like`))
  await body(sam.one.post(`/microblog/${post}/reply`, { text: 'And a blanket!', images: [] }), 201)
  await body(sam.one.post(`/users/${heidi.id}/favorite`), 201)
  await body(heidi.one.post(`/users/${sam.id}/favorite`), 201)
  await body(
    mara.one.post('/user/profile', {
      realName: 'Mara Vance',
      preferredPronoun: 'she/her',
      homeLocation: 'Bergen',
      roomNumber: '7102',
      email: '',
      about: 'Birds, maps, lemon tart. I run the sketching hour on sea days.',
      message: 'On the aft deck with a sketchbook',
      displayName: 'Mara Vance',
      discordUsername: '',
      dinnerTeam: null,
    }),
  )
  const { barrelID } = await body(heidi.one.post('/user/barrel', { name: 'Table 12', uuidList: [sam.id, mara.id, otto.id] }), 201)
  const guests = { heidi, sam, mara, otto, kim, captain }
  const pages: Record<string, string>[] = []
  // In order: what is newest on the first page stays the same.
  for (const { evening } of testFeatures) if (evening) pages.push(await evening(guests, at))
  return {
    heidi,
    sam,
    pages: Object.assign({}, ...pages) as Record<string, string>,
    ids: {
      seamail,
      group,
      forum: forum.forumID,
      event: idOf('Concert'),
      post: String(post),
      barrel: barrelID,
    },
  }
}

/** A calm picture of hills, of any size. */
export async function drawing(colour: string, turn: number, width = 400, height = 400): Promise<Buffer> {
  const hills = [0.55, 0.7, 0.85]
    .map((top, index) => {
      const y = height * top
      const bend = height * 0.12 * Math.sin(turn + index * 2)
      return `<path d="M0 ${y} Q ${width / 4} ${y - bend} ${width / 2} ${y} T ${width} ${y} V ${height} H 0 Z" fill="#0b2a3a" opacity="${0.25 + index * 0.2}"/>`
    })
    .join('')
  const sun = `<circle cx="${width * 0.7}" cy="${height * 0.32}" r="${height * 0.1}" fill="#ffe9b8"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/>${sun}${hills}</svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer()
}
