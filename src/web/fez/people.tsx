// Who is in a chat. Its owner adds and removes people here; moderators remove them.
import { useState } from 'preact/hooks'
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { CloseIcon } from '../kit/icon.tsx'
import { Print } from '../kit/print.tsx'
import { PersonRow } from '../kit/person-row.tsx'
import { offerUndo, useSure } from '../kit/sure.tsx'
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
  const { ask, question } = useSure()
  const remove = (user: UserHeader) => {
    const who = { fezID: chat.fezID, userID: user.userID }
    const name = nameOf(user)
    const run = () => changeChat(chat.fezID, () => client.fez.userRemove(who))
    // Only the owner can let them in again.
    if (!isOwner) return ask({ title: t('sure.remove', { name }), text: t('sure.removeText'), done: t('remove'), run })
    void attempt(async () => {
      await run()
      offerUndo(t('isOut', { name }), () => changeChat(chat.fezID, () => client.fez.userAdd(who)))
    })
  }
  const list = (users: readonly UserHeader[]) => (
    <ul>
      {users.map((user) => (
        <PersonRow
          key={user.userID}
          user={user}
          tail={
            mayRemove &&
            user.userID !== chat.owner.userID && (
              <button type="button" class="round plain" aria-label={t('removeName', { name: nameOf(user) })} onClick={() => remove(user)}>
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
      {question}
      {list(participants)}
      {waitingList.length > 0 && (
        <>
          <h3>{t('waitingList')}</h3>
          {list(waitingList)}
        </>
      )}
      <Print />
      {isOwner && (
        <PeoplePicker key={added} label={t('addSomebody')} chosen={[...participants, ...waitingList]} choose={(user) => void add(user)} />
      )}
    </Dialog>
  )
}
