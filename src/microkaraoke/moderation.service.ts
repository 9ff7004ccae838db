// Moderation of songs and their snippets.
import { mayRemoveImages } from '../image/removals.service.ts'
import { recountRemoved } from '../image/room.service.ts'
import { builtIn } from '../accounts/rows.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { addHits, removeHits } from '../hits/service.ts'
import {
  lockSong,
  lockSongOf,
  selectSingers,
  selectSnippet,
  selectSnippetIdsOf,
  selectSnippets,
  selectSong,
  selectSongs,
  softDeleteSnippet,
  updateApproved,
  type SongRow,
} from './queries.ts'
import type { MicroKaraokeCompletedSong, MicroKaraokeSnippetModeration } from './schemas.ts'
import { videoPath } from './urls.ts'
import { completedSong, snippetModeration } from './views.ts'

/** All songs, finished or not. */
export async function listSongsModeration(ctx: Ctx): Promise<MicroKaraokeCompletedSong[]> {
  return (await selectSongs(ctx.sql, 'all', ctx.viewer.id)).map((song) => completedSong(song, false))
}

/** One song, finished or not. */
export async function getSongModeration(ctx: Ctx, songId: number): Promise<MicroKaraokeCompletedSong> {
  return completedSong(await songOf(ctx, songId), false)
}

/** The slots of a song that are taken, in order. */
export async function listSnippets(ctx: Ctx, songId: number): Promise<MicroKaraokeSnippetModeration[]> {
  const song = await songOf(ctx, songId)
  const snippets = await selectSnippets(ctx.sql, songId, new Date(ctx.nowMs))
  const { accounts, config } = ctx.node
  await accounts.load(new Set(snippets.map(({ authorId }) => authorId)))
  return snippets.map((snippet) => snippetModeration(config, accounts, song, snippet))
}

async function songOf(ctx: Ctx, songId: number): Promise<SongRow> {
  const song = await selectSong(ctx.sql, songId)
  if (!song) throw notAvailable('song')
  return song
}

/** Takes a snippet, or an offer, out of its song; somebody else may sing the slot then. Nothing happens when it is gone already. */
export async function deleteSnippet(ctx: Ctx, snippetId: string): Promise<void> {
  const { deleted } = await ctx.transaction(async (tx) => {
    const song = await lockSongOf(tx.sql, snippetId)
    const snippet = song && (await selectSnippet(tx.sql, snippetId))
    if (!snippet || snippet.deletedAt) return { deleted: false }
    if (snippet.isFiller) throw badRequest('part_fixed', 'This part comes with the song and cannot be sung.')
    await softDeleteSnippet(tx.sql, snippet, tx.now)
    if (song?.modApproved) await removeHits(tx, 'microKaraokeSong', song.id)
    const { authorId: ownerId, songId, slot } = snippet
    // Singers cannot do it themselves.
    await logModeratorAction(
      tx,
      { action: 'delete', contentType: 'mkSongSnippet', contentId: snippetId, ownerId },
      { beyondOwner: true, details: { song: songId, slot } },
    )
    return { deleted: true }
  })
  if (deleted) await removeVideos(ctx, [snippetId])
}

/** Takes all parts of these accounts out of their songs; returns the ids of the parts. */
export async function removeSnippetsOf(tx: Tx, accountIds: readonly string[]): Promise<string[]> {
  const ids = await selectSnippetIdsOf(tx.sql, accountIds)
  for (const id of ids) {
    const song = await lockSongOf(tx.sql, id)
    const snippet = song && (await selectSnippet(tx.sql, id))
    if (!snippet || snippet.deletedAt || snippet.isFiller) continue
    await softDeleteSnippet(tx.sql, snippet, tx.now)
    if (song.modApproved) await removeHits(tx, 'microKaraokeSong', song.id)
  }
  return ids
}

/** Removes the videos of parts that are gone. A file that stays because of a fault or a backup is swept away. */
export async function removeVideos(ctx: Ctx, snippetIds: readonly string[]): Promise<void> {
  if (snippetIds.length === 0 || !(await mayRemoveImages(ctx))) return
  for (const id of snippetIds) await ctx.node.files.store.remove(videoPath(id))
  await recountRemoved(ctx, snippetIds.map(videoPath))
}

/** Shows a complete song to everybody and tells those who have sung in it, as often as it is approved. */
export async function approveSong(ctx: Ctx, songId: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const song = await lockSong(tx.sql, songId)
    if (!song) throw notAvailable('song')
    if (!song.isComplete) throw badRequest('song_incomplete', 'This song is not complete.')
    await updateApproved(tx.sql, songId, tx.now)
    await logModeratorAction(tx, {
      action: 'markReviewed',
      contentType: 'mkSong',
      contentId: String(songId),
      ownerId: builtIn.MicroKaraoke,
    })
    // As if they had not seen it yet, when it was approved before.
    await removeHits(tx, 'microKaraokeSong', songId)
    await addHits(
      tx,
      'microKaraokeSong',
      songId,
      await selectSingers(tx.sql, songId),
      `${song.name}, which you have sung in, can be watched.`,
    )
  })
}
