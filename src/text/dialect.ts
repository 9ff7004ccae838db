// The names of the team: the product's own, and those that the phone apps of today know. Inside the
// product only its own are used. Every outgoing word is derived here, as are the rules that differ; requests
// may use both, whatever is set.
import type { Config } from '../core/base/config.ts'
import type { Route } from '../core/http/route.ts'

type Setting = Pick<Config, 'dialect'>

/** A word, or a text of the product, in the words that are set. The type keeps the product's own word. Not for texts of users. */
export function inDialect<T extends string>({ dialect }: Setting, text: T): T {
  return (dialect === 'seed' ? text : inAppWords(text)) as T
}

const inAppWords = (text: string): string =>
  text.replace(/([Ss])ervice([Tt]eam)/g, (_all, s: string, team: string) => (s === 'S' ? 'T' : 't') + 'witarr' + team)

/** The name of the team's account. */
export const teamAccount = (setting: Setting): string => inDialect(setting, 'ServiceTeam')

/** Whether everybody may search the posts of one author by their id, as an app's profile page offers. */
export const searchesByAuthor = ({ dialect }: Setting): boolean => dialect === 'twitarr'

/** Whether a user without a registration code is answered with an empty one. */
export const emptyCodeForNone = ({ dialect }: Setting): boolean => dialect === 'twitarr'

export const ownKey = 'serviceteam'
export const appKey = 'twitarrteam'

/** Words of today's apps in requests, and the product's own. */
export const levelAliases = { [appKey]: ownKey } as const

/** The key of a name: one for both names of the team. */
export const teamKey = (key: string): string => (key === appKey ? ownKey : key)

/** True when a text is a part of one of the team's names. */
export function isPartOfTeamName(text: string): boolean {
  const wanted = text.toLowerCase().replace(/^@/, '')
  return ownKey.includes(wanted) || appKey.includes(wanted)
}

/** All routes; those with the team's word in their path under both words. */
export function inBothWords(routes: readonly Route[]): Route[] {
  return routes.flatMap((each) => {
    const path = inAppWords(each.path)
    return path === each.path ? [each] : [each, { ...each, path }]
  })
}
