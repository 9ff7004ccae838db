// `npm run demo -- --full`: fills a development server as a place is on its third day, so that pages are looked at full: 35 people, a
// week of events, forums, short posts, a chat of 1,500 posts, groups, photos. All of it goes through the API.
import { createClient, QuarterdeckError, type Client, type EventData } from '../src/sdk/client.ts'
import { drawnPicture, sceneNames } from './pictures.ts'

interface Person {
  name: string
  userID: string
  client: Client
}

const names =
  'abel ada anouk bela bruno cleo dario edda emil fenja gustav hanne ida jonas kaja lars lotta malik mira nele oskar pia quint ruben runa sven tilda ugo vera walt xenia yara yuri zoe zuri'
const surnames = 'Holm Berg Lind Maro Vale Dahl Sund Ferrer Nowak Okoye Reyes Sato Weber'.split(' ')
const places = [
  'Lido, Deck 9, Aft',
  'Main stage, Deck 2, Forward',
  'Crow’s nest, Deck 10, Forward',
  'Library, Deck 4, Midship',
  'Card room, Deck 4, Aft',
  'Studio, Deck 3, Midship',
]
const happenings = [
  ['Trivia: flags', 'GAMING'],
  ['Knots for beginners', 'WORKSHOPS'],
  ['Morning stretch', 'SHADOW CRUISE'],
  ['Choir rehearsal', 'CONCERTS'],
  ['Board games, all welcome', 'GAMING'],
  ['Watercolours at the window', 'WORKSHOPS'],
  ['Talk: stars of this latitude', 'Q&A / PANEL'],
  ['Dance of the deck', 'PARTY'],
  ['Reading aloud', 'READING / PERFORMANCE'],
  ['Ask the crew', 'OFFICE HOURS'],
] as const
const openings = ['Has anybody seen', 'I found', 'Who brings', 'Meet me at', 'Today’s best was', 'Nobody told me about', 'Twice now:']
const subjects = [
  'the heron on the mast',
  'the second lemon tart',
  'a deck of cards',
  'the quiet corner aft',
  'the band at noon',
  'the long stairs',
]
const endings = [
  'at sunrise?',
  'again, please.',
  'before dinner.',
  'and it was lovely.',
  'with a friend.',
  '— I am in.',
  'right after the bell.',
]
const threads = ['What did you eat?', 'Lost and found', 'Sunrise club', 'Songs for the last night', 'Cabins that rattle', 'Chess by post']
const groups = [
  'Cards after lunch',
  'A walk on every deck',
  'Learn three chords',
  'Breakfast for early ones',
  'Sketching the harbour',
  'Tea, no talk',
]

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** Numbers that are the same each time: two full places can be compared. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/** Fills the server at an address. Whoever is there already stays; what is written comes again with each call. */
export async function fillPlace(baseUrl: string, say: (line: string) => void): Promise<void> {
  const roll = dice(7)
  const one = <T>(of: readonly T[]): T => of[roll(of.length)] as T
  const sentence = () => `${one(openings)} ${one(subjects)} ${one(endings)}`
  const admin = createClient({ baseUrl })
  await admin.auth.login({ username: 'admin', password: 'password' }, { retries: 0 })

  const people = await inTurns(
    names.split(' '),
    async (name, index) => await signUp(baseUrl, admin, name, surnames[index % surnames.length]),
  )
  say(`${people.length} people`)
  const who = () => one(people)

  const events = await fillSchedule(admin, roll)
  say(`${events.length} events`)
  await inTurns(people, async ({ client }) => {
    for (let count = 0; count < 8; count++) await client.events.favorite({ event_id: one(events).eventID }).catch(ignoreRefusal)
  })

  const category = (await people[0]!.client.forum.categories()).find(({ isRestricted }) => !isRestricted)
  for (const title of threads) {
    const { forumID } = await who().client.forum.create({ category_id: category!.categoryID, title, firstPost: words(sentence()) })
    await inTurns(Array.from({ length: 56 }), async () => {
      const { client } = who()
      const { postID } = await client.forum.post({ forum_id: forumID, ...words(sentence()) })
      if (roll(3) === 0) await who().client.forum.postLike({ post_id: postID }).catch(ignoreRefusal)
    })
  }
  say(`${threads.length} forums`)

  await inTurns(Array.from({ length: 120 }), async () => {
    const { twarrtID } = await who().client.microblog.create(words(`${sentence()} #deck${roll(12)}`))
    if (roll(4) === 0) await who().client.microblog.reply({ post_id: twarrtID, ...words(sentence()) })
    if (roll(2) === 0) await who().client.microblog.love({ post_id: twarrtID }).catch(ignoreRefusal)
  })
  say('120 short posts')

  await fillChats(people, { roll, sentence })
  say('groups, and a chat of 1,500 posts')
  await fillPhotos(admin, people, roll)
  say('71 photos')
}

const words = (text: string) => ({ text, images: [] })

/** Eight at once, in order of their begin. */
async function inTurns<T, R>(all: readonly T[], work: (each: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < all.length; index = next++) results[index] = await work(all[index] as T, index)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return results
}

/** A person's own post cannot be reacted to; somebody may have done something before. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof QuarterdeckError) || error.status >= 500) throw error
}

/** An account that is verified, with a name. */
async function signUp(baseUrl: string, admin: Client, name: string, surname = ''): Promise<Person> {
  const client = createClient({ baseUrl })
  const account = { username: name, password: 'password' }
  const made = await client.user.create(account).catch(ignoreRefusal)
  const { userID } = await client.auth.login(account)
  if (made) {
    await admin.mod.userSetaccesslevel({ user_id: userID, access_level: 'verified' })
    // The level ends what was signed in before.
    await client.auth.login(account)
    await client.user.setProfile({ displayName: `${name[0]!.toUpperCase()}${name.slice(1)} ${surname}` })
  }
  return { name, userID, client }
}

/** A week of events from the first day of the trip on. */
async function fillSchedule(admin: Client, roll: (below: number) => number): Promise<EventData[]> {
  const known = await admin.events.list()
  if (known.length > 100) return known
  const { cruiseStartDate, cruiseLengthInDays } = await admin.client.settings()
  const first = new Date(cruiseStartDate).getTime()
  const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
  const lines: string[] = []
  for (let day = 0; day < Math.min(7, cruiseLengthInDays); day++)
    for (const place of places)
      for (let hour = 9 + roll(2); hour < 23; hour += 1 + roll(2)) {
        const [title, category] = happenings[roll(happenings.length)] as (typeof happenings)[number]
        const start = first + day * dayMs + hour * hourMs + roll(2) * (hourMs / 2)
        lines.push(
          'BEGIN:VEVENT',
          `UID:full-${lines.length}`,
          'DTSTAMP:20260101T000000Z',
          `DTSTART:${stamp(start)}`,
          `DTEND:${stamp(start + hourMs)}`,
          `SUMMARY:${title.replaceAll(',', '\\,')}`,
          `CATEGORIES:${category}`,
          `LOCATION:${place.replaceAll(',', '\\,')}`,
          'END:VEVENT',
        )
      }
  const schedule = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Full//EN', 'X-WR-TIMEZONE:UTC', ...lines, 'END:VCALENDAR', ''].join('\n')
  await admin.admin.scheduleUpdate({ schedule })
  await admin.admin.scheduleUpdateApply({ processDeletes: 'false', forumPosts: 'false', otherDays: true })
  return await admin.events.list()
}

async function fillChats(
  people: readonly Person[],
  { roll, sentence }: { roll: (below: number) => number; sentence: () => string },
): Promise<void> {
  const [host, ...others] = people as [Person, ...Person[]]
  const group = (title: string, hours: number, maxCapacity: number) => ({
    fezType: 'activity' as const,
    title,
    info: sentence(),
    location: places[roll(places.length)],
    startTime: new Date(Date.now() + hours * hourMs),
    endTime: new Date(Date.now() + (hours + 1) * hourMs),
    minCapacity: 2,
    maxCapacity,
    initialUsers: [],
  })
  const { fezID } = await host.client.fez.create(group('The long table', 2, 0))
  const table = others.slice(0, 20)
  await inTurns(table, async ({ client }) => await client.fez.join({ fezID }))
  await inTurns(Array.from({ length: 1500 }), async () => {
    await (table[roll(table.length)] as Person).client.fez.post({ fezID, ...words(sentence()) })
  })
  for (const [index, title] of groups.entries()) {
    const owner = people[roll(people.length)] as Person
    const { fezID: id } = await owner.client.fez.create(group(title, 3 + 5 * index, index % 2 === 0 ? 3 : 12))
    for (let count = 0; count < 4; count++)
      await (people[roll(people.length)] as Person).client.fez.join({ fezID: id }).catch(ignoreRefusal)
  }
  await inTurns(others.slice(0, 12), async (other, index) => {
    const { fezID: id } = await host.client.fez.create({
      fezType: 'closed',
      title: threads[index % threads.length] as string,
      info: '',
      minCapacity: 0,
      maxCapacity: 0,
      initialUsers: [other.userID],
    })
    for (let count = 0; count < 3 + roll(30); count++)
      await (roll(2) === 0 ? host : other).client.fez.post({ fezID: id, ...words(sentence()) })
  })
}

/** The pause between the photos of a person is off for so long. */
async function fillPhotos(admin: Client, people: readonly Person[], roll: (below: number) => number): Promise<void> {
  const { photostreamUploadRateLimit } = await admin.admin.serversettings()
  const pause = async (seconds: number) =>
    await admin.admin.serversettingsUpdate({ photostreamUploadRateLimit: seconds, enableFeatures: [], disableFeatures: [] })
  await pause(0)
  try {
    await inTurns(Array.from({ length: 71 }), async (_, index) => {
      const image = drawnPicture(sceneNames[index % sceneNames.length]!, 320 + roll(3) * 160).toString('base64')
      const createdAt = new Date(Date.now() - roll(40) * hourMs)
      await (people[roll(people.length)] as Person).client.photostream.upload({ image, createdAt, locationName: 'On Boat' })
    })
  } finally {
    await pause(photostreamUploadRateLimit)
  }
}
