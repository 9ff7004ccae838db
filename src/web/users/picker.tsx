// Finds people by a part of their names.
import { useState } from 'preact/hooks'
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { CloseIcon } from '../kit/icon.tsx'
import { SearchField } from '../kit/search.tsx'
import { me } from '../session.ts'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'

interface PickerProps {
  label: string
  /** Not offered any more. */
  chosen: readonly UserHeader[]
  choose: (user: UserHeader) => void
}

const shortest = 2

export function usePeople(search: string) {
  return useQuery({
    queryKey: ['people', search],
    queryFn: () => client.users.matchAllnames({ search_string: search }),
    enabled: search.length >= shortest,
  })
}

export function PeoplePicker({ label, chosen, choose }: PickerProps) {
  const [search, setSearch] = useState('')
  const { data = [] } = usePeople(search)
  const offered = data.filter(({ userID }) => userID !== me.value?.userID && !chosen.some((user) => user.userID === userID))
  return (
    <div class="picker">
      <SearchField key={chosen.length} label={label} change={setSearch} />
      {search.length >= shortest && (
        <ul aria-label={t('found')}>
          {offered.slice(0, 8).map((user) => (
            <li key={user.userID}>
              <button type="button" class="person" onClick={() => choose(user)}>
                <Face user={user} small />
                {nameOf(user)} {user.displayName && <small>@{user.username}</small>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface ChosenProps {
  label: string
  people: readonly UserHeader[]
  change: (people: UserHeader[]) => void
}

/** A field for several people: those chosen so far, and a way to find more. */
export function ChosenPeople({ label, people, change }: ChosenProps) {
  return (
    <div class="field">
      <span class="label">{label}</span>
      {people.length > 0 && (
        <ul class="chosen-people">
          {people.map((user) => (
            <li key={user.userID} class="chip">
              {nameOf(user)}
              <button
                type="button"
                aria-label={t('removeName', { name: nameOf(user) })}
                onClick={() => change(people.filter((other) => other !== user))}
              >
                <CloseIcon size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <PeoplePicker label={t('findPeople')} chosen={people} choose={(user) => change([...people, user])} />
    </div>
  )
}
