// Everybody with an account: found by name, level, role, and when they were last seen.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { client } from '../client.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { ConsolePage, levelName, Pager, roleName } from '../team/parts.tsx'
import { levelOf, levels, mayDo, roles, type Level, type Role } from '../team/rights.ts'
import { c } from '../team/texts.ts'
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
  const people = useQuery({
    queryKey: ['console users', filter, start],
    queryFn: () =>
      client.admin.users({
        start,
        limit: pageSize,
        sort,
        ...(search && { search }),
        ...(level && { level }),
        ...(role && { role }),
        ...(seen && { seen }),
        ...(code && { code }),
        ...(reported && { reported }),
      }),
  })
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
      <Answer of={people}>
        {({ users, paginator }) => (
          <>
            <p class="quiet" role="status">
              {c('accountsFound', { n: paginator.total })}
            </p>
            {users.length === 0 ? (
              <Empty title={c('nobodyFound')} />
            ) : (
              <ul class="card after-tabs">
                {users.map(({ header, accessLevel, roles: own, lastSeen, isSubAccount, openReports, hasCode }) => (
                  <li key={header.userID}>
                    <Link
                      href={mayDo('serviceteam') ? `/admin/users/${header.userID}` : `/moderate/userProfile/${header.userID}`}
                      class="group"
                    >
                      <Face user={header} />
                      <span class="grow">
                        <b>{nameOf(header)}</b>
                        <small>
                          @{header.username} · {lastSeen ? c('seenAt', { time: when(lastSeen) }) : c('neverSeen')}
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
                ))}
              </ul>
            )}
            <Pager start={start} size={pageSize} total={paginator.total} change={setStart} />
          </>
        )}
      </Answer>
    </ConsolePage>
  )
}

export const LevelTag = ({ level }: { level: Level }) => (
  <span class={level === 'banned' ? 'tag bad' : level === 'verified' ? 'tag' : 'tag warning'}>{levelName(level)}</span>
)
