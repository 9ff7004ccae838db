// One person whole: record, level and roles, code, devices, ways to sign in, reports.
import { useReducer } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { AdminUserDetailData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { nameOf } from '../kit/face.tsx'
import { forAll } from '../team/for-all.tsx'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { PersonCard } from '../moderation/person.tsx'
import { usePerson } from '../moderation/query.ts'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage, levelName, roleName } from '../team/parts.tsx'
import { LevelTag } from './people.tsx'
import { said, whomLevelTouches, whomRoleTouches } from '../team/reach.tsx'
import { levelOf, levels, mayDo, roles, type Level, type Role } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'
import { Ways } from './ways.tsx'

const changed = () => refresh('console users', 'console person')

export function Person({ id }: { id: string }) {
  const user = useQuery({ queryKey: ['console users', 'one', id], queryFn: () => client.admin.usersOf({ user_id: id }) })
  return (
    <ConsolePage title={user.data ? nameOf(user.data.header) : c('person')} back="/admin/users">
      <div class="panes">
        <div class="stack">
          <PersonCard id={id} link={false} />
          <Reports id={id} />
        </div>
        <Answer of={user}>
          {(known) => (
            <div class="stack">
              <Facts user={known} />
              {mayDo('tho') && <Team user={known} />}
              {mayDo('tho') && <Roles user={known} />}
              <Devices user={known} />
              <Ways user={known} />
            </div>
          )}
        </Answer>
      </div>
    </ConsolePage>
  )
}

function Facts({ user: { header, createdAt, lastSeen, hasCode, accessLevel } }: { user: AdminUserDetailData }) {
  const code = useQuery({
    queryKey: ['console users', 'code', header.userID],
    queryFn: () => client.admin.regcodesFindbyuser({ user_id: header.userID }),
    enabled: hasCode === true,
  })
  const unlock = () =>
    attempt(async () => {
      await client.admin.regcodesUnlock({ userID: header.userID })
      toast(c('codeUnlocked'))
    })
  return (
    <section class="card pad">
      <h3>{c('account')}</h3>
      <dl class="fact-grid">
        <div>
          <dt>{c('level')}</dt>
          <dd>
            <LevelTag level={levelOf(accessLevel)} />
          </dd>
        </div>
        <div>
          <dt>{c('created')}</dt>
          <dd>{fullDay(createdAt)}</dd>
        </div>
        <div>
          <dt>{c('lastSeen')}</dt>
          <dd>{lastSeen ? `${fullDay(lastSeen)}, ${clock(lastSeen)}` : c('never')}</dd>
        </div>
        <div>
          <dt>{c('regCode')}</dt>
          <dd>{code.data?.regCode || c('noCode')}</dd>
        </div>
      </dl>
      <div class="deeds">
        <Link class="btn quiet" href={`/profile/${encodeURIComponent(header.username)}`}>
          {c('profile')}
        </Link>
        {hasCode && (
          <button type="button" class="btn quiet" onClick={() => void unlock()}>
            {c('unlockCode')}
          </button>
        )}
      </div>
    </section>
  )
}

const promoteTo: Readonly<Partial<Record<Level, (seen: { user_id: string; basedOn: Level }) => Promise<void>>>> = {
  moderator: (seen) => client.admin.moderatorPromote(seen),
  serviceteam: (seen) => client.admin.serviceteamPromote(seen),
  tho: (seen) => client.admin.thoPromote(seen),
  admin: (seen) => client.admin.adminPromote(seen),
}

const promotions: readonly { to: Level; from: readonly Level[]; by: Level }[] = [
  { to: 'moderator', from: ['verified'], by: 'tho' },
  { to: 'serviceteam', from: ['verified', 'moderator'], by: 'tho' },
  { to: 'tho', from: ['verified', 'moderator', 'serviceteam'], by: 'admin' },
  { to: 'admin', from: ['verified', 'moderator', 'serviceteam', 'tho'], by: 'admin' },
]

/** From one level to another, as the server lets it: members of the team become verified before they become less than they were. */
async function setLevel(user_id: string, from: Level, to: Level): Promise<void> {
  try {
    if (!isMember(from) && !isMember(to)) return await client.mod.userSetaccesslevel({ user_id, access_level: to, basedOn: from })
    const order = levels.indexOf(from) > levels.indexOf(to)
    if (order) await client.admin.userDemote({ user_id, basedOn: from })
    if (to !== 'verified') await promoteTo[to]?.({ user_id, basedOn: order ? 'verified' : from })
  } finally {
    changed()
  }
}

const isMember = (level: Level) => levels.indexOf(level) > levels.indexOf('verified')

/** Only heads of the team make somebody unverified. */
const canReturn = (level: Level) =>
  level === 'verified' || level in promoteTo || (level === 'unverified' && mayDo('tho')) || level === 'quarantined'

function Team({ user: { header, accessLevel } }: { user: AdminUserDetailData }) {
  const level = levelOf(accessLevel)
  const user_id = header.userID
  const name = nameOf(header)
  const give = (to: Level) =>
    attempt(() =>
      forAll({
        title: c('askLevel', { name, level: levelName(to) }),
        Whom: whomLevelTouches(name, to),
        text: <p>{c(`may.${to}` as ConsoleText)}</p>,
        label: c('changeIt'),
        run: () => setLevel(user_id, level, to),
        said: c('levelChanged', { name, level: levelName(to) }),
        undo: canReturn(level) ? () => setLevel(user_id, to, level) : undefined,
      }),
    )
  const offered = promotions.filter(({ from, by }) => from.includes(level) && mayDo(by))
  const mayDemote = ['moderator', 'serviceteam'].includes(level) || (['tho', 'admin'].includes(level) && mayDo('admin'))
  const mayVerify = level === 'unverified' || level === 'quarantined'
  return (
    <section class="card pad">
      <h3>{c('team')}</h3>
      <div class="deeds">
        {mayVerify && (
          <button type="button" class="btn quiet" onClick={() => void give('verified')}>
            {c('makeLevel', { level: levelName('verified') })}
          </button>
        )}
        {offered.map(({ to }) => (
          <button key={to} type="button" class="btn quiet" onClick={() => void give(to)}>
            {c('makeLevel', { level: levelName(to) })}
          </button>
        ))}
        {mayDemote && (
          <button type="button" class="btn quiet" onClick={() => void give('verified')}>
            {c('demote')}
          </button>
        )}
      </div>
    </section>
  )
}

function Roles({ user: { header, roles: own } }: { user: AdminUserDetailData }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const turn = (user_role: Role, on: boolean) => {
    // The tick shows what is in force while it is asked about.
    redraw(undefined)
    const target = { user_role, user_id: header.userID }
    const set = async (wanted: boolean) => {
      await (wanted ? client.admin.userrolesAddrole(target) : client.admin.userrolesRemoverole(target))
      changed()
    }
    const words = { name: nameOf(header), role: roleName(user_role) }
    return attempt(() =>
      forAll({
        title: c(on ? 'askRole' : 'askNoRole', words),
        Whom: whomRoleTouches(words.name, user_role),
        text: <p>{c(`may.${user_role}`)}</p>,
        label: c('changeIt'),
        run: () => set(on),
        said: c(on ? 'roleGiven' : 'roleTaken', words),
        undo: () => set(!on),
      }),
    )
  }
  return (
    <section class="card pad">
      <h3>{c('roles')}</h3>
      {roles.map((role) => (
        <label key={role} class="tick">
          <input type="checkbox" checked={own.includes(role)} onChange={({ currentTarget }) => void turn(role, currentTarget.checked)} />
          {roleName(role)}
        </label>
      ))}
    </section>
  )
}

function Devices({ user: { header, app, browsers } }: { user: AdminUserDetailData }) {
  const signOut = () =>
    attempt(() =>
      forAll({
        title: c('askSignOut', { name: nameOf(header) }),
        Whom: said(c('reach.devices', { n: browsers.length + (app ? 1 : 0) })),
        label: c('signOutAll'),
        grave: true,
        run: async () => {
          await client.admin.usersSignout({ user_id: header.userID })
          changed()
        },
        said: c('signedOut'),
      }),
    )
  const any = app || browsers.length > 0
  return (
    <section class="card pad">
      <h3>{c('devices')}</h3>
      <ul class="said-by">
        {app && <li>{c('app')}</li>}
        {browsers.map(({ sessionID, device, lastSeen }) => (
          <li key={sessionID}>
            {device} <small>{c('seenAt', { time: when(lastSeen) })}</small>
          </li>
        ))}
        {!any && <li class="quiet">{c('noDevices')}</li>}
      </ul>
      {any && mayDo('tho') && (
        <div class="deeds">
          <button type="button" class="btn quiet" onClick={() => void signOut()}>
            {c('signOutAll')}
          </button>
        </div>
      )}
    </section>
  )
}

function Reports({ id }: { id: string }) {
  const { data } = usePerson(id)
  if (!data || data.reports.length === 0) return null
  return (
    <Section title={c('everyReport')}>
      <ul class="card">
        {data.reports.slice(0, 50).map(({ id: key, type, reportedID, submitterMessage, creationTime, isClosed }) => (
          <li key={key}>
            <Link href={`/moderate/${type}/${encodeURIComponent(reportedID)}`} class="group">
              <span class={`dot ${isClosed ? 'closed' : 'open'}`} aria-hidden="true" />
              <span class="grow">
                <b>{c(`kind.${type}`)}</b>
                <small>
                  {when(creationTime)} {isClosed && `· ${c('closedState')}`} {submitterMessage}
                </small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
