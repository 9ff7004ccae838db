// One chat: a seamail or a group, live.
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { client } from '../client.ts'
import { Compose } from '../kit/compose.tsx'
import { Menu } from '../kit/dialog.tsx'
import { MutedIcon } from '../kit/icon.tsx'
import { BellIcon } from '../kit/page-icon.tsx'
import { Page } from '../kit/page.tsx'
import { Report } from '../kit/report.tsx'
import { Answer } from '../kit/states.tsx'
import { attempt } from '../kit/toast.tsx'
import { send } from '../outbox.ts'
import { isModerator, mayWrite, me } from '../session.ts'
import { t } from '../texts.ts'
import { About } from './about.tsx'
import { companyOf, isSeamail, kindOf, teamOf } from './parts.tsx'
import { changeChat, useChat, useFirstNew, type Chat as ChatData } from './query.ts'
import { Letters, Thread } from './thread.tsx'
import { People } from './people.tsx'

export function Chat({ id, back }: { id: string; back: string }) {
  const result = useChat(id)
  const chat = result.data
  const firstNew = useFirstNew(chat)
  const isMember = chat?.members !== undefined
  const team = chat && teamOf(chat)
  return (
    <Page
      fixed={isMember}
      back={back}
      title={chat?.title ?? t('chat')}
      sub={chat && (isSeamail(chat) ? companyOf(chat) : kindOf(chat))}
      actions={chat && <Actions chat={chat} />}
      foot={
        isMember &&
        mayWrite.value && (
          <Compose
            label={t(team ? (team === 'moderator' ? 'asModerator' : 'asServiceTeam') : 'message')}
            maxPictures={chat && isSeamail(chat) ? 0 : 1}
            slow={chat?.slowModeSeconds}
            send={(text, pictures) => send('fez', id, text, pictures, { after: chat?.posts.at(-1)?.postID, as: team })}
          />
        )
      }
    >
      <Answer of={result}>
        {(data) => (
          <>
            {!isSeamail(data) && <About chat={data} />}
            {data.members && <Thread chat={data} firstNew={firstNew} />}
          </>
        )}
      </Answer>
      {!chat && <Letters id={id} />}
    </Page>
  )
}

function Actions({ chat }: { chat: ChatData }) {
  const [, go] = useLocation()
  const [open, setOpen] = useState<'people' | 'report' | undefined>()
  const { fezID } = chat
  const isOwner = chat.owner.userID === me.value?.userID
  const isMuted = chat.members?.isMuted ?? false
  const change = (work: () => Promise<unknown>) => attempt(() => changeChat(fezID, work))
  const leave = async () => {
    if (await change(() => client.fez.unjoin({ fezID }))) go(isSeamail(chat) ? '/seamail' : '/fez')
  }
  return (
    <>
      {chat.members && (
        <button
          type="button"
          class="round plain"
          aria-pressed={isMuted}
          aria-label={t('mute')}
          onClick={() => void change(() => (isMuted ? client.fez.removeMute({ fezID }) : client.fez.mute({ fezID })))}
        >
          {isMuted ? <MutedIcon /> : <BellIcon />}
        </button>
      )}
      <Menu
        title={t('chatMenu')}
        actions={[
          chat.members && { label: t('whoIsHere'), run: () => setOpen('people') },
          isOwner &&
            !isSeamail(chat) &&
            !chat.cancelled && { label: t('cancelGroup'), grave: true, run: () => void change(() => client.fez.cancel({ fezID })) },
          chat.members && !isOwner && chat.fezType !== 'closed' && { label: t('leave'), grave: true, run: () => void leave() },
          !isOwner && chat.fezType !== 'closed' && { label: t('report'), run: () => setOpen('report') },
          isModerator.value && chat.fezType !== 'closed' && { label: t('moderate'), run: () => go(`/moderate/fez/${fezID}`) },
        ]}
      />
      {open === 'people' && <People chat={chat} close={() => setOpen(undefined)} />}
      {open === 'report' && <Report close={() => setOpen(undefined)} report={(message) => client.fez.report({ fezID, message })} />}
    </>
  )
}
