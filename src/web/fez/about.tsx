// What a group is about: when and where, how many go, and the button to go along.
import type { FezData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { isWide } from '../kit/beside.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { ScheduleIcon, GroupsIcon } from '../kit/icon.tsx'
import { LinkIcon, LockedIcon, PlaceIcon } from '../kit/page-icon.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { ShareButton } from '../kit/share.tsx'
import { attempt } from '../kit/toast.tsx'
import { Words } from '../kit/words.tsx'
import { NotYet } from '../kit/not-yet.tsx'
import { mayWrite, me } from '../session.ts'
import { t } from '../texts.ts'
import { pathOf, seatsOf } from './parts.tsx'
import { changeChat } from './one.ts'

export function About({ chat }: { chat: FezData }) {
  const { fezID, members, cancelled, maxParticipants, participantCount } = chat
  const isFull = maxParticipants > 0 && participantCount >= maxParticipants
  const place = members?.waitingList.findIndex(({ userID }) => userID === me.value?.userID) ?? -1
  // Beside posts on a phone, one line of it: the room is theirs.
  const isFolded = !isWide.value && (members?.postCount ?? 0) > 0
  return (
    <section class={isFolded ? 'card about folds' : 'card pad about'} aria-label={t('about')}>
      {cancelled && <p class="wrong">{t('cancelled')}</p>}
      {isFolded ? (
        <details>
          <summary>
            <span class="short">{inShort(chat)}</span>
            <span class="whole">{t('about')}</span>
          </summary>
          <Facts chat={chat} />
        </details>
      ) : (
        <Facts chat={chat} />
      )}
      {place >= 0 && <p class="warn">{t('youWait', { place: place + 1 })}</p>}
      {!members && (
        <>
          {mayWrite.value && !cancelled && (
            <button type="button" class="btn" onClick={() => void attempt(() => changeChat(fezID, () => client.fez.join({ fezID })))}>
              {t(isFull ? 'joinWaiting' : 'join')}
            </button>
          )}
          <NotYet />
        </>
      )}
    </section>
  )
}

const spanOf = ({ startTime, endTime }: FezData) =>
  startTime && `${fullDay(startTime)}, ${clock(startTime)}${endTime ? ` – ${clock(endTime)}` : ''}`

const inShort = (chat: FezData): string => [spanOf(chat), chat.location].filter(Boolean).join(' · ') || seatsOf(chat)

function Facts({ chat }: { chat: FezData }) {
  const { fezType, visibility, location, info } = chat
  const span = spanOf(chat)
  return (
    <>
      {span && (
        <p class="fact">
          <ScheduleIcon size={18} /> {span}
        </p>
      )}
      {location && (
        <p class="fact">
          <PlaceIcon size={18} /> {location}
        </p>
      )}
      <p class="fact">
        <GroupsIcon size={18} /> {seatsOf(chat)}
      </p>
      {info && (
        <p class="words">
          <Words text={info} />
        </p>
      )}
      <p class="fact">
        <Face user={chat.owner} small /> {t('by', { name: nameOf(chat.owner) })}
      </p>
      {fezType === 'privateEvent' && (
        <p class="fact">
          {visibility === 'unlisted' ? <LinkIcon size={18} /> : <LockedIcon size={18} />}{' '}
          {t(visibility === 'unlisted' ? 'chat.visibility.unlisted' : 'chat.visibility.private')}
          {visibility === 'unlisted' && <ShareButton path={pathOf(chat)} title={chat.title} text={t('chat.shareText')} />}
        </p>
      )}
    </>
  )
}
