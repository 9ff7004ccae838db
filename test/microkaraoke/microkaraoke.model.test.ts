// Random offers, recordings, deletions and approvals, many at once on two nodes, while time passes: a slot never
// has two users, and a song is complete exactly when every slot is sung.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import * as fc from 'fast-check'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { empty } from '../support/db.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, type Person } from '../support/fez.ts'
import { writeSong } from '../support/microkaraoke.ts'
import { randomTest } from '../support/random-runs.ts'

const privateSeeds = mkdtempSync(join(tmpdir(), 'quarterdeck-songs-'))
const clock = new LeapingClock()
let nodes: TestNodes
let singers: Person[]
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2, { clock, env: { PRIVATE_SEEDS_DIR: privateSeeds } })
  const made = await people(nodes, { level: 'moderator' }, { roles: ['karaokeambassador'] }, { level: 'serviceteam' }, {}, {}, {}, {})
  ;[moderator, singers] = [made[0] as Person, made.slice(1)]
  mkdirSync(join(privateSeeds, 'microkaraoke'))
  writeSong(join(privateSeeds, 'microkaraoke'), 'One', { slots: 3, fillers: [1] })
  writeSong(join(privateSeeds, 'microkaraoke'), 'Two', { slots: 4 })
})
after(async () => {
  await nodes.stop()
  rmSync(privateSeeds, { recursive: true })
})

const videoData = Buffer.alloc(500_001, 1).toString('base64')
const command = fc.record({
  what: fc.constantFrom('offer', 'offer', 'sing', 'sing', 'singAnothers', 'delete', 'approve'),
  who: fc.nat({ max: 5 }),
  which: fc.nat(),
  node: fc.constantFrom('one', 'two'),
})
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
interface Snippet {
  id: string
  songId: number
  slot: number
  authorId: string
  isFiller: boolean
  isSung: boolean
  isExpired: boolean
  isDeleted: boolean
}
interface Song {
  id: number
  slots: number
  isComplete: boolean
  modApproved: boolean
}

const snippets = () => nodes.sql<Snippet[]>`
  select id, song_id, slot, author_id, is_filler, expires_at is null as is_sung, expires_at is not null and expires_at <= ${new Date(clock.now())} as is_expired, deleted_at is not null as is_deleted
  from mk_snippet order by id`
const songs = () => nodes.sql<Song[]>`select id, cardinality(durations) as slots, is_complete, mod_approved from mk_song order by id`

/** What the command is answered with, against what was there before all of its batch. */
async function carryOut(
  { what, who, which, node }: Command,
  before: readonly Snippet[],
  songsBefore: readonly Song[],
  onlyOffers: boolean,
): Promise<number> {
  const singer = singers[who] as Person
  const one = <T>(list: readonly T[]): T | undefined => list[which % Math.max(1, list.length)]
  switch (what) {
    case 'offer': {
      const { status, body: packet } = await singer[node as 'one' | 'two'].post('/microkaraoke/offer')
      const held = before.find((snippet) => snippet.authorId === singer.id && !snippet.isSung && !snippet.isExpired && !snippet.isDeleted)
      if (held && onlyOffers) assert.equal(packet.offerID, held.id, 'the same offer again')
      return status
    }
    case 'sing':
    case 'singAnothers': {
      const snippet = one(before.filter(({ authorId, isFiller }) => !isFiller && (authorId === singer.id) === (what === 'sing')))
      if (!snippet) return 0
      const { status } = await singer[node as 'one' | 'two'].post('/microkaraoke/recording', { offerID: snippet.id, videoData })
      if (what === 'singAnothers' || snippet.isSung || snippet.isDeleted) assert.equal(status, 400)
      return status
    }
    case 'delete': {
      const snippet = one(before.filter(({ isFiller }) => !isFiller))
      if (snippet) await body(moderator[node as 'one' | 'two'].post(`/mod/microkaraoke/snippet/${snippet.id}/delete`))
      return 0
    }
    default: {
      const song = one(songsBefore)
      return song ? (await moderator[node as 'one' | 'two'].post(`/mod/microkaraoke/approve/${song.id}`)).status : 0
    }
  }
}

randomTest('microkaraoke.model', 'slots under random use', 15, async (parameters) => {
  let sung = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 5, arbitrary: fc.array(command, { minLength: 1, maxLength: 10 }) },
          { weight: 1, arbitrary: fc.constantFrom(20, 35, 300) },
          {
            weight: 1,
            arbitrary: fc.array(
              command.map((each) => ({ ...each, what: 'offer' as const })),
              { minLength: 5, maxLength: 10 },
            ),
          },
        ),
        { minLength: 5, maxLength: 14 },
      ),
      async (steps) => {
        await empty(nodes.sql, 'mk_snippet', 'mk_song', 'hit')
        for (const step of steps) {
          if (typeof step === 'number') {
            clock.leap(step * 60_000)
            continue
          }
          const [before, songsBefore] = [await snippets(), await songs()]
          const onlyOffers = step.every(({ what }) => what === 'offer')
          const statuses = await Promise.all(step.map((each) => carryOut(each, before, songsBefore, onlyOffers)))
          assert.deepEqual(
            statuses.filter((status) => ![0, 200, 400].includes(status)),
            [],
          )

          const [now, songsNow] = [await snippets(), await songs()]
          const live = now.filter(({ isDeleted, isExpired }) => !isDeleted && !isExpired)
          const offers = live.filter(({ isSung }) => !isSung)
          assert.equal(new Set(offers.map(({ authorId }) => authorId)).size, offers.length, 'one offer each')
          assert.equal(new Set(live.map(({ songId, slot }) => `${songId} ${slot}`)).size, live.length, 'one user for each slot')
          for (const { id, slots, isComplete, modApproved } of songsNow) {
            assert.equal(
              isComplete,
              live.filter(({ songId, isSung }) => songId === id && isSung).length === slots,
              `song ${id} is complete when all of it is sung`,
            )
            if (modApproved) assert.ok(isComplete)
            const { isSung } = before.find((snippet) => snippet.songId === id && snippet.isSung) ?? { isSung: false }
            if (isSung) sung++
          }
          const listed = await body<{ songID: number }[]>((singers[0] as Person).one.get('/microkaraoke/songlist'))
          assert.deepEqual(
            listed.map(({ songID }) => songID),
            songsNow.filter(({ modApproved }) => modApproved).map(({ id }) => id),
          )
        }
        for (const { id } of (await snippets()).filter(({ isSung, isDeleted, isFiller }) => isSung && !isDeleted && !isFiller))
          assert.ok(existsSync(join(nodes.config.imagesDir, 'microkaraokevideos', `${id.toUpperCase()}.mp4`)), 'what is sung has a video')
      },
    ),
    parameters,
  )
  assert.ok(sung > 0 || parameters.path !== undefined, 'it is tried at all')
})
