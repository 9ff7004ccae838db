// One chat: a seamail or a group, live.
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { client } from '../client.ts'
import { Ask } from '../kit/ask.tsx'
import { Compose } from '../kit/compose.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Menu } from '../kit/menu.tsx'
import { nameOf } from '../kit/face.tsx'
import { MutedIcon } from '../kit/icon.tsx'
import { Page } from '../kit/page.tsx'
import { Report } from '../kit/report.tsx'
import { useShare } from '../kit/share.tsx'
import { Star } from '../kit/star.tsx'
import { Answer } from '../kit/states.tsx'
import { offerUndo, useSure } from '../kit/sure.tsx'
import { attempt } from '../kit/toast.tsx'
import { slowIn } from '../letters.ts'
import { send, type Team } from '../outbox.ts'
import { isModerator, mayWrite, me } from '../session.ts'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'
import { About } from './about.tsx'
import { companyOf, isGroup, isSeamail, kindOf, pathOf } from './parts.tsx'
import { changeChat, lookedFor, useChat, useFirstNew, watchers, type Chat as ChatData } from './one.ts'
import { Letters, Thread } from './thread.tsx'
import { People } from './people.tsx'

export function Chat({ id, back }: { id: string; back: string }) {
  const wanted = lookedFor()
  const result = useChat(id, wanted?.place)
  const chat = result.data
  const opening = useFirstNew(chat)
  const isMember = chat?.members !== undefined
  const team = chat && teamOf(chat)
  return (
    <Page
      fixed={isMember}
      back={back}
      title={chat?.title ?? t('chat')}
      sub={chat && <Company chat={chat} />}
      actions={chat && <Actions chat={chat} back={back} />}
      foot={
        isMember &&
        mayWrite.value && (
          <Compose
            place={`fez ${id}`}
            label={t(team ? (team === 'moderator' ? 'asModerator' : 'asServiceTeam') : 'message')}
            maxPictures={chat && isSeamail(chat) ? 0 : 1}
            slow={slowIn('fez', id, chat?.slowModeSeconds, chat?.posts)}
            of={{ place: 'fez', id, as: team, after: chat?.posts.at(-1)?.postID }}
            send={(text, pictures) => send('fez', id, text, pictures, { after: chat?.posts.at(-1)?.postID, as: team })}
          />
        )
      }
    >
      <Answer of={result}>
        {(data) => (
          <>
            {!isSeamail(data) && <About chat={data} />}
            {data.members && <Thread chat={data} {...opening} wanted={wanted} />}
          </>
        )}
      </Answer>
      {!chat && <Letters id={id} />}
    </Page>
  )
}

const namesShown = 3

/** The others who look at it now; else who is in it, or what it is. */
function Company({ chat }: { chat: ChatData }) {
  const names = watchers.value.map(nameOf)
  if (names.length === 0) return <>{isSeamail(chat) ? companyOf(chat) : kindOf(chat)}</>
  const more = names.length - namesShown
  return (
    <span class="here">
      {t('areHere', {
        n: names.length,
        names: [...names.slice(0, namesShown), ...(more > 0 ? [t('others', { n: more })] : [])].join(', '),
      })}
    </span>
  )
}

function Actions({ chat, back }: { chat: ChatData; back: string }) {
  const [, go] = useLocation()
  const [open, setOpen] = useState<'people' | 'report' | 'rename' | 'cancel'>()
  const close = () => setOpen(undefined)
  const { fezID } = chat
  const isOwner = chat.owner.userID === me.value?.userID
  const mayChange = mayWrite.value && (isOwner || isModerator.value)
  const { isMuted = false, isFavorite = false } = chat.members ?? {}
  const change = (work: () => Promise<unknown>) => attempt(() => changeChat(fezID, work))
  // A favorite cannot be muted.
  const mute = async () => {
    if (isFavorite) await client.fez.removeFavorite({ fezID })
    await client.fez.mute({ fezID })
  }
  const share = useShare({ path: pathOf(chat), title: chat.title })
  const { ask, question } = useSure()
  const leave = async () => {
    const out = () => client.fez.unjoin({ fezID })
    // Who is out of a thread may not read it any more: its page would try to.
    go(back, { replace: true })
    await (isGroup(chat) ? changeChat(fezID, out) : out())
    refresh('chats', 'numbers')
  }
  // A group lets everybody in again; elsewhere somebody has to.
  const askToLeave = () => {
    const { title } = chat
    if (!isGroup(chat)) return ask({ title: t('sure.leave', { title }), text: t('sure.leaveText'), done: t('leave'), run: leave })
    void attempt(async () => {
      await leave()
      offerUndo(t('hasLeft', { title }), () => changeChat(fezID, () => client.fez.join({ fezID })))
    })
  }
  const cancel = async () => {
    close()
    // An event of one's own alone is not called off, but gone.
    if (chat.fezType !== 'personalEvent') await change(() => client.fez.cancel({ fezID }))
    else if (await attempt(() => client.personalevents.remove({ fezID }))) go(back, { replace: true })
    refresh('chats')
  }
  return (
    <>
      {chat.members && !isMuted && (
        <Star
          on={isFavorite}
          label={t('favorite')}
          press={() => void change(() => (isFavorite ? client.fez.removeFavorite({ fezID }) : client.fez.favorite({ fezID })))}
        />
      )}
      {isMuted && (
        <button
          type="button"
          class="round plain"
          aria-pressed
          aria-label={t('mute')}
          onClick={() => void change(() => client.fez.removeMute({ fezID }))}
        >
          <MutedIcon />
        </button>
      )}
      <Menu
        title={t('chatMenu')}
        actions={[
          isGroup(chat) && share.action,
          chat.members && { label: t('whoIsHere'), opens: true, run: () => setOpen('people') },
          chat.members && !isMuted && { label: t('mute'), run: () => void change(mute) },
          mayChange &&
            (isSeamail(chat)
              ? { label: t('rename'), opens: true, run: () => setOpen('rename') }
              : { label: t('edit'), run: () => go(`${pathOf(chat)}/edit`) }),
          isOwner &&
            !isSeamail(chat) &&
            !chat.cancelled && {
              label: t(isGroup(chat) ? 'cancelGroup' : 'cancelEvent'),
              grave: true,
              opens: true,
              run: () => setOpen('cancel'),
            },
          chat.members && !isOwner && chat.fezType !== 'closed' && { label: t('leave'), grave: true, run: askToLeave },
          !isOwner &&
            !isSeamail(chat) &&
            chat.fezType !== 'personalEvent' && { label: t('report'), opens: true, run: () => setOpen('report') },
          isModerator.value && chat.fezType !== 'closed' && { label: t('moderate'), run: () => go(`/moderate/fez/${fezID}`) },
        ]}
      />
      {question}
      {share.dialog}
      {open === 'rename' && (
        <Ask
          title={t('rename')}
          label={t('subject')}
          done={t('save')}
          value={chat.title}
          field="title"
          close={close}
          run={(title) => changeChat(fezID, () => rename(chat, title))}
        />
      )}
      {open === 'cancel' && (
        <Dialog title={t(isGroup(chat) ? 'cancelGroup' : 'cancelEvent')} close={close}>
          <p>{t(chat.fezType === 'personalEvent' ? 'removeEventText' : 'cancelText')}</p>
          <div class="buttons">
            <button type="button" class="btn quiet" onClick={close}>
              {t('keepIt')}
            </button>
            <button type="button" class="btn grave" onClick={() => void cancel()}>
              {t('callOff')}
            </button>
          </div>
        </Dialog>
      )}
      {open === 'people' && <People chat={chat} close={close} />}
      {open === 'report' && <Report close={close} report={(message) => client.fez.report({ fezID, message })} />}
    </>
  )
}

/** Of a seamail only the title can be changed. */
function rename({ fezID, fezType, info }: ChatData, title: string) {
  return client.fez.update({ fezID, fezType, title, info, minCapacity: 0, maxCapacity: 0, initialUsers: [] })
}

/** The team in whose name the viewer answers, when the chat is not their own. The team has two names. */
function teamOf({ members }: ChatData): Team | undefined {
  const people = members?.participants ?? []
  if (!isModerator.value || people.length === 0 || people.some(({ userID }) => userID === me.value?.userID)) return undefined
  const names = people.map(({ username }) => username.toLowerCase())
  if (names.includes('moderator')) return 'moderator'
  return names.some((name) => ['serviceteam', 'twitarrteam'].includes(name)) ? 'serviceteam' : undefined
}
