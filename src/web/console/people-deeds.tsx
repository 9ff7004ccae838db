// The same for several people at once: a level, a role, signing out.
import { useState } from 'preact/hooks'
import type { AdminUserData, UsersBulkData, UsersBulkResultData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh } from '../store.ts'
import { forAll } from '../team/for-all.tsx'
import { roleName } from '../team/parts.tsx'
import { roles, type Role } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'

/** One request takes so many. */
const atOnce = 200

const deeds = ['verify', 'addRole', 'removeRole', 'signOut'] as const
type Deed = (typeof deeds)[number]

/** How each is taken back; signing out cannot be. */
const backs: Partial<Record<Deed, UsersBulkData['action']>> = { verify: 'unverify', addRole: 'removeRole', removeRole: 'addRole' }

async function run(part: Omit<UsersBulkData, 'userIDs'>, userIDs: readonly string[]): Promise<UsersBulkResultData> {
  const all: UsersBulkResultData = { done: [], refused: [] }
  try {
    for (let from = 0; from < userIDs.length; from += atOnce) {
      const { done, refused } = await client.admin.usersBulk({ ...part, userIDs: userIDs.slice(from, from + atOnce) })
      all.done.push(...done)
      all.refused.push(...refused)
    }
  } finally {
    refresh('console users', 'console person')
  }
  return all
}

/** Those to whom it makes a difference: only these can be made what they were before. */
function touched(deed: Deed, role: Role, users: readonly AdminUserData[]): AdminUserData[] {
  return users.filter(({ accessLevel, roles: own }) => {
    if (deed === 'verify') return accessLevel === 'unverified'
    if (deed === 'addRole') return !own.includes(role)
    return deed === 'removeRole' ? own.includes(role) : true
  })
}

interface DeedsProps {
  chosen: ReadonlyMap<string, AdminUserData>
  clear: () => void
}

export function Deeds({ chosen, clear }: DeedsProps) {
  const [deed, setDeed] = useState<Deed>('verify')
  const [role, setRole] = useState<Role>(roles[0])
  if (chosen.size === 0) return null
  const users = touched(deed, role, [...chosen.values()])
  const isOfRole = deed === 'addRole' || deed === 'removeRole'
  const part = (name: UsersBulkData['action']) => ({ action: name, ...(isOfRole && { role }) })
  const back = backs[deed]
  const act = () =>
    attempt(async () => {
      const done = await forAll<UsersBulkResultData>({
        title: c(`people.ask.${deed}` as ConsoleText, { n: users.length, role: roleName(role) }),
        Whom: () => <Names users={users} />,
        text: deed === 'verify' || deed === 'signOut' ? c('people.signsOut') : undefined,
        label: c(`people.${deed}` as ConsoleText),
        run: () =>
          run(
            part(deed),
            users.map(({ header }) => header.userID),
          ),
        said: ({ done: ids, refused }) => {
          const [first] = refused
          if (first) toast(`${c('written.refused', { n: refused.length })} ${first.reason}`)
          return c('people.done', { n: ids.length })
        },
        undo: back && (({ done: ids }) => run(part(back), ids)),
      })
      if (done) clear()
    })
  return (
    <section class="card pad after-tabs" aria-label={c('people.deeds')}>
      <p>
        <b>{c('people.chosen', { n: chosen.size })}</b>
      </p>
      <div class="pair">
        <Choice
          label={c('people.deed')}
          value={deed}
          options={deeds.map((each) => [each, c(`people.${each}` as ConsoleText)] as const)}
          change={setDeed}
        />
        {isOfRole && (
          <Choice label={c('role')} value={role} options={roles.map((each) => [each, roleName(each)] as const)} change={setRole} />
        )}
      </div>
      {users.length < chosen.size && <p class="quiet">{c('people.same', { n: chosen.size - users.length })}</p>}
      <div class="deeds">
        <button type="button" class="btn" disabled={users.length === 0} onClick={() => void act()}>
          {c('people.do', { n: users.length })} …
        </button>
        <button type="button" class="btn quiet" onClick={clear}>
          {c('people.none')}
        </button>
      </div>
    </section>
  )
}

const mostNames = 10

function Names({ users }: { users: readonly AdminUserData[] }) {
  const names = users.slice(0, mostNames).map(({ header }) => `@${header.username}`)
  const more = users.length - names.length
  return <p>{names.join(', ') + (more > 0 ? ` ${c('people.more', { n: more })}` : '')}</p>
}
