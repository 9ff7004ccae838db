// Everybody with an account: found by name, cabin or code, level, role, and when they were last seen; as a table on a desk.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { AdminUserData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { isWide } from '../kit/beside.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { ConsolePage, levelName, Pager, roleName } from '../team/parts.tsx'
import { levelOf, levels, mayDo, roles, type Level, type Role } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'
import { Deeds } from './people-deeds.tsx'
import { useQuery } from '../store.ts'
import { useKept } from '../place.ts'

const pageSize = 50

interface Filter {
  search: string
  level: Level | ''
  role: Role | ''
  seen: 'today' | 'notToday' | 'never' | ''
  code: 'used' | 'none' | ''
  sort: 'name' | 'seen' | 'created'
  reported: boolean
}

export function People() {
  const [filter, setFilter] = useKept<Filter>('filter', {
    search: '',
    level: '',
    role: '',
    seen: '',
    code: '',
    sort: 'name',
    reported: false,
  })
  const [start, setStart] = useState(0)
  const change = (more: Partial<Filter>) => {
    setStart(0)
    setFilter((before) => ({ ...before, ...more }))
  }
  const { search, level, role, seen, code, sort, reported } = filter
  const wanted = {
    sort,
    ...(search && { search }),
    ...(level && { level }),
    ...(role && { role }),
    ...(seen && { seen }),
    ...(code && { code }),
    ...(reported && { reported }),
  }
  const people = useQuery({
    queryKey: ['console users', filter, start],
    queryFn: () => client.admin.users({ start, limit: pageSize, ...wanted }),
  })
  const [chosen, setChosen] = useState<ReadonlyMap<string, AdminUserData>>(new Map())
  const toggle = (user: AdminUserData) => {
    const next = new Map(chosen)
    if (!next.delete(user.header.userID)) next.set(user.header.userID, user)
    setChosen(next)
  }
  const rows: RowsProps = { users: people.data?.users ?? [], chosen, toggle: mayDo('tho') ? toggle : undefined }
  return (
    <ConsolePage title={c('people')}>
      <SearchField label={c('findPeople')} change={(text) => change({ search: text })} start={filter.search} />
      <details class="filters">
        <summary>{c('filters')}</summary>
        <div class="pair">
          <Choice
            label={c('level')}
            value={level}
            options={[['', c('anyLevel')], ...levels.filter((each) => each !== 'client').map((each) => [each, levelName(each)] as const)]}
            change={(value) => change({ level: value })}
          />
          <Choice
            label={c('role')}
            value={role}
            options={[['', c('anyRole')], ...roles.map((each) => [each, roleName(each)] as const)]}
            change={(value) => change({ role: value })}
          />
          <Choice
            label={c('lastSeen')}
            value={seen}
            options={[
              ['', c('anyTime')],
              ['today', c('seen.today')],
              ['notToday', c('seen.notToday')],
              ['never', c('seen.never')],
            ]}
            change={(value) => change({ seen: value })}
          />
          {mayDo('serviceteam') && (
            <Choice
              label={c('codeUsed')}
              value={code}
              options={[
                ['', c('anyCode')],
                ['used', c('code.used')],
                ['none', c('code.none')],
              ]}
              change={(value) => change({ code: value })}
            />
          )}
          <Choice
            label={c('sortBy')}
            value={sort}
            options={[
              ['name', c('sort.name')],
              ['seen', c('sort.seen')],
              ['created', c('sort.created')],
            ]}
            change={(value) => change({ sort: value })}
          />
        </div>
        <label class="tick">
          <input type="checkbox" checked={reported} onChange={({ currentTarget }) => change({ reported: currentTarget.checked })} />
          {c('onlyReported')}
        </label>
      </details>
      <WithCode search={search} />
      {mayDo('tho') && <Deeds chosen={chosen} clear={() => setChosen(new Map())} />}
      <Answer of={people}>
        {({ users, paginator }) => (
          <>
            <div class="deeds spread">
              <p class="quiet" role="status">
                {c('accountsFound', { n: paginator.total })}
              </p>
              {mayDo('serviceteam') && (
                <a class="btn quiet" href={client.admin.usersCsv.url(wanted)} download>
                  {c('csv')}
                </a>
              )}
            </div>
            {users.length === 0 ? <Empty title={c('nobodyFound')} /> : isWide.value ? <Table {...rows} /> : <List {...rows} />}
            <Pager start={start} size={pageSize} total={paginator.total} change={setStart} />
          </>
        )}
      </Answer>
    </ConsolePage>
  )
}

/** Whose code it is, when the searched words look like one. */
function WithCode({ search }: { search: string }) {
  const code = search.replace(/\s/g, '')
  // Most words of six letters are names.
  const isCode = mayDo('serviceteam') && /^[a-z0-9]{6}$/i.test(code) && /[\d\s]/.test(search.trim())
  const { data } = useQuery({
    queryKey: ['console code', code],
    // It is none, after all.
    queryFn: () => client.admin.regcodesFind({ search_string: code }).catch(() => []),
    enabled: isCode,
  })
  if (!isCode || !data || data.length === 0) return null
  return (
    <p class="card pad">
      {c('codeIsOf', { code })}{' '}
      {data.map((user, index) => (
        <span key={user.userID}>
          {index > 0 && ', '}
          <Link href={`/admin/users/${user.userID}`}>{nameOf(user)}</Link>
        </span>
      ))}
    </p>
  )
}

interface RowsProps {
  users: readonly AdminUserData[]
  chosen: ReadonlyMap<string, AdminUserData>
  /** Absent: nothing can be done to several at once. */
  toggle: ((user: AdminUserData) => void) | undefined
}

const pageOf = (userID: string) => (mayDo('serviceteam') ? `/admin/users/${userID}` : `/moderate/userProfile/${userID}`)

function Pick({ user, chosen, toggle }: { user: AdminUserData } & Omit<RowsProps, 'users'>) {
  if (!toggle) return null
  return (
    <label class="pick">
      <input
        type="checkbox"
        checked={chosen.has(user.header.userID)}
        aria-label={c('people.choose', { name: user.header.username })}
        onChange={() => toggle(user)}
      />
    </label>
  )
}

function List({ users, ...choice }: RowsProps) {
  return (
    <ul class="card after-tabs">
      {users.map((user) => {
        const { header, accessLevel, roles: own, lastSeen, isSubAccount, openReports, hasCode, roomNumber } = user
        return (
          <li key={header.userID} class="row">
            <Pick user={user} {...choice} />
            <Link href={pageOf(header.userID)} class="group grow">
              <Face user={header} />
              <span class="grow">
                <b>{nameOf(header)}</b>
                <small>
                  @{header.username} {roomNumber && `· ${roomNumber} `}· {lastSeen ? c('seenAt', { time: when(lastSeen) }) : c('neverSeen')}
                </small>
              </span>
              <span class="tags ends">
                {openReports > 0 && <span class="tag bad">{c('openReports', { n: openReports })}</span>}
                {own.map((each) => (
                  <span key={each} class="tag">
                    {roleName(each)}
                  </span>
                ))}
                {isSubAccount && <span class="tag">{c('subAccount')}</span>}
                {hasCode === false && <span class="tag warning">{c('withoutCode')}</span>}
                <LevelTag level={levelOf(accessLevel)} />
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const columns = ['level', 'roles', 'room', 'code', 'seen', 'since', 'reports'] as const
type Column = (typeof columns)[number]
const columnsKey = 'console people'

const columnNames: Readonly<Record<Column, ConsoleText>> = {
  level: 'level',
  roles: 'column.roles',
  room: 'column.room',
  code: 'codeUsed',
  seen: 'lastSeen',
  since: 'column.since',
  reports: 'reports',
}

/** What stands in a column. */
function cellOf(
  column: Column,
  { accessLevel, roles: own, roomNumber, hasCode, lastSeen, createdAt, openReports, isSubAccount }: AdminUserData,
) {
  switch (column) {
    case 'level':
      return <LevelTag level={levelOf(accessLevel)} />
    case 'roles':
      return [...(isSubAccount ? [c('subAccount')] : []), ...own.map((each) => roleName(each))].join(', ')
    case 'room':
      return roomNumber
    case 'code':
      return hasCode === undefined ? '' : c(hasCode ? 'code.used' : 'code.none')
    case 'seen':
      return lastSeen ? when(lastSeen) : c('neverSeen')
    case 'since':
      return when(createdAt)
    case 'reports':
      return openReports > 0 && <span class="tag bad">{openReports}</span>
  }
}

/** Which columns are shown stays with this browser. */
function Table({ users, ...choice }: RowsProps) {
  const [hidden, setHidden] = useState<readonly string[]>(() => JSON.parse(localStorage.getItem(columnsKey) ?? '["since"]') as string[])
  const turn = (column: Column) => {
    const next = hidden.includes(column) ? hidden.filter((each) => each !== column) : [...hidden, column]
    localStorage.setItem(columnsKey, JSON.stringify(next))
    setHidden(next)
  }
  const shown = columns.filter((column) => !hidden.includes(column) && (column !== 'code' || mayDo('serviceteam')))
  return (
    <>
      <div class="tabs" role="group" aria-label={c('columns')}>
        {columns.map((column) => (
          <button key={column} type="button" class="chip" aria-pressed={!hidden.includes(column)} onClick={() => turn(column)}>
            {c(columnNames[column])}
          </button>
        ))}
      </div>
      <div class="card scroll after-tabs" role="region" aria-label={c('people')} tabIndex={0}>
        <table class="people">
          <thead>
            <tr>
              {choice.toggle && <td />}
              <th scope="col">{c('column.name')}</th>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {c(columnNames[column])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              <tr key={user.header.userID}>
                {choice.toggle && (
                  <td>
                    <Pick user={user} {...choice} />
                  </td>
                )}
                <th scope="row">
                  <Link href={pageOf(user.header.userID)} class="group">
                    <Face user={user.header} />
                    <span>
                      <b>{nameOf(user.header)}</b>
                      <small>@{user.header.username}</small>
                    </span>
                  </Link>
                </th>
                {shown.map((column) => (
                  <td key={column}>{cellOf(column, user)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

export const LevelTag = ({ level }: { level: Level }) => (
  <span class={level === 'banned' ? 'tag bad' : level === 'verified' ? 'tag' : 'tag warning'}>{levelName(level)}</span>
)
