// Micro karaoke for the team: songs that wait to be approved, part by part, and starting one over.
import { useState } from 'preact/hooks'
import type { MicroKaraokeCompletedSong, MicroKaraokeSnippetModeration } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage } from '../team/parts.tsx'
import { c } from '../team/texts.ts'

type Song = MicroKaraokeCompletedSong

/** Addresses in answers name the server as phones know it; the files are here, too. */
const here = (address: string): string => new URL(address, location.href).pathname
const changed = () => refresh('console microkaraoke', 'microkaraoke')

/** Complete songs that wait come first, then those under way. */
const order = (song: Song) => (song.completionTime && !song.modApproved ? 0 : song.modApproved ? 2 : 1)

export function MicroSongs() {
  const songs = useQuery({ queryKey: ['console microkaraoke'], queryFn: () => client.mod.microkaraokeSonglist() })
  return (
    <ConsolePage title={c('microKaraoke')}>
      <p class="quiet after-tabs">{c('microKaraokeText')}</p>
      <Answer of={songs}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={c('noMicroSongs')} />
          ) : (
            <ul class="card">
              {all
                .toSorted((a, b) => order(a) - order(b) || a.songID - b.songID)
                .map((song) => (
                  <SongLine key={song.songID} song={song} />
                ))}
            </ul>
          )
        }
      </Answer>
    </ConsolePage>
  )
}

function SongLine({ song }: { song: Song }) {
  const { songName, artistName, completionTime, modApproved, totalSnippetSlots } = song
  const [open, setOpen] = useState(false)
  const waits = completionTime !== undefined && !modApproved
  return (
    <li class="group">
      <span class={`dot ${modApproved ? 'good' : waits ? 'warning' : 'closed'}`} aria-hidden="true" />
      <span class="grow">
        <b>{songName}</b>
        <small>
          {artistName} · {c('parts', { n: totalSnippetSlots })} ·{' '}
          {modApproved ? c('songApproved') : waits ? c('songWaits', { time: when(completionTime) }) : c('songUnderWay')}
        </small>
      </span>
      <button
        type="button"
        class={waits ? 'btn' : 'btn quiet'}
        aria-label={`${c('lookAtUpdate')}: ${songName}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {c('lookAtUpdate')}
      </button>
      {open && <Parts song={song} mayApprove={waits} close={() => setOpen(false)} />}
    </li>
  )
}

function Parts({ song: { songID, songName }, mayApprove, close }: { song: Song; mayApprove: boolean; close: () => void }) {
  const parts = useQuery({
    queryKey: ['console microkaraoke', songID],
    queryFn: () => client.mod.microkaraokeSnippets({ micro_karaoke_song_id: songID }),
  })
  const approve = async () => {
    const done = await attempt(async () => {
      await client.mod.microkaraokeApprove({ micro_karaoke_song_id: songID })
      toast(c('songIsApproved', { name: songName }))
      changed()
    })
    if (done) close()
  }
  return (
    <Dialog title={songName} close={close}>
      <Answer of={parts}>
        {(all) => (
          <>
            {all.length === 0 && <Empty title={c('nobodySang')} />}
            <ul class="plain-list">
              {all.map((part) => (
                <Part key={part.snippetID} part={part} />
              ))}
            </ul>
            <div class="buttons">
              {all.length > 0 && <StartOver parts={all} name={songName} />}
              {mayApprove && (
                <button type="button" class="btn" onClick={() => void approve()}>
                  {c('approveSong')}
                </button>
              )}
            </div>
          </>
        )}
      </Answer>
    </Dialog>
  )
}

const remove = (part: MicroKaraokeSnippetModeration) => client.mod.removeMicrokaraokeSnippet({ micro_karaoke_snippet_id: part.snippetID })

function Part({ part }: { part: MicroKaraokeSnippetModeration }) {
  const { snippetIndex, user, videoURL } = part
  const take = () =>
    attempt(async () => {
      await remove(part)
      changed()
    })
  return (
    <li>
      <div class="author">
        <Face user={user} small />
        <span class="grow">
          <b>{c('partOf', { n: snippetIndex + 1, name: nameOf(user) })}</b>
          {!videoURL && <small>{c('partReserved')}</small>}
        </span>
        <button type="button" class="btn quiet" onClick={() => void take()}>
          {c('takeOut')}
        </button>
      </div>
      {videoURL && <video class="part" src={here(videoURL)} controls playsInline preload="none" aria-label={nameOf(user)} />}
    </li>
  )
}

/** Two presses: what was sung is lost. */
function StartOver({ parts, name }: { parts: readonly MicroKaraokeSnippetModeration[]; name: string }) {
  const [sure, setSure] = useState(false)
  const reset = () =>
    attempt(async () => {
      for (const part of parts) await remove(part)
      toast(c('songStartsOver', { name }))
      changed()
      setSure(false)
    })
  return (
    <button type="button" class={sure ? 'btn grave' : 'btn quiet'} onClick={() => (sure ? void reset() : setSure(true))}>
      {sure ? c('startOverSure', { n: parts.length }) : `${c('startOver')} …`}
    </button>
  )
}
