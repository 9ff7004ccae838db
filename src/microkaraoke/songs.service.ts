// Finished songs: lists, what they are played from, and reports.
import { builtIn } from '../accounts/rows.ts'
import type { Ctx, OpenCtx, Tx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { fileReply } from '../core/http/file-reply.ts'
import type { Reply } from '../core/http/route.ts'
import { isModerator } from '../core/base/viewer.ts'
import { fileReport } from '../moderation/report.service.ts'
import { markViewed } from '../hits/service.ts'
import { lockSongOf, selectSnippet, selectSnippets, selectSong, selectSongs, type SongRow } from './queries.ts'
import type { MicroKaraokeCompletedSong, MicroKaraokeSongManifest } from './schemas.ts'
import { snippetOf, videoPath } from './urls.ts'
import { completedSong, songManifest } from './views.ts'

/** Finished songs that the caller may see. The notice that they are ready counts as seen. */
export async function listSongs(ctx: Ctx): Promise<MicroKaraokeCompletedSong[]> {
  const songs = await selectSongs(ctx.sql, isModerator(ctx.viewer) ? 'complete' : 'approved', ctx.viewer.id)
  await markViewed(ctx, 'microKaraokeSong')
  return songs.map((song) => completedSong(song, song.contributed))
}

/** The videos and the music of a finished song. */
export async function getManifest(ctx: Ctx, songId: number): Promise<MicroKaraokeSongManifest> {
  const song = await selectSong(ctx.sql, songId)
  if (!song || !isVisible(ctx, song)) throw notAvailable('song')
  if (!song.isComplete) throw badRequest('song_incomplete', 'This song is not complete.')
  return songManifest(ctx.node.config, song, await selectSnippets(ctx.sql, songId, new Date(ctx.nowMs)))
}

/** The answer with a recording. */
export async function sendVideo(ctx: OpenCtx, filename: string): Promise<Reply> {
  const id = snippetOf(filename)
  if (id === undefined) throw badRequest('name_invalid', 'This is not the name of a video.')
  const file = await ctx.node.files.find(videoPath(id))
  if (!file) throw notAvailable('video')
  return fileReply(file, 'video/mp4')
}

/** Reports a song to the moderators. */
export async function reportSong(ctx: Ctx, songId: number, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const song = await selectSong(tx.sql, songId)
    if (!song || !isVisible(ctx, song)) throw notAvailable('song')
    await fileReport(tx, { type: 'mkSong', reportedId: String(songId), reportedUserId: builtIn.MicroKaraoke, message })
  })
}

/** Reports what one user has sung in a song. */
export async function reportSnippet(ctx: Ctx, snippetId: string, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { authorId } = await visibleSnippet(tx, snippetId)
    await fileReport(tx, { type: 'mkSongSnippet', reportedId: snippetId, reportedUserId: authorId, message })
  })
}

async function visibleSnippet(tx: Tx, snippetId: string) {
  const song = await lockSongOf(tx.sql, snippetId)
  const snippet = song && isVisible(tx.ctx, song) ? await selectSnippet(tx.sql, snippetId) : undefined
  if (!snippet || snippet.deletedAt || snippet.expiresAt) throw notAvailable('snippet')
  return snippet
}

/** Moderators see songs that they have not approved, and those that are not complete. */
function isVisible({ viewer }: Ctx, { modApproved }: SongRow): boolean {
  return modApproved || isModerator(viewer)
}
