// From rows to what clients get. Pure.
import type { Accounts } from '../accounts/accounts.ts'
import type { Config } from '../core/base/config.ts'
import type { OfferRow, SnippetRow, SongRow } from './queries.ts'
import type {
  MicroKaraokeCompletedSong,
  MicroKaraokeOfferPacket,
  MicroKaraokeSnippetModeration,
  MicroKaraokeSongManifest,
} from './schemas.ts'
import { assetUrl, videoUrl } from './urls.ts'

/** Everything a singer needs for their slot. */
export function offerPacket(config: Config, offer: OfferRow, lyrics: string): MicroKaraokeOfferPacket {
  return {
    offerID: offer.id,
    songID: offer.songId,
    songName: offer.name,
    artistName: offer.artist,
    bpm: offer.bpm,
    portraitMode: offer.isPortrait,
    snippetIndex: offer.slot,
    lyrics,
    originalSnippetSoundURL: assetUrl(config, offer.name, offer.slot, 'listen.mp3'),
    karaokeSnippetSoundURL: assetUrl(config, offer.name, offer.slot, 'record.mp3'),
    offerExpirationTime: offer.expiresAt,
  }
}

/** A song in a list, finished or not. */
export function completedSong(song: SongRow, userContributed: boolean): MicroKaraokeCompletedSong {
  return {
    songID: song.id,
    songName: song.name,
    artistName: song.artist,
    totalSnippetSlots: song.durations.length,
    ...(song.isComplete ? { completionTime: song.updatedAt } : {}),
    modApproved: song.modApproved,
    userContributed,
  }
}

/** `snippets` fill every slot, in order. */
export function songManifest(config: Config, song: SongRow, snippets: readonly SnippetRow[]): MicroKaraokeSongManifest {
  return {
    songID: song.id,
    portraitMode: song.isPortrait,
    snippetVideoURLs: snippets.map((snippet) => videoUrl(config, song, snippet)),
    snippetDurations: song.durations,
    karaokeMusicTrack: assetUrl(config, song.name, 'karaokeAudio.mp3'),
  }
}

/** One slot of a song, sung or reserved, as moderators see it. */
export function snippetModeration(config: Config, accounts: Accounts, song: SongRow, snippet: SnippetRow): MicroKaraokeSnippetModeration {
  return {
    snippetID: snippet.id,
    songID: song.id,
    snippetIndex: snippet.slot,
    user: accounts.get(snippet.authorId).header,
    ...(snippet.expiresAt === null ? { videoURL: videoUrl(config, song, snippet) } : {}),
  }
}
