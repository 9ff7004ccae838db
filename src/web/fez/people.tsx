// Who is in a chat. Its owner adds and removes people here; moderators remove them.
import { useState } from 'preact/hooks'
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { CloseIcon } from '../kit/icon.tsx'
import { Row } from '../kit/row.tsx'
import { attempt } from '../kit/toast.tsx'
import { isModerator, me } from '../session.ts'
import { t } from '../texts.ts'
import { PeoplePicker } from '../users/picker.tsx'
import { changeChat, type Chat } from './one.ts'

export function People({ chat, close }: { chat: Chat; close: () => void }) {
  const [added, setAdded] = useState(0)
  const isOwner = chat.owner.userID === me.value?.userID && chat.fezType !== 'closed'
  const mayRemove = chat.fezType !== 'closed' && (isOwner || isModerator.value)
  const { participants = [], waitingList = [] } = chat.members ?? {}
  const add = async (user: UserHeader) => {
    await attempt(() => changeChat(chat.fezID, () => client.fez.userAdd({ fezID: chat.fezID, userID: user.userID })))
    setAdded(added + 1)
  }
  const list = (users: readonly UserHeader[]) => (
    <ul>
      {users.map((user) => (
        <Row
          key={user.userID}
          href={`/profile/${encodeURIComponent(user.username)}`}
          lead={<Face user={user} />}
          title={nameOf(user)}
          sub={user.displayName && `@${user.username}`}
          tail={
            mayRemove &&
            user.userID !== chat.owner.userID && (
              <button
                type="button"
                class="round plain"
                aria-label={t('removeName', { name: nameOf(user) })}
                onClick={() =>
                  void attempt(() => changeChat(chat.fezID, () => client.fez.userRemove({ fezID: chat.fezID, userID: user.userID })))
                }
              >
                <CloseIcon size={18} />
              </button>
            )
          }
        />
      ))}
    </ul>
  )
  return (
    <Dialog title={t('whoIsHere')} close={close}>
      {list(participants)}
      {waitingList.length > 0 && (
        <>
          <h3>{t('waitingList')}</h3>
          {list(waitingList)}
        </>
      )}
      {isOwner && (
        <PeoplePicker key={added} label={t('addSomebody')} chosen={[...participants, ...waitingList]} choose={(user) => void add(user)} />
      )}
    </Dialog>
  )
}
