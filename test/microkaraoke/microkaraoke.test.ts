// Micro karaoke: offers, recordings, finished songs, what moderators do with them.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { FormData } from 'undici'
import type { App } from '../../src/app.ts'
import { builtIn } from '../../src/accounts/rows.ts'
import { holdImages, openClient } from '../../src/backup/queries.ts'
import { projectRoot } from '../../src/core/base/config.ts'
import { Ctx } from '../../src/core/work/ctx.ts'
import { readLyrics, songNames, songsToBegin } from '../../src/microkaraoke/assets.ts'
import { sweepVideos } from '../../src/microkaraoke/sweep.service.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { empty } from '../support/db.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { sungSong, writeSong } from '../support/microkaraoke.ts'
import { RawConnection } from '../support/raw.ts'
import { disable } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

const privateSeeds = mkdtempSync(join(tmpdir(), 'quarterdeck-songs-'))
const folder = join(privateSeeds, 'microkaraoke')
const clock = new LeapingClock()
let nodes: TestNodes
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2, { clock, env: { PRIVATE_SEEDS_DIR: privateSeeds } })
  moderator = (await people(nodes, { level: 'moderator' }))[0] as Person
})
after(async () => {
  await nodes.stop()
  rmSync(privateSeeds, { recursive: true })
})
beforeEach(async () => {
  await empty(nodes.sql, 'mk_snippet', 'mk_song')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
})

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A video as far as its beginning says: by chance alone, bytes begin now and then as a text does. */
const videoOf = (bytes: number) => Buffer.concat([Buffer.from('\0\0\0\u0018ftypmp42'), randomBytes(bytes - 12)])
const video = videoOf(500_001)
const headerOf = ({ id, username }: Person) => ({ userID: id, username })
const crowd = (count: number, options: Parameters<typeof people>[1] = {}) => people(nodes, ...Array.from({ length: count }, () => options))
const someone = async (options: Parameters<typeof people>[1] = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const offer = (client: Client, base = '/microkaraoke') => body(client.post(`${base}/offer`))
const sing = (client: Client, offerID: string, bytes: Buffer = video) =>
  client.post('/microkaraoke/recording', { offerID, videoData: bytes.toString('base64') })
const offerAndSing = async (person: Person) => {
  const packet = await offer(person.one)
  await body(sing(person.two, packet.offerID))
  return packet
}
const videoFile = (id: string) => join(nodes.config.imagesDir, 'microkaraokevideos', `${id.toUpperCase()}.mp4`)
const songs = (client: Client) => body(client.get('/microkaraoke/songlist'))
const newSongs = async (person: Person) => (await body(person.two.get('/notification/user'))).microKaraokeFinishedSongCount
const actions = (contentID: string | number) => nodes.sql`
  select action_type, content_type, moderator_id, target_user_id from moderator_action where content_id = ${String(contentID)} order by created_at`
const nothingLeftBehind = () =>
  until(() => {
    const incoming = join(nodes.config.imagesDir, 'incoming')
    return !existsSync(incoming) || readdirSync(incoming).length === 0
  }, 'no upload is left behind')

describe('POST /microkaraoke/offer', () => {
  test('every field, under both paths; the sounds and lyrics are there', async () => {
    writeSong(folder, 'Ship & Shore', { slots: 6, fillers: [0, 5] })
    const singer = await someone()
    const packet = await offer(singer.one)
    const slot = packet.snippetIndex
    assert.ok(slot >= 1 && slot <= 4, 'no slot that is filled already')
    const sounds = `${nodes.config.externalUrl}/microkaraoke/Ship%20%26%20Shore/${slot}`
    assert.deepEqual(packet, {
      offerID: packet.offerID,
      songID: packet.songID,
      songName: 'Ship & Shore',
      artistName: 'Artist of Ship & Shore',
      bpm: 120,
      portraitMode: packet.portraitMode,
      snippetIndex: slot,
      lyrics: `line ${slot} of Ship & Shore`,
      originalSnippetSoundURL: `${sounds}/listen.mp3`,
      karaokeSnippetSoundURL: `${sounds}/record.mp3`,
      offerExpirationTime: packet.offerExpirationTime,
    })
    const lasts = Date.parse(packet.offerExpirationTime) - clock.now()
    assert.ok(lasts > 29 * minuteMs && lasts <= 30 * minuteMs)
    for (const name of ['listen', 'record']) {
      const { status, bytes, headers } = await singer.two.file(
        `/${new URL(packet[`${name === 'listen' ? 'original' : 'karaoke'}SnippetSoundURL`]).pathname}`,
      )
      assert.deepEqual([status, bytes.toString(), headers['content-type']], [200, `${name}.mp3 of Ship & Shore ${slot}`, 'audio/mpeg'])
    }
    clock.leap(29 * minuteMs)
    assert.deepEqual(await offer(singer.two, '/karaoke/mk'), packet, 'the same again, as long as it lasts')
    const [{ portrait, total }] = await nodes.sql<
      [{ portrait: boolean; total: number }]
    >`select is_portrait as portrait, cardinality(durations) as total from mk_song`
    assert.deepEqual([portrait, total], [packet.portraitMode, 6])
  })

  test('only who may create content', async () => {
    writeSong(folder, 'A song')
    for (const options of [
      { level: 'unverified' },
      { level: 'quarantined' },
      { tempQuarantineUntil: new Date(clock.now() + hourMs) },
    ] as const) {
      const { one } = await someone(options)
      for (const base of ['/microkaraoke', '/karaoke/mk']) {
        await refused(one.post(`${base}/offer`), 403)
        await refused(one.post(`${base}/recording`, { offerID: randomUUID(), videoData: video.toString('base64') }), 403)
      }
    }
    assert.equal((await nodes.sql`select from mk_song`).length, 0)
  })

  test('an offer expires after half an hour, and its slot goes to somebody else', async () => {
    writeSong(folder, 'A song', { slots: 5 })
    const singers = await crowd(5)
    const packets = await Promise.all(singers.map(({ one }) => offer(one)))
    // With the fifth offer a second song was begun, or will be with the sixth.
    const ofFirst = packets.filter(({ songID }) => songID === packets[0].songID)
    await nodes.sql`delete from mk_song where id not in (select song_id from mk_snippet)`
    clock.leap(29 * minuteMs)
    assert.deepEqual(await offer((singers[0] as Person).one), packets[0])
    clock.leap(minuteMs)
    const later = await offer((await someone()).two)
    assert.ok(!packets.some(({ offerID }) => offerID === later.offerID))
    assert.equal(later.songID, Math.min(...ofFirst.map(({ songID }) => songID)), 'the oldest song first')
    const replaced = packets.find(({ songID, snippetIndex }) => songID === later.songID && snippetIndex === later.snippetIndex)
    assert.ok(replaced)
    const rows = await nodes.sql`select from mk_snippet where id = ${replaced.offerID}`
    assert.equal(rows.length, 0)
  })

  test('a song is begun while fewer than five slots are open, and the newest is not repeated', async () => {
    writeSong(folder, 'One', { slots: 6 })
    writeSong(folder, 'Two', { slots: 6 })
    writeSong(folder, 'Closed', { slots: 6, allowAdds: false })
    const begun = async () => (await nodes.sql<{ name: string }[]>`select name from mk_song order by id`).map(({ name }) => name)
    const singers = await crowd(20)
    let open = 0
    for (const [index, { one }] of singers.entries()) {
      const before = await begun()
      await offer(one)
      const after = await begun()
      // Six slots open with each song, one goes with each offer.
      assert.equal(after.length - before.length, open < 5 ? 1 : 0, `offer ${index}`)
      open += 6 * (after.length - before.length) - 1
      assert.equal(
        after.some((name, place) => name === after[place - 1] || name === 'Closed'),
        false,
        after.join(),
      )
    }
  })

  test('the only song is repeated; one that is not whole is never begun', async () => {
    writeSong(folder, 'Whole', { slots: 2 })
    const cases: Record<string, (path: string) => void> = {
      'no info': (path) => rmSync(join(path, 'songinfo.json')),
      'not JSON': (path) => writeFileSync(join(path, 'songinfo.json'), '{'),
      'other name': (path) =>
        writeFileSync(join(path, 'songinfo.json'), readFileSync(join(path, 'songinfo.json'), 'utf8').replace('other name', 'another')),
      'durations missing': (path) =>
        writeFileSync(join(path, 'songinfo.json'), readFileSync(join(path, 'songinfo.json'), 'utf8').replace('1.5,', '')),
      'slot missing': (path) => rmSync(join(path, '3'), { recursive: true }),
      'lyric missing': (path) => rmSync(join(path, '3', 'lyric.txt')),
      'sound missing': (path) => rmSync(join(path, '3', 'record.mp3')),
    }
    for (const [name, breakIt] of Object.entries(cases)) {
      writeSong(folder, name)
      breakIt(join(folder, name))
    }
    writeSong(folder, 'nothing to sing', { slots: 2, fillers: [0, 1] })
    writeSong(folder, 'filler without video', { slots: 3, fillers: [1] })
    rmSync(join(folder, 'filler without video', '1', 'fillVideoLandscape.mp4'))
    for (const { one } of await crowd(5)) assert.equal((await offer(one)).songName, 'Whole')
  })

  test('without songs 400 says so; a song whose folder is gone is left alone', async () => {
    const { one } = await someone()
    assert.match(await refused(one.post('/microkaraoke/offer'), 400), /no songs/)
    writeSong(folder, 'Gone')
    const holder = await someone()
    await offer(holder.one)
    rmSync(join(folder, 'Gone'), { recursive: true })
    writeSong(folder, 'There')
    assert.equal((await offer(one)).songName, 'There')
    assert.match(await refused(holder.one.post('/microkaraoke/offer'), 400), /Gone are missing/)
  })

  test('after singing in a song one waits four hours, but not ambassadors and the service team', async () => {
    writeSong(folder, 'A song', { slots: 8 })
    const singer = await someone()
    const first = await offerAndSing(singer)
    const resting = await refused(singer.one.post('/microkaraoke/offer'), 400)
    clock.leap(4 * hourMs - minuteMs)
    assert.equal(await refused(singer.one.post('/microkaraoke/offer'), 400), resting)
    clock.leap(2 * minuteMs)
    assert.equal((await offer(singer.one)).songID, first.songID)
    for (const options of [{ roles: ['karaokeambassador'] as const }, { level: 'serviceteam' as const }, { level: 'admin' as const }]) {
      const restless = await someone({ ...options, roles: [...(options.roles ?? [])] })
      await offerAndSing(restless)
      await offerAndSing(restless)
    }
    const plainModerator = await someone({ level: 'moderator' })
    await offerAndSing(plainModerator)
    assert.equal(await refused(plainModerator.one.post('/microkaraoke/offer'), 400), resting)
  })

  test('all accounts of a person have one offer between them, and wait together', async () => {
    writeSong(folder, 'A song', { slots: 8 })
    const singer = await someone()
    const second = await someone({ subAccountOf: singer })
    const { offerID } = await offer(singer.one)
    assert.match(await refused(second.two.post('/microkaraoke/offer'), 400), /Another account of yours/)
    assert.equal((await offer(singer.two)).offerID, offerID)
    await body(sing(singer.one, offerID))
    assert.match(await refused(second.one.post('/microkaraoke/offer'), 400), /Come back in a few hours/)
    await offer((await someone()).one)
    clock.leap(4 * hourMs + minuteMs)
    const later = await offer(second.one)
    assert.notEqual(later.offerID, offerID)
    const both = await Promise.all([singer.one, second.two].map((client) => client.post('/microkaraoke/offer')))
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
  })

  test('an offer that was let go by is no reason to wait', async () => {
    writeSong(folder, 'A song', { slots: 8 })
    const singer = await someone()
    const packet = await offer(singer.one)
    clock.leap(31 * minuteMs)
    const again = await offer(singer.one)
    assert.notEqual(again.offerID, packet.offerID)
    assert.equal(again.songID, packet.songID)
  })

  test('a slot that a moderator has taken back is not offered as the same again', async () => {
    writeSong(folder, 'A song', { slots: 8 })
    const singer = await someone()
    const { offerID } = await offer(singer.one)
    await body(moderator.one.delete(`/mod/microkaraoke/snippet/${offerID}`))
    const again = await offer(singer.two)
    assert.notEqual(again.offerID, offerID)
    await body(sing(singer.one, again.offerID))
  })

  test('nothing left to sing is another refusal', async () => {
    writeSong(folder, 'A song', { slots: 5 })
    const singers = await crowd(5)
    await Promise.all(singers.map(({ one }) => offer(one)))
    rmSync(join(folder, 'A song', 'songinfo.json'))
    await nodes.sql`delete from mk_song where id not in (select song_id from mk_snippet)`
    const [{ songs: begun }] = await nodes.sql<[{ songs: number }]>`select count(*)::int as songs from mk_song`
    for (let more = 0; more < begun * 5 - 5; more++) await offer((await someone()).one)
    assert.match(await refused((await someone()).one.post('/microkaraoke/offer'), 400), /Nothing is left to sing/)
  })

  test('at once on two nodes: nobody gets a slot that somebody else has, and each gets one', async () => {
    writeSong(folder, 'One', { slots: 7, fillers: [3] })
    writeSong(folder, 'Two', { slots: 9, fillers: [0, 8] })
    const singers = await crowd(24)
    const packets = await Promise.all(singers.flatMap(({ one, two }) => [offer(one), offer(two), offer(two)]))
    const slots = new Map(packets.map((packet) => [`${packet.songID} ${packet.snippetIndex}`, packet.offerID]))
    assert.equal(slots.size, singers.length)
    assert.equal(new Set(packets.map(({ offerID }) => offerID)).size, singers.length)
    for (const { songName, snippetIndex } of packets)
      assert.ok(songName === 'One' ? snippetIndex !== 3 : snippetIndex !== 0 && snippetIndex !== 8)
  })
})

describe('POST /microkaraoke/recording', () => {
  let singer: Person
  let offerID: string
  beforeEach(async () => {
    writeSong(folder, 'A song', { slots: 6 })
    singer = await someone()
    offerID = (await offer(singer.one)).offerID
  })

  test('is stored byte for byte where the layout says, and sent to everybody', async () => {
    await body(sing(singer.two, offerID.toUpperCase()))
    assert.deepEqual(readFileSync(videoFile(offerID)), video)
    await nothingLeftBehind()
    for (const name of [`${offerID}.mp4`, `${offerID.toUpperCase()}.mp4`]) {
      const { status, bytes, headers } = await nodes.client().file(`/microkaraoke/video/${name}`)
      assert.deepEqual(
        [status, headers['content-type'], headers['cache-control'], headers['accept-ranges']],
        [200, 'video/mp4', 'public, max-age=86400', 'bytes'],
      )
      assert.deepEqual(bytes, video)
    }
    for (const name of [offerID, `${offerID}.mov`, `${offerID}.mp4.mp4`])
      await refused(nodes.client().get(`/microkaraoke/video/${name}`), 400)
  })

  test('as a form', async () => {
    const form = new FormData()
    form.set('videoData', new Blob([video]), 'clip.mp4')
    form.set('offerID', offerID)
    await body(singer.one.post('/karaoke/mk/recording', undefined, { form }))
    assert.deepEqual(readFileSync(videoFile(offerID)), video)
    await nothingLeftBehind()
  })

  test('with escaped slashes, other keys and spaces, in pieces', async () => {
    const sent = `\r\n{ "app" : {"videoData":"no\\"t","list":[1,{"offerID":"${randomUUID()}"}]},"\\u0076ideoData"\t:"${video.toString('base64').replaceAll('/', '\\/')}" ,"offerID":"${offerID}","last":null}\n`
    const raw = new RawConnection(nodes.urls[0] as string)
    raw.sendLines(
      'POST /api/v3/microkaraoke/recording HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${singer.token}`,
      'Content-Type: application/json',
      `Content-Length: ${sent.length}`,
      '',
      '',
    )
    for (let at = 0; at < sent.length; at += 99_991) raw.send(sent.slice(at, at + 99_991))
    assert.deepEqual(await raw.answers(), [200])
    raw.destroy()
    assert.deepEqual(readFileSync(videoFile(offerID)), video)
  })

  test('a text, a page or a document is no video, whatever follows', async () => {
    const singer = await someone({ roles: ['karaokeambassador'] })
    const { offerID } = await offer(singer.one)
    const rest = Buffer.alloc(500_001, 1)
    const page = '<!doctype html><script>alert(1)</script>'
    const large = Buffer.alloc(3_000_000, 1)
    for (const start of [page, ` \n${page}`, `\uFEFF<SCRIPT >`, '<svg onload=x>', '<?xml version="1.0"?>', '<!-- -->', '%PDF-1.7'])
      for (const tail of [rest, large])
        assert.match(await refused(sing(singer.one, offerID, Buffer.concat([Buffer.from(start), tail])), 400), /must be a video/, start)
    await refused(sing(singer.one, offerID, Buffer.alloc(500_001, 'words ')), 400)
    await nothingLeftBehind()
    await body(sing(singer.one, offerID, Buffer.concat([Buffer.from('\0\0\0\x20ftypisom'), Buffer.from(page), rest])))
    const file = await nodes.client().file(`/microkaraoke/video/${offerID}.mp4`)
    assert.deepEqual([file.headers['content-type'], file.headers['x-content-type-options']], ['video/mp4', 'nosniff'])
    assert.match(String(file.headers['content-security-policy']), /default-src 'none'.*sandbox/)
  })

  test('sizes: more than 500,000 and less than 40,000,000 bytes', async () => {
    const ambassador = await someone({ roles: ['karaokeambassador'] })
    for (const [size, status] of [
      [0, 400],
      [500_000, 400],
      [40_000_000, 400],
      [500_001, 200],
    ] as const) {
      const packet = await offer(ambassador.one)
      assert.equal((await sing(ambassador.one, packet.offerID, Buffer.alloc(size, 7))).status, status, `${size} bytes`)
    }
    const { offerID: last } = await offer(ambassador.one)
    const largest = videoOf(39_999_999)
    await body(sing(ambassador.two, last, largest))
    assert.ok(readFileSync(videoFile(last)).equals(largest))
    await nothingLeftBehind()
  })

  test('refusals: unknown, of somebody else, sung already, deleted', async () => {
    await refused(sing(singer.one, randomUUID()), 400)
    const other = await someone()
    await offer(other.one)
    assert.match(await refused(sing(other.one, offerID), 400), /somebody else/)
    assert.match(
      await refused((await someone()).one.post('/microkaraoke/recording', { offerID, videoData: video.toString('base64') }), 400),
      /no open offer/,
    )
    const ambassador = await someone({ roles: ['karaokeambassador'] })
    const { offerID: sung } = await offerAndSing(ambassador)
    const { offerID: withdrawn } = await offer(ambassador.one)
    assert.match(await refused(sing(ambassador.one, sung), 400), /already/)
    await body(moderator.one.post(`/mod/microkaraoke/snippet/${sung}/delete`))
    assert.match(await refused(sing(ambassador.one, sung), 400), /already/, 'also after a moderator has deleted it')
    await body(moderator.one.post(`/mod/microkaraoke/snippet/${withdrawn}/delete`))
    await offer(ambassador.one)
    await refused(sing(ambassador.one, withdrawn), 400)
    await nothingLeftBehind()
    assert.ok(!existsSync(videoFile(offerID)))
  })

  test('the same again with its key, whose answer was lost, is taken and changes nothing; another one is refused', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const recording = { offerID, videoData: video.toString('base64') }
    await body(singer.one.post('/microkaraoke/recording', recording, { headers }))
    const [before] = await nodes.sql`select updated_at from mk_snippet where id = ${offerID}`
    clock.leap(hourMs)
    await body(singer.two.post('/microkaraoke/recording', recording, { headers }))
    assert.match(await refused(sing(singer.one, offerID), 400), /already/)
    assert.match(await refused(sing(singer.two, offerID, Buffer.alloc(600_000, 1)), 400), /already/)
    await refused(sing((await crowd(1))[0]!.one, offerID), 400)
    assert.deepEqual([...(await nodes.sql`select updated_at from mk_snippet where id = ${offerID}`)], [before])
    assert.ok(readFileSync(videoFile(offerID)).equals(video))
    await nothingLeftBehind()
    clock.leap(24 * hourMs)
    assert.match(await refused(sing(singer.one, offerID), 400), /no open offer/)
  })

  test('whose only offer was withdrawn is refused, and the video is not kept', async () => {
    await body(moderator.one.delete(`/mod/microkaraoke/snippet/${offerID}`))
    assert.match(await refused(sing(singer.one, offerID), 400), /no open offer/)
    await nothingLeftBehind()
  })

  test('malformed bodies are 4xx, and leave nothing', async () => {
    const base64 = video.toString('base64')
    const json = (text: string) => singer.one.post('/microkaraoke/recording', text, { headers: { 'content-type': 'application/json' } })
    const good = JSON.stringify({ offerID, videoData: base64 })
    const cases: [Promise<Answer>, number][] = [
      [json(''), 422],
      [json(good.slice(0, -1)), 400],
      [json(good.slice(0, 300_000)), 400],
      [json(`${good}}`), 400],
      [json(`[${good}]`), 400],
      [json(`"${base64}"`), 400],
      [json('null'), 400],
      [json('{"videoData"'), 400],
      [json(`{"videoData":"${base64}"}`), 400],
      [json(JSON.stringify({ offerID })), 400],
      [json(JSON.stringify({ offerID, videoData: null })), 400],
      [json(JSON.stringify({ offerID, videoData: 5 })), 400],
      [json(JSON.stringify({ offerID, videoData: [base64] })), 400],
      [json(JSON.stringify({ offerID: 'x', videoData: base64 })), 400],
      [json(JSON.stringify({ offerID, videoData: base64.slice(0, -1) })), 400],
      [json(JSON.stringify({ offerID, videoData: `${base64.slice(0, 99_999)}*${base64.slice(100_000)}` })), 400],
      [json(JSON.stringify({ offerID, videoData: `${base64.slice(0, 100_000)}AA==${base64.slice(100_000)}` })), 400],
      [json(`{"offerID":"${offerID}","videoData":"${base64}","videoData":"${base64}"}`), 400],
      [json(JSON.stringify({ offerID, videoData: base64, more: 'x'.repeat(1_100_000) })), 400],
      [json(good.replace('"', '"\u0001')), 400],
      [singer.one.post('/microkaraoke/recording', Buffer.from(good, 'utf16le'), { headers: { 'content-type': 'application/json' } }), 400],
      [singer.one.post('/microkaraoke/recording', good, { headers: { 'content-type': 'application/pdf' } }), 415],
      [singer.one.post('/microkaraoke/recording', good, { headers: { 'content-type': 'multipart/form-data; boundary=x' } }), 400],
      [
        singer.one.post(
          '/microkaraoke/recording',
          `--x\r\nContent-Disposition: form-data; name="videoData"; filename="a"\r\n\r\n${base64}`,
          { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
        ),
        400,
      ],
      [json('x'.repeat(57 * 1024 * 1024)), 413],
    ]
    for (const [index, [answer, status]] of cases.entries())
      assert.equal((await answer.catch(() => ({ status: 413 }))).status, status, `case ${index}`)
    const form = new FormData()
    form.set('videoData', base64)
    form.set('offerID', offerID)
    const damaged = new FormData()
    damaged.set('videoData', `${base64}*`)
    damaged.set('offerID', offerID)
    await refused(singer.one.post('/microkaraoke/recording', undefined, { form: damaged }), 400)
    await nothingLeftBehind()
    // A text in base64 is as good as a file.
    await body(singer.one.post('/microkaraoke/recording', undefined, { form }))
  })

  test('a client that goes away in the middle leaves nothing', async () => {
    const raw = new RawConnection(nodes.urls[1] as string)
    raw.sendLines(
      'POST /api/v3/microkaraoke/recording HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${singer.token}`,
      'Content-Type: application/json',
      'Content-Length: 700000',
      '',
      '',
    )
    raw.send(`{"offerID":"${offerID}","videoData":"${video.toString('base64').slice(0, 400_000)}`)
    await until(() => readdirSync(join(nodes.config.imagesDir, 'incoming')).length > 0, 'the upload has begun')
    raw.destroy()
    await nothingLeftBehind()
    await body(sing(singer.one, offerID))
  })

  test('an expired offer can still be sung until somebody else has the slot', async () => {
    clock.leap(hourMs)
    await body(sing(singer.one, offerID))
    const others = await crowd(8)
    const packets = await Promise.all(others.map(({ one }) => offer(one)))
    clock.leap(hourMs)
    // Now somebody takes every slot that they have lost.
    for (let taken = 0; taken < 12; taken++) await offer((await someone()).one)
    for (const [index, { one }] of others.entries()) await refused(sing(one, packets[index].offerID), 400)
  })

  test('sent twice at the same time, one of them counts', async () => {
    const other = Buffer.alloc(600_000, 1)
    const statuses = (await Promise.all([sing(singer.one, offerID), sing(singer.two, offerID, other)])).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 400])
    assert.ok(readFileSync(videoFile(offerID)).equals(statuses[0] === 200 ? video : other))
    await nothingLeftBehind()
  })
})

describe('finished songs', () => {
  test('a song is complete with its last slot, and shown when it is approved', async () => {
    writeSong(folder, 'A song', { slots: 6, fillers: [2] })
    const singers = await crowd(4)
    for (const singer of singers) await offerAndSing(singer)
    const songID = (await body(moderator.one.get('/mod/microkaraoke/songlist')))[0].songID
    assert.deepEqual(await songs(moderator.one), [])
    await refused(moderator.one.get(`/microkaraoke/song/${songID}`), 400)
    await refused(moderator.one.post(`/mod/microkaraoke/approve/${songID}`), 400)
    const ambassador = await someone({ roles: ['karaokeambassador'] })
    const last = await offerAndSing(ambassador)
    assert.equal(last.songID, songID)

    const [first] = singers as [Person]
    assert.deepEqual(await songs(first.one), [], 'not before a moderator has approved it')
    const seen = await songs(moderator.two)
    const completionTime = seen[0]?.completionTime
    const song = {
      songID,
      songName: 'A song',
      artistName: 'Artist of A song',
      totalSnippetSlots: 6,
      completionTime,
      modApproved: false,
      userContributed: false,
    }
    assert.deepEqual(seen, [song])
    assert.deepEqual(await body(moderator.one.get(`/mod/microkaraoke/song/${songID}`)), song)
    const hidden = await refused(first.one.get(`/microkaraoke/song/${songID}`), 400)
    assert.equal(await refused(first.one.get('/microkaraoke/song/2000000000'), 400), hidden)

    const socket = await first.two.socket('/notification/socket')
    await body(moderator.two.post(`/mod/microkaraoke/approve/${songID}`))
    const frame = await socket.until(({ type }) => 'microKaraokeSongReady' in type)
    assert.equal(frame.contentID, String(songID))
    for (const singer of [...singers, ambassador]) await until(async () => (await newSongs(singer)) === 1, 'its singers are told')
    assert.equal(await newSongs(moderator), 0)

    const shown = await body(first.one.get('/karaoke/mk/songlist'))
    assert.deepEqual(shown, [{ ...song, modApproved: true, completionTime: shown[0].completionTime, userContributed: true }])
    assert.equal(await newSongs(first), 0, 'looking at the list is seeing it')
    assert.deepEqual(
      (await songs((await someone()).one)).map(({ userContributed }: { userContributed: boolean }) => userContributed),
      [false],
    )

    const manifest = await body((await someone()).two.get(`/microkaraoke/song/${songID}`))
    const base = nodes.config.externalUrl
    assert.deepEqual(
      [manifest.songID, manifest.portraitMode, manifest.snippetDurations, manifest.karaokeMusicTrack],
      [songID, last.portraitMode, [1.5, 2.5, 3.5, 4.5, 5.5, 6.5], `${base}/microkaraoke/A%20song/karaokeAudio.mp3`],
    )
    assert.equal(manifest.snippetVideoURLs.length, 6)
    assert.equal(
      manifest.snippetVideoURLs[2],
      `${base}/microkaraoke/A%20song/2/${last.portraitMode ? 'fillVideoPortrait' : 'fillVideoLandscape'}.mp4`,
    )
    assert.equal(manifest.snippetVideoURLs[last.snippetIndex], `${base}/api/v3/microkaraoke/video/${last.offerID.toUpperCase()}.mp4`)
    for (const url of [...manifest.snippetVideoURLs, manifest.karaokeMusicTrack]) {
      const { status } = await nodes.client().file(`/${new URL(url).pathname}`)
      assert.equal(status, 200, url)
    }
  })

  test('lists are by id and cost one statement', async () => {
    const singer = await someone()
    const ids = []
    for (let made = 0; made < 4; made++)
      ids.push((await sungSong(nodes, [singer.id, builtIn.MicroKaraoke], { approved: made !== 2 })).songID)
    assert.deepEqual(
      (await songs(singer.one)).map(({ songID }: { songID: number }) => songID),
      ids.filter((_, index) => index !== 2),
    )
    assert.deepEqual(
      (await songs(moderator.one)).map(({ songID }: { songID: number }) => songID),
      ids,
    )
    assert.equal(await countStatements(nodes.apps[0] as App, () => songs(singer.one)), 1)
  })

  test('approving again tells again; the log and the audit have it', async () => {
    const [one, two] = (await crowd(2)) as [Person, Person]
    const { songID } = await sungSong(nodes, [one.id, two.id, one.id, builtIn.MicroKaraoke])
    const socket = await one.one.socket('/notification/socket')
    await body(moderator.one.post(`/mod/microkaraoke/approve/${songID}`))
    await socket.count(1)
    await songs(one.one)
    await until(async () => (await newSongs(one)) === 0, 'seen')
    await body(moderator.one.post(`/mod/microkaraoke/approve/${songID}`))
    await socket.count(2)
    assert.deepEqual(
      socket.frames.map(({ type, contentID }) => [type, contentID]),
      [1, 2].map(() => [{ microKaraokeSongReady: {} }, String(songID)]),
    )
    await until(async () => (await newSongs(one)) === 1 && (await newSongs(two)) === 1, 'it counts once for each')
    const entry = { actionType: 'markReviewed', contentType: 'mkSong', moderatorId: moderator.id, targetUserId: builtIn.MicroKaraoke }
    assert.deepEqual([...(await actions(songID))], [entry, entry])
  })

  test('moderators: unknown songs', async () => {
    for (const path of ['/mod/microkaraoke/song/99999999', '/mod/microkaraoke/snippets/99999999'])
      await refused(moderator.one.get(path), 400)
    await refused(moderator.one.get('/mod/microkaraoke/song/x'), 400)
    await refused(moderator.one.post('/mod/microkaraoke/approve/99999999'), 400)
  })

  test('GET /mod/microkaraoke/snippets: what is sung or reserved, by slot', async () => {
    writeSong(folder, 'A song', { slots: 7, fillers: [1] })
    const [sung, reserved, expired, deleted] = (await crowd(4)) as [Person, Person, Person, Person]
    await offer(expired.one)
    clock.leap(31 * minuteMs)
    const { offerID: gone } = await offerAndSing(deleted)
    await body(moderator.one.delete(`/mod/microkaraoke/snippet/${gone}`))
    const first = await offerAndSing(sung)
    const second = await offer(reserved.one)
    const filler = await nodes.sql<{ id: string }[]>`select id from mk_snippet where is_filler`
    const base = nodes.config.externalUrl
    const expected = [
      {
        snippetID: filler[0]?.id,
        songID: first.songID,
        snippetIndex: 1,
        user: { userID: builtIn.MicroKaraoke, username: 'MicroKaraoke' },
        videoURL: `${base}/microkaraoke/A%20song/1/${first.portraitMode ? 'fillVideoPortrait' : 'fillVideoLandscape'}.mp4`,
      },
      {
        snippetID: first.offerID,
        songID: first.songID,
        snippetIndex: first.snippetIndex,
        user: headerOf(sung),
        videoURL: `${base}/api/v3/microkaraoke/video/${first.offerID.toUpperCase()}.mp4`,
      },
      { snippetID: second.offerID, songID: first.songID, snippetIndex: second.snippetIndex, user: headerOf(reserved) },
    ]
    assert.deepEqual(
      await body(moderator.one.get(`/mod/microkaraoke/snippets/${first.songID}`)),
      expected.toSorted((a, b) => a.snippetIndex - b.snippetIndex),
    )
  })

  test('a deleted snippet takes its song back; the slot can be sung anew', async () => {
    writeSong(folder, 'A song', { slots: 3 })
    const singers = await crowd(3)
    const packets = []
    for (const singer of singers) {
      const packet = await offer(singer.one)
      // Others have to be in the first song, too.
      await nodes.sql`delete from mk_song where id > ${packet.songID}`
      packets.push(packet)
      await body(sing(singer.one, packet.offerID))
    }
    const { songID } = packets[0]
    await body(moderator.one.post(`/mod/microkaraoke/approve/${songID}`))
    const [first] = singers as [Person]
    await until(async () => (await newSongs(first)) === 1, 'told')
    const { offerID, snippetIndex } = packets[1]
    await body(moderator.two.delete(`/mod/microkaraoke/snippet/${offerID.toUpperCase()}`))
    const song = await body(moderator.one.get(`/mod/microkaraoke/song/${songID}`))
    assert.deepEqual([song.modApproved, 'completionTime' in song], [false, false])
    // Before the list is looked at: then nothing is new in any case.
    await until(async () => (await newSongs(first)) === 0, 'there is nothing to look at any more')
    assert.ok(!(await songs(first.one)).some((each: { songID: number }) => each.songID === songID))
    await refused(nodes.client().get(`/microkaraoke/video/${offerID}.mp4`), 400)
    assert.ok(!existsSync(videoFile(offerID)))
    assert.deepEqual(
      [...(await actions(offerID))],
      [{ actionType: 'delete', contentType: 'mkSongSnippet', moderatorId: moderator.id, targetUserId: (singers[1] as Person).id }],
    )
    for (const gone of [offerID, randomUUID()]) await body(moderator.one.post(`/mod/microkaraoke/snippet/${gone}/delete`))
    assert.equal((await actions(offerID)).length, 1, 'it is deleted once')

    const again = await someone()
    const packet = await offer(again.one)
    assert.deepEqual([packet.songID, packet.snippetIndex], [songID, snippetIndex])
    await body(sing(again.one, packet.offerID))
    assert.ok((await body(moderator.one.get(`/mod/microkaraoke/song/${songID}`))).completionTime)
    await body(moderator.one.post(`/mod/microkaraoke/approve/${songID}`))
    await until(async () => (await newSongs(first)) === 1 && (await newSongs(again)) === 1, 'told again')
    assert.equal(await newSongs(singers[1] as Person), 0)
  })

  test('what comes with a song cannot be deleted', async () => {
    const { songID, snippetIDs } = await sungSong(nodes, [builtIn.MicroKaraoke, (await someone()).id], { approved: true })
    await refused(moderator.one.post(`/mod/microkaraoke/snippet/${snippetIDs[0]}/delete`), 400)
    assert.equal((await body(moderator.one.get(`/mod/microkaraoke/song/${songID}`))).modApproved, true)
  })
})

describe('reports', () => {
  test('of songs and snippets, once each; what is not shown cannot be reported', async () => {
    const [singer, reporter] = (await crowd(2)) as [Person, Person]
    const {
      songID,
      snippetIDs: [snippetID],
    } = await sungSong(nodes, [singer.id], { approved: true })
    const unapproved = await sungSong(nodes, [singer.id])
    for (const [base, path, type, id, owner] of [
      ['/microkaraoke', `/song/${songID}/report`, 'mkSong', String(songID), builtIn.MicroKaraoke],
      ['/karaoke/mk', `/snippet/${snippetID}/report`, 'mkSongSnippet', snippetID, singer.id],
    ] as const) {
      await body(reporter.one.post(base + path, { message: 'Too loud' }), 201)
      await refused(reporter.two.post(`/microkaraoke${path}`, { message: '' }), 409)
      const [report] = await body(moderator.one.get('/mod/reports'))
      assert.deepEqual(
        [report.type, report.reportedID, report.reportedUser.userID, report.author.userID, report.submitterMessage],
        [type, id, owner, reporter.id, 'Too loud'],
      )
    }
    for (const path of [
      `/song/${unapproved.songID}`,
      '/song/99999999',
      `/snippet/${unapproved.snippetIDs[0]}`,
      `/snippet/${randomUUID()}`,
    ]) {
      await refused(reporter.one.post(`/microkaraoke${path}/report`, { message: '' }), 400)
    }
    await body(moderator.one.post(`/microkaraoke/song/${unapproved.songID}/report`, { message: '' }), 201)
  })
})

describe('files', () => {
  test('GET /microkaraoke/video: ranges, conditions, HEAD', async () => {
    writeSong(folder, 'A song')
    const { offerID } = await offerAndSing(await someone())
    const client = nodes.client()
    const path = `/microkaraoke/video/${offerID}.mp4`
    const whole = await client.file(path)
    const part = await client.file(path, { range: 'bytes=1000-1999' })
    assert.deepEqual(
      [part.status, part.headers['content-range'], part.bytes.equals(video.subarray(1000, 2000))],
      [206, `bytes 1000-1999/${video.length}`, true],
    )
    const tail = await client.file(`/karaoke/mk/video/${offerID}.mp4`, { range: 'bytes=-10' })
    assert.ok(tail.bytes.equals(video.subarray(-10)))
    assert.equal((await client.file(path, { range: `bytes=${video.length}-` })).status, 416)
    assert.equal((await client.file(path, { 'if-none-match': String(whole.headers['etag']) })).status, 304)
    const head = await client.file(path, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, String(video.length), 0])
  })

  test('GET /microkaraoke/video: other names are 400', async () => {
    const id = randomUUID()
    for (const name of [
      `${id}.mp4`,
      `${id}.MP4`,
      `${id}.mov`,
      id,
      `${id}.mp4.mp4`,
      `${id}.x.mp4`,
      'x.mp4',
      '.mp4',
      '%2e%2e%2fx.mp4',
      `..%2f${id}.mp4`,
      `${id}%00.mp4`,
      '%ff.mp4',
    ]) {
      await refused(nodes.client().get(`/microkaraoke/video/${name}`), 400)
    }
  })

  test('GET //microkaraoke: the files of songs, and nothing else', async () => {
    writeSong(folder, 'A song', { fillers: [1] })
    writeFileSync(join(privateSeeds, 'secret.txt'), 'secret')
    writeFileSync(join(folder, '.hidden.txt'), 'secret')
    writeFileSync(join(folder, 'A song', 'program.js'), 'x')
    mkdirSync(join(folder, 'A song', 'folder.mp3'))
    const answers = new RawConnection(nodes.urls[0] as string)
    const get = async (path: string, headers: Record<string, string> = {}) => await nodes.client().file(`//microkaraoke/${path}`, headers)
    const music = await get('A%20song/karaokeAudio.mp3')
    assert.deepEqual(
      [music.status, music.bytes.toString(), music.headers['cache-control'], music.headers['content-type']],
      [200, 'music of A song', 'public, max-age=86400', 'audio/mpeg'],
    )
    assert.equal((await get('A%20song/karaokeaudio.mp3', { 'if-none-match': String(music.headers['etag']) })).status, 304)
    assert.deepEqual([(await get('A%20song/1/fillVideoPortrait.mp4', { range: 'bytes=0-3' })).bytes.toString()], ['fill'])
    assert.match(String((await get('A%20song/0/lyric.txt')).headers['content-type']), /^text\/plain/)
    const wrong: [string, number][] = [
      ['..%2fsecret.txt', 403],
      ['%2e%2e/secret.txt', 403],
      ['A%20song/..%5c..%5csecret.txt', 403],
      ['A%20song/0/../../../secret.txt', 403],
      ['', 404],
      ['A%20song', 404],
      ['A%20song/', 404],
      ['A%20song/9/lyric.txt', 404],
      ['A%20song/0/lyric.txt/x.txt', 404],
      ['.hidden.txt', 404],
      ['A%20song/program.js', 404],
      ['A%20song/folder.mp3', 404],
      ['%00.mp3', 404],
      ['%ff.mp3', 404],
      [`${'x'.repeat(300)}.mp3`, 404],
      ['A%20song//0/lyric.txt', 404],
    ]
    for (const [path, status] of wrong) {
      // By hand: a client library would tidy the path.
      const raw = new RawConnection(nodes.urls[1] as string).sendLines(`GET /microkaraoke/${path} HTTP/1.1`, 'Host: x', '', '')
      assert.deepEqual(await raw.answers(), [status], path)
      assert.ok(!raw.text.includes('secret'))
      raw.destroy()
    }
    answers.destroy()
  })

  test('a recording that is taken out while a backup looks for images stays, and is swept after a day', async () => {
    writeSong(folder, 'A song')
    const [kept, deleted] = [await offerAndSing(await someone()), await offerAndSing(await someone())]
    const backup = openClient(nodes.database.url)
    try {
      await holdImages(backup)
      await body(moderator.one.delete(`/mod/microkaraoke/snippet/${deleted.offerID}`))
      assert.ok(existsSync(videoFile(deleted.offerID)))
    } finally {
      await backup.end()
    }
    const longAgo = new Date(clock.now() - 48 * hourMs)
    for (const { offerID } of [kept, deleted]) utimesSync(videoFile(offerID), longAgo, longAgo)
    const { node } = nodes.apps[0] as App
    await sweepVideos(new Ctx(node, undefined, { requestId: 'sweep', log: node.log }))
    assert.deepEqual(
      [kept, deleted].map(({ offerID }) => existsSync(videoFile(offerID))),
      [true, false],
    )
  })

  test('recordings that no snippet has are swept after a day', async () => {
    writeSong(folder, 'A song')
    const { offerID } = await offerAndSing(await someone())
    const names = { orphan: randomUUID(), young: randomUUID() }
    for (const name of Object.values(names)) writeFileSync(videoFile(name), 'x')
    writeFileSync(join(nodes.config.imagesDir, 'microkaraokevideos', 'README'), 'x')
    const longAgo = new Date(clock.now() - 48 * hourMs)
    for (const path of [videoFile(offerID), videoFile(names.orphan), join(nodes.config.imagesDir, 'microkaraokevideos', 'README')])
      utimesSync(path, longAgo, longAgo)
    utimesSync(videoFile(names.young), new Date(clock.now()), new Date(clock.now()))
    const { node } = nodes.apps[0] as App
    await sweepVideos(new Ctx(node, undefined, { requestId: 'sweep', log: node.log }))
    assert.deepEqual(
      [
        videoFile(offerID),
        videoFile(names.orphan),
        videoFile(names.young),
        join(nodes.config.imagesDir, 'microkaraokevideos', 'README'),
      ].map((path) => existsSync(path)),
      [true, false, true, true],
    )
  })
})

test('the song that comes with the program can be sung', async () => {
  const shipped = join(projectRoot, 'seeds', 'microkaraoke')
  const names = await songNames(shipped)
  const {
    node: { log },
  } = nodes.apps[0] as App
  const songsThere = await songsToBegin(shipped, names, log)
  assert.deepEqual(
    songsThere.map(({ name }) => name),
    names,
  )
  for (const { name, durations, fillers } of songsThere) {
    for (const slot of durations.keys()) assert.equal(Boolean(await readLyrics(shipped, name, slot)), !fillers.includes(slot))
  }
})

test('the feature can be switched off, with the paths of karaoke too', async () => {
  const { one } = await someone()
  await disable(nodes, 'microkaraoke')
  try {
    for (const base of ['/microkaraoke', '/karaoke/mk']) await refused(one.get(`${base}/songlist`), 451)
    await body(moderator.one.get('/mod/microkaraoke/songlist'))
  } finally {
    await disable(nodes)
  }
})
