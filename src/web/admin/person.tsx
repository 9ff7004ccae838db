// One person whole: record, level and roles, code, devices, reports.
import { Link } from 'wouter-preact'
import type { AdminUserDetailData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { nameOf } from '../kit/face.tsx'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { PersonCard } from '../mod/person.tsx'
import { usePerson } from '../mod/query.ts'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage, levelName, roleName } from './parts.tsx'
import { LevelTag } from './people.tsx'
import { levelOf, mayDo, roles, type Level, type Role } from './rights.ts'
import { c } from './texts.ts'

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

const promotions: readonly { to: Level; from: readonly Level[]; by: Level; run: (user_id: string) => Promise<void> }[] = [
  { to: 'moderator', from: ['verified'], by: 'tho', run: (user_id) => client.admin.moderatorPromote({ user_id }) },
  { to: 'serviceteam', from: ['verified', 'moderator'], by: 'tho', run: (user_id) => client.admin.serviceteamPromote({ user_id }) },
  { to: 'tho', from: ['verified', 'moderator', 'serviceteam'], by: 'admin', run: (user_id) => client.admin.thoPromote({ user_id }) },
]

function Team({ user: { header, accessLevel } }: { user: AdminUserDetailData }) {
  const level = levelOf(accessLevel)
  const give = (to: Level, run: () => Promise<void>) =>
    attempt(async () => {
      await run()
      toast(c('levelChanged', { name: nameOf(header), level: levelName(to) }))
      changed()
    })
  const user_id = header.userID
  const offered = promotions.filter(({ from, by }) => from.includes(level) && mayDo(by))
  const mayDemote = ['moderator', 'serviceteam'].includes(level) || (['tho', 'admin'].includes(level) && mayDo('admin'))
  const mayVerify = level === 'unverified' || level === 'quarantined'
  return (
    <section class="card pad">
      <h3>{c('team')}</h3>
      <div class="deeds">
        {mayVerify && (
          <button
            type="button"
            class="btn quiet"
            onClick={() => void give('verified', () => client.mod.userSetaccesslevel({ user_id, access_level: 'verified' }))}
          >
            {c('makeLevel', { level: levelName('verified') })}
          </button>
        )}
        {offered.map(({ to, run }) => (
          <button key={to} type="button" class="btn quiet" onClick={() => void give(to, () => run(user_id))}>
            {c('makeLevel', { level: levelName(to) })}
          </button>
        ))}
        {mayDemote && (
          <button type="button" class="btn quiet" onClick={() => void give('verified', () => client.admin.userDemote({ user_id }))}>
            {c('demote')}
          </button>
        )}
      </div>
    </section>
  )
}

function Roles({ user: { header, roles: own } }: { user: AdminUserDetailData }) {
  const turn = (user_role: Role, on: boolean) =>
    attempt(async () => {
      const target = { user_role, user_id: header.userID }
      await (on ? client.admin.userrolesAddrole(target) : client.admin.userrolesRemoverole(target))
      changed()
    })
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
    attempt(async () => {
      await client.admin.usersSignout({ user_id: header.userID })
      toast(c('signedOut'))
      changed()
    })
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
