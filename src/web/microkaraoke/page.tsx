// Micro karaoke: a song that many sing, a line each. The songs that are ready, one of them to watch, and a line to record.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { MicroKaraokeCompletedSong, MicroKaraokeOfferPacket, MicroKaraokeSongManifest } from '../../sdk/client.ts'
import { client, sentenceOf } from '../client.ts'
import { Menu } from '../kit/menu.tsx'
import { KaraokeIcon } from '../kit/icon.tsx'
import { OpenIcon } from '../kit/page-icon.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Report } from '../kit/report.tsx'
import { Row } from '../kit/row.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, when } from '../kit/time.ts'
import { toast } from '../kit/toast.tsx'
import { Progress } from '../kit/upload.tsx'
import { mayWrite } from '../session.ts'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { formatHere, record, type Take } from './recorder.ts'

export function MicroKaraoke() {
  const songs = useQuery({ queryKey: ['microkaraoke'], queryFn: () => client.microkaraoke.songlist() })
  return (
    <Page
      title={t('microKaraoke')}
      back="/karaoke"
      actions={
        mayWrite.value && (
          <Link href="/microkaraoke/record" class="btn">
            <KaraokeIcon size={18} /> {t('sing')}
          </Link>
        )
      }
    >
      <Answer of={songs}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('noMicroSongs')}>{t('noMicroSongsText')}</Empty>
          ) : (
            <>
              <p class="quiet pad">{t('microKaraoke.text')}</p>
              {[true, false].map((withYou) => (
                <SongList key={String(withYou)} songs={all.filter((song) => song.userContributed === withYou)} withYou={withYou} />
              ))}
            </>
          )
        }
      </Answer>
    </Page>
  )
}

/** Those that one has sung in oneself, or the others; the last first. */
function SongList({ songs, withYou }: { songs: readonly MicroKaraokeCompletedSong[]; withYou: boolean }) {
  if (songs.length === 0) return null
  return (
    <Section title={t(withYou ? 'microKaraoke.withYou' : 'microKaraoke.ready')}>
      <ul class="card">
        {songs
          .toSorted((a, b) => ((a.completionTime ?? '') > (b.completionTime ?? '') ? -1 : 1))
          .map(({ songID, songName, artistName, completionTime }) => (
            <Row
              key={songID}
              href={`/microkaraokesong/${songID}`}
              title={songName}
              sub={[artistName, completionTime && when(completionTime)].filter(Boolean).join(' · ')}
              tail={<OpenIcon size={18} />}
            />
          ))}
      </ul>
    </Section>
  )
}

export function MicroSong({ id }: { id: string }) {
  const songID = Number(id)
  const songs = useQuery({ queryKey: ['microkaraoke'], queryFn: () => client.microkaraoke.songlist() })
  const song = useQuery({
    queryKey: ['microkaraoke', songID],
    queryFn: () => client.microkaraoke.song({ micro_karaoke_song_id: songID }),
  })
  const known = songs.data?.find((each) => each.songID === songID)
  const [reporting, setReporting] = useState(false)
  return (
    <Page
      title={known?.songName ?? t('microKaraoke')}
      sub={known?.artistName}
      back="/microkaraoke"
      actions={<Menu title={t('songMenu')} actions={[{ label: t('report'), opens: true, run: () => setReporting(true) }]} />}
    >
      <Answer of={song}>{(manifest) => <Player song={manifest} />}</Answer>
      {reporting && (
        <Report
          close={() => setReporting(false)}
          report={(message) => client.microkaraoke.songReport({ micro_karaoke_song_id: songID, message })}
        />
      )}
    </Page>
  )
}

/** Addresses in answers name the server as phones know it; the files are here, too. */
const here = (address: string): string => new URL(address, location.href).pathname

/** The music plays through; the pictures of the singers follow it. */
function Player({ song: { snippetVideoURLs, snippetDurations, karaokeMusicTrack, portraitMode } }: { song: MicroKaraokeSongManifest }) {
  const music = useRef<HTMLAudioElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [line, setLine] = useState(0)
  const starts = snippetDurations.map((_, index) => snippetDurations.slice(0, index).reduce((sum, each) => sum + each, 0))
  const follow = () => {
    const at = music.current?.currentTime ?? 0
    const now = starts.findLastIndex((start) => start <= at)
    if (now >= 0 && now !== line) setLine(now)
  }
  useEffect(() => {
    if (music.current && !music.current.paused) void video.current?.play().catch(() => undefined)
  }, [line])
  return (
    <div class="card pad">
      <video
        ref={video}
        class={portraitMode ? 'clip portrait-clip' : 'clip'}
        src={here(snippetVideoURLs[line] ?? '')}
        playsInline
        preload="auto"
        aria-label={t('lineOf', { number: line + 1, count: snippetVideoURLs.length })}
      />
      <audio
        ref={music}
        class="music"
        controls
        src={here(karaokeMusicTrack)}
        aria-label={t('music')}
        onTimeUpdate={follow}
        onPlay={() => void video.current?.play().catch(() => undefined)}
        onPause={() => video.current?.pause()}
        onEnded={() => setLine(0)}
      />
      <p class="quiet">{t('lineOf', { number: line + 1, count: snippetVideoURLs.length })}</p>
    </div>
  )
}

type Step = 'offered' | 'recording' | 'recorded' | 'sending' | 'sent'

export function MicroRecord() {
  const [offer, setOffer] = useState<MicroKaraokeOfferPacket>()
  const [error, setError] = useState<unknown>()
  const format = formatHere()
  const reserve = () => {
    setError(undefined)
    client.microkaraoke.offer().then(setOffer, setError)
  }
  return (
    <Page title={t('sing')} back="/microkaraoke">
      {format === undefined ? (
        <Empty title={t('noRecording')}>{t(isSecureContext ? 'noRecordingHere' : 'noRecordingInsecure')}</Empty>
      ) : offer ? (
        <Studio offer={offer} format={format} again={reserve} />
      ) : (
        <div class="card pad">
          <p>{t('singText')}</p>
          {error !== undefined && (
            <p class="wrong" role="alert">
              {sentenceOf(error)}
            </p>
          )}
          <button type="button" class="btn" onClick={reserve}>
            {t('giveMeALine')}
          </button>
        </div>
      )}
    </Page>
  )
}

function Studio({ offer, format, again }: { offer: MicroKaraokeOfferPacket; format: string; again: () => void }) {
  const { offerID, songName, artistName, lyrics, originalSnippetSoundURL, karaokeSnippetSoundURL, offerExpirationTime, portraitMode } =
    offer
  const [step, setStep] = useState<Step>('offered')
  const [taken, setTaken] = useState<{ clip: Blob; address: string }>()
  const [share, setShare] = useState<number>()
  const [error, setError] = useState<unknown>()
  const picture = useRef<HTMLVideoElement>(null)
  const take = useRef<Take>()
  useEffect(() => () => take.current?.stop(), [])
  useEffect(() => () => URL.revokeObjectURL(taken?.address ?? ''), [taken])

  const start = async () => {
    setError(undefined)
    setStep('recording')
    try {
      const clip = await record({
        format,
        music: here(karaokeSnippetSoundURL),
        isPortrait: portraitMode,
        begun: (begun, stream) => {
          take.current = begun
          if (picture.current) picture.current.srcObject = stream
        },
      })
      setTaken({ clip, address: URL.createObjectURL(clip) })
      setStep('recorded')
    } catch (failure) {
      setError(failure instanceof DOMException ? new Error(t('noCamera')) : failure)
      setStep('offered')
    }
  }
  const send = async (clip: Blob) => {
    setError(undefined)
    setShare(0)
    setStep('sending')
    try {
      // A clip has megabytes: with progress only a transfer that stands still is broken off.
      await client.microkaraoke.recording({ offerID, videoData: clip }, { onProgress: setShare })
      refresh('microkaraoke')
      toast(t('lineSent'))
      setStep('sent')
    } catch (failure) {
      setError(failure)
      setStep('recorded')
    }
    setShare(undefined)
  }
  if (step === 'sent') {
    return (
      <Empty title={t('lineSent')}>
        <button type="button" class="btn quiet" onClick={again}>
          {t('anotherLine')}
        </button>
      </Empty>
    )
  }
  return (
    <div class="card pad">
      <p class="headline">{lyrics}</p>
      <p class="quiet">
        {songName} · {artistName} · {t('until', { time: clock(offerExpirationTime) })}
      </p>
      {step === 'offered' && (
        <>
          <p class="label">{t('listenFirst')}</p>
          <audio class="music" controls src={here(originalSnippetSoundURL)} aria-label={t('listenFirst')} />
          <p class="quiet">{t('useHeadphones')}</p>
        </>
      )}
      {step === 'recording' && <video ref={picture} class="clip mirror" autoPlay muted playsInline aria-label={t('yourPicture')} />}
      {taken && (step === 'recorded' || step === 'sending') && (
        <video class="clip" src={taken.address} controls playsInline aria-label={t('yourTake')} />
      )}
      {error !== undefined && (
        <p class="wrong" role="alert">
          {sentenceOf(error)}
        </p>
      )}
      <Progress share={share} />
      <div class="buttons">
        {step === 'recording' ? (
          <button type="button" class="btn grave" onClick={() => take.current?.stop()}>
            {t('stop')}
          </button>
        ) : (
          <button type="button" class={taken ? 'btn quiet' : 'btn'} disabled={step === 'sending'} onClick={() => void start()}>
            {t(taken ? 'recordAgain' : 'record')}
          </button>
        )}
        {taken && step !== 'recording' && (
          <button type="button" class="btn" disabled={step === 'sending'} onClick={() => void send(taken.clip)}>
            {t(step === 'sending' ? 'sending' : 'send')}
          </button>
        )}
      </div>
    </div>
  )
}
