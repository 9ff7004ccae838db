// Reserving a slot of a song, and filling it with a recording.
import { builtIn } from '../accounts/rows.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { incoming } from '../core/files/files.ts'
import { badRequest, notAvailable, validationFailed } from '../core/base/errors.ts'
import { atLeast, requireCreator } from '../core/base/viewer.ts'
import { takeRoom } from '../image/room.service.ts'
import { assetsFolder, readLyrics, songNames, songsToBegin } from './assets.ts'
import {
  countOpenSlots,
  fillSnippet,
  hasOffer,
  insertSong,
  lockBuilding,
  lockOffers,
  lockSongOf,
  selectNewestName,
  selectOffer,
  selectSnippet,
  selectTaken,
  upsertOffer,
  type OfferRow,
  type SnippetRow,
} from './queries.ts'
import type { MicroKaraokeOfferPacket, MicroKaraokeRecordingData } from './schemas.ts'
import { videoPath } from './urls.ts'
import { offerPacket } from './views.ts'

const offerLastsMs = 30 * 60_000
/** How long a singer waits before they are asked again. */
const restMs = 4 * 60 * 60_000
/** With fewer open slots than this another song is begun. */
const enoughSlots = 5

/** The slot that the caller is to sing next: the one offered already, or a new one. */
export async function offerSlot(ctx: Ctx): Promise<MicroKaraokeOfferPacket> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const folder = assetsFolder(ctx.node.config)
  const names = await songNames(folder)
  const offer = await ctx.transaction(async (tx) => {
    await lockOffers(tx.sql)
    const known = await selectOffer(tx.sql, tx.viewer.personId, tx.now)
    // Or one person could keep all slots of a song from others.
    if (known && known.authorId !== tx.viewer.id) throw badRequest('nothing_to_sing', 'Another account of yours has an open offer.')
    if (known) return known
    if (folder !== undefined && (await countOpenSlots(tx.sql, names, tx.now)) < enoughSlots) await beginSong(tx, folder, names)
    return await reserve(tx, names)
  })
  const lyrics = await readLyrics(folder, offer.name, offer.slot)
  if (lyrics === undefined)
    throw badRequest('song_files_missing', `The sounds and lyrics of ${offer.name} are missing on the server. Tell the service team.`)
  return offerPacket(ctx.node.config, offer, lyrics)
}

/** Begins any song that can be begun, but not the newest again when there are others. */
async function beginSong(
  {
    sql,
    ctx: {
      log,
      node: { random },
    },
    now,
  }: Tx,
  folder: string,
  names: readonly string[],
): Promise<void> {
  const candidates = await songsToBegin(folder, names, log)
  const newest = await selectNewestName(sql)
  const others = candidates.filter(({ name }) => name !== newest)
  const choice = others.length > 0 ? others : candidates
  if (choice.length === 0) return
  const song = choice[random.below(choice.length)] as (typeof choice)[number]
  await insertSong(sql, {
    ...song,
    fillers: song.fillers.map((slot) => ({ id: random.uuid(), slot })),
    fillerAuthorId: builtIn.MicroKaraoke,
    isPortrait: random.below(2) === 0,
    now,
  })
}

/** Reserves a slot of the oldest song that the caller may sing in. */
async function reserve(
  {
    sql,
    viewer,
    now,
    ctx: {
      node: { random },
    },
  }: Tx,
  names: readonly string[],
): Promise<OfferRow> {
  const songs = await lockBuilding(sql, names)
  const taken = await selectTaken(
    sql,
    songs.map(({ id }) => id),
    now,
  )
  const restless = atLeast(viewer.level, 'serviceteam') || viewer.roles.has('karaokeambassador')
  const restedSince = now.getTime() - restMs
  let resting = false
  for (const song of songs) {
    const snippets = taken.filter(({ songId }) => songId === song.id)
    const open = song.durations.map((_, slot) => slot).filter((slot) => !snippets.some((snippet) => snippet.slot === slot))
    if (open.length === 0) continue
    if (!restless && snippets.some(({ personId, updatedAt }) => personId === viewer.personId && updatedAt.getTime() > restedSince)) {
      resting = true
      continue
    }
    const offer = { id: random.uuid(), slot: open[random.below(open.length)] as number, expiresAt: new Date(now.getTime() + offerLastsMs) }
    await upsertOffer(sql, { ...offer, songId: song.id, authorId: viewer.id, now })
    return {
      ...offer,
      authorId: viewer.id,
      songId: song.id,
      name: song.name,
      artist: song.artist,
      bpm: song.bpm,
      isPortrait: song.isPortrait,
    }
  }
  if (resting) throw badRequest('nothing_to_sing', 'You have sung in every song that is being made. Come back in a few hours.')
  if (names.length === 0) throw badRequest('nothing_to_sing', 'There are no songs on this server.')
  throw badRequest('nothing_to_sing', 'Nothing is left to sing at the moment. Come back later.')
}

/** Rejects callers without an open offer, before their video is kept. What has been sung may come once more with its Idempotency-Key. */
export async function requireOffer(ctx: Ctx): Promise<void> {
  requireCreator(ctx.viewer, ctx.nowMs)
  if (!(await hasOffer(ctx.sql, ctx.viewer.id, new Date(ctx.nowMs))))
    throw badRequest('no_open_offer', 'You have no open offer. Ask for one first.')
}

/** Fills the slot of an offer, also one that has expired, as long as nobody else has the slot. */
export async function addRecording(ctx: Ctx, { offerID, videoData }: MicroKaraokeRecordingData): Promise<void> {
  requireCreator(ctx.viewer, ctx.nowMs)
  if (isText(await videoData.first(examinedBytes)))
    throw validationFailed(new Map([['videoData', ['videoData must be a video, not a text or a page']]]))
  const { store } = ctx.node.files
  const source = `${incoming}/${ctx.node.random.uuid().toUpperCase()}`
  try {
    // All of it, before anybody waits for the slot.
    await videoData.putInto(store, source, { forGood: true })
    await ctx.transaction(async (tx) => {
      const snippet = await lockOffered(tx, offerID)
      await takeRoom(ctx.node, tx.sql, tx.viewer, { name: videoPath(offerID), bytes: videoData.size })
      // Before the row says so. A file without a row is swept away.
      await store.move(source, videoPath(offerID), { forGood: true })
      await fillSnippet(tx.sql, snippet, tx.now)
    })
  } finally {
    // What has come before, or is refused, is still there.
    await store.remove(source).catch(() => undefined)
  }
}

/** As many as browsers look at to find out what something is. */
const examinedBytes = 512

/**
 * Of the first bytes of a file: whether some program would take it for a text, a page or a document, whatever it is called.
 * Everything else is taken: the reference stores videos unchecked, and phones make many kinds.
 */
function isText(start: Buffer): boolean {
  const isBinary = start.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b)
  return (
    !isBinary || /^(?:\xef\xbb\xbf)?\s*(?:<(?:!doctype|!--|\?xml|[a-z][a-z0-9]{0,9}[\s/>])|%PDF-|%!PS-)/i.test(start.toString('latin1'))
  )
}

async function lockOffered(tx: Tx, offerId: string): Promise<SnippetRow> {
  const song = await lockSongOf(tx.sql, offerId)
  // Read under the lock: the slot may have been given away meanwhile.
  const snippet = song && (await selectSnippet(tx.sql, offerId))
  if (!snippet) throw notAvailable('offer')
  if (snippet.authorId !== tx.viewer.id) throw badRequest('not_owner', 'This was offered to somebody else.')
  if (snippet.expiresAt === null) throw badRequest('already_done', 'This offer has a recording already.')
  if (snippet.deletedAt) throw badRequest('offer_withdrawn', 'This offer was withdrawn.')
  return snippet
}
