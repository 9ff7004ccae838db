// The wire forms of micro karaoke.
import { UserHeader } from '../accounts/schemas.ts'
import { Bytes, DateTime, Dto, Int, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** A slot of a song, reserved for one user for some time. */
export type MicroKaraokeOfferPacket = Static<typeof MicroKaraokeOfferPacket>
export const MicroKaraokeOfferPacket = Dto('MicroKaraokeOfferPacket', {
  offerID: Uuid,
  songID: Int,
  songName: Type.String(),
  artistName: Type.String(),
  bpm: Int,
  /** False: all videos of the song are in landscape. */
  portraitMode: Type.Boolean(),
  /** From 0. */
  snippetIndex: Int,
  /** The lyrics to sing. */
  lyrics: Type.String(),
  originalSnippetSoundURL: Type.String(),
  karaokeSnippetSoundURL: Type.String(),
  offerExpirationTime: DateTime,
})

/** Bytes of a video; both are too little and too much. */
const [videoAbove, videoBelow] = [500_000, 40_000_000]

/** A recording. */
export type MicroKaraokeRecordingData = Static<typeof MicroKaraokeRecordingData>
export const MicroKaraokeRecordingData = Dto(
  'MicroKaraokeRecordingData',
  {
    offerID: Uuid,
    /** MP4. */
    videoData: Bytes,
  },
  ({ videoData }, fail) => {
    if (videoData.size <= videoAbove || videoData.size >= videoBelow)
      fail(`videoData must have more than ${videoAbove} and less than ${videoBelow} bytes`, 'videoData')
  },
)

/** A song in a list; `completionTime` is there when all slots are filled. */
export type MicroKaraokeCompletedSong = Static<typeof MicroKaraokeCompletedSong>
export const MicroKaraokeCompletedSong = Dto('MicroKaraokeCompletedSong', {
  songID: Int,
  songName: Type.String(),
  artistName: Type.String(),
  totalSnippetSlots: Int,
  completionTime: Type.Optional(DateTime),
  modApproved: Type.Boolean(),
  /** The caller has a part in it. */
  userContributed: Type.Boolean(),
})

/** The videos of a song, in order. */
export type MicroKaraokeSongManifest = Static<typeof MicroKaraokeSongManifest>
export const MicroKaraokeSongManifest = Dto('MicroKaraokeSongManifest', {
  songID: Int,
  portraitMode: Type.Boolean(),
  /** In the order of the slots. */
  snippetVideoURLs: Type.Array(Type.String()),
  /** Seconds. */
  snippetDurations: Type.Array(Type.Number()),
  karaokeMusicTrack: Type.String(),
})

/** A slot that is taken, as moderators see it. */
export type MicroKaraokeSnippetModeration = Static<typeof MicroKaraokeSnippetModeration>
export const MicroKaraokeSnippetModeration = Dto('MicroKaraokeSnippetModeration', {
  snippetID: Uuid,
  songID: Int,
  snippetIndex: Int,
  user: UserHeader,
  /** Absent while it is only an offer. */
  videoURL: Type.Optional(Type.String()),
})
