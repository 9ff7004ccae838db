// The people somebody has blocked, muted or favored, with the way out of each list.
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { Page } from '../kit/page.tsx'
import { Row } from '../kit/row.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'

const lists = {
  blocks: { read: () => client.users.blocks(), end: (user_id: string) => client.users.unblock({ user_id }) },
  mutes: { read: () => client.users.mutes(), end: (user_id: string) => client.users.unmute({ user_id }) },
  favorites: { read: () => client.users.favorites(), end: (user_id: string) => client.users.removeFavorite({ user_id }) },
}

export function UserList({ which }: { which: keyof typeof lists }) {
  const { read, end } = lists[which]
  const users = useQuery({ queryKey: ['people', which], queryFn: read })
  const remove = ({ userID }: UserHeader) =>
    attempt(async () => {
      await end(userID)
      refresh('people', 'profile', 'chats', 'chat', 'forums', 'forum', 'microblog')
    })
  return (
    <Page title={t(which)} back="/account">
      <Answer of={users}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('nobody')}>{t(`nobody.${which}`)}</Empty>
          ) : (
            <ul class="card">
              {all.map((user) => (
                <Row
                  key={user.userID}
                  href={`/profile/${encodeURIComponent(user.username)}`}
                  lead={<Face user={user} />}
                  title={nameOf(user)}
                  sub={`@${user.username}`}
                  tail={
                    <button
                      type="button"
                      class="btn quiet"
                      aria-label={t('removeName', { name: nameOf(user) })}
                      onClick={() => void remove(user)}
                    >
                      {t('remove')}
                    </button>
                  }
                />
              ))}
            </ul>
          )
        }
      </Answer>
    </Page>
  )
}
