// The people who have reacted to a post, and how.
import type { UserHeader } from '../../sdk/client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { Row } from '../kit/row.tsx'
import { Answer } from '../kit/states.tsx'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { reactionIcons, reactions, type Reaction } from './reactions.ts'

/** By reaction. */
export type Reactors = Record<Reaction, readonly UserHeader[]>

interface ReactorsProps {
  /** Of the answer, among those that are kept. */
  name: string
  read: () => Promise<Reactors>
  close: () => void
}

export function ReactedBy({ name, read, close }: ReactorsProps) {
  const people = useQuery({ queryKey: ['reactors', name], queryFn: read, staleTime: 0 })
  return (
    <Dialog title={t('reactedBy')} close={close}>
      <Answer of={people} rows={2}>
        {(all) =>
          reactions
            .filter((reaction) => all[reaction].length > 0)
            .map((reaction) => {
              const Icon = reactionIcons[reaction]
              return (
                <section key={reaction}>
                  <h3 class="fact">
                    <Icon size={18} /> {t(reaction)} · {all[reaction].length}
                  </h3>
                  <ul>
                    {all[reaction].map((user) => (
                      <Row
                        key={user.userID}
                        href={`/profile/${encodeURIComponent(user.username)}`}
                        lead={<Face user={user} small />}
                        title={nameOf(user)}
                        sub={user.displayName && `@${user.username}`}
                      />
                    ))}
                  </ul>
                </section>
              )
            })
        }
      </Answer>
    </Dialog>
  )
}
