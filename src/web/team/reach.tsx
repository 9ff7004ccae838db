// Whom a change for everybody touches, in numbers that are as old as the question.
import type { FunctionComponent } from 'preact'
import type { ReachData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { useQuery } from '../store.ts'
import { levelName } from './parts.tsx'
import { levelOf, levels, type Level, type Role } from './rights.ts'
import { c } from './texts.ts'

/** A sentence of the figures; while these are not known, that they are being counted. */
function whom(sentence: (reach: ReachData) => string): FunctionComponent {
  return function Whom() {
    const { data, error } = useQuery({ queryKey: ['console reach'], queryFn: () => client.admin.reach(), staleTime: 0 })
    return <p role="status">{data ? sentence(data) : c(error ? 'reach.unknown' : 'reach.counting')}</p>
  }
}

/** All people. */
export const Everybody = whom(({ people, online, sockets }) => c('reach.everybody', { n: people, online, sockets }))

/** Who gets an announcement, and when. */
export const Readers = whom(({ people, online }) => c('reach.readers', { n: people, online }))

/** Who has read an announcement may have acted on it. */
export const Reached = whom(({ people, online }) => c('reach.reached', { n: people, online }))

/** All of whom nothing stays. */
export const Wiped = whom(({ people, online, sockets }) => c('reach.wiped', { n: people, online, sockets }))

const sumOf = (reach: ReachData, field: 'people' | 'present', fits: (level: Level) => boolean) =>
  reach.levels.reduce((sum, each) => sum + (fits(levelOf(each.level)) ? each[field] : 0), 0)

const isBelow = (level: Level, limit: Level) => levels.indexOf(level) < levels.indexOf(limit)

/** Who can no longer come in, or can again, when the server is closed below another level than before. */
export function whomDoorTouches(from: Level, to: Level): FunctionComponent {
  const [lower, higher] = isBelow(to, from) ? [to, from] : [from, to]
  // Banned people never come in.
  const between = (level: Level) => level !== 'banned' && !isBelow(level, lower) && isBelow(level, higher)
  return whom((reach) =>
    c(isBelow(to, from) ? 'reach.letIn' : 'reach.shutOut', {
      n: sumOf(reach, 'people', between),
      present: sumOf(reach, 'present', between),
    }),
  )
}

/** One person, and how many there are with that level. */
export const whomLevelTouches = (name: string, to: Level): FunctionComponent =>
  whom(
    (reach) =>
      c('reach.person', { name }) + ' ' + c('reach.ofLevel', { n: sumOf(reach, 'people', (level) => level === to), level: levelName(to) }),
  )

/** One person, and how many have that role. */
export function whomRoleTouches(name: string, role: Role): FunctionComponent {
  return function Whom() {
    const { data } = useQuery({
      queryKey: ['console role', role],
      queryFn: () => client.admin.userroles({ user_role: role }),
      staleTime: 0,
    })
    return (
      <p role="status">
        {c('reach.person', { name })} {data && c('reach.ofRole', { n: data.length })}
      </p>
    )
  }
}

/** Known without asking. */
export const said = (sentence: string): FunctionComponent =>
  function Whom() {
    return <p>{sentence}</p>
  }
