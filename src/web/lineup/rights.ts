// Who may say that they appear at an event.
import { me } from '../session.ts'
import { useSettings } from '../settings/query.ts'

/** Before the trip everybody may; aboard it takes a role. */
export function useMayOrganise(): boolean {
  const { data } = useSettings()
  return data?.enablePreregistration === true || (me.value?.roles ?? []).includes('performerselfeditor')
}
