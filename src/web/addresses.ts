// Addresses that phone apps open and share, and that an older site had, with the page that each of them means. The server answers
// all of them with the page; what leads nowhere says so there.

/** Any part of an address; `:unusable` is one that is no id, as an app writes for a chat that it does not know yet. */
type Pattern = string

/**
 * The first that matches counts. `{name}` in a target is a part of the address, or else of its query; what is missing is left
 * out with its name.
 */
export const otherAddresses: readonly (readonly [from: Pattern, to: string])[] = [
  ['/home', '/'],
  ['/dailyThemes', '/'],
  ['/privacy', '/help/privacy'],
  ['/conductAgree', '/codeOfConduct'],
  ['/settings', '/account'],
  ['/settings/:part', '/account'],
  ['/map/:deck', '/map'],

  ['/user/:id', '/profile/{id}'],
  ['/username/:name', '/profile/{name}'],
  ['/profile', '/account'],
  ['/profile/edit', '/account/profile'],
  ['/users', '/directory'],

  ['/lfg', '/fez'],
  ['/lfg/create', '/fez/new'],
  ['/lfg/faq', '/help/groups'],
  ['/fez/faq', '/help/groups'],
  ['/lfg/joined', '/fez?list=joined'],
  ['/lfg/owned', '/fez?list=owner'],
  ['/lfg/former', '/fez?list=former'],
  ['/lfg/:unusable', '/fez'],
  ['/lfg/:id/update', '/lfg/{id}/edit'],
  ['/lfg/:id/members', '/lfg/{id}'],
  ['/lfg/:id/chat', '/lfg/{id}'],
  ['/fez/new', '/fez/new'],
  ['/fez/joined', '/fez?list=joined'],
  ['/fez/owned', '/fez?list=owner'],
  ['/fez/former', '/fez?list=former'],
  ['/fez/:unusable', '/fez'],
  ['/fez/:id', '/lfg/{id}'],

  ['/seamail/create', '/seamail/new?as={foruser}&to={withuser}'],
  ['/seamail/new', '/seamail/new'],
  ['/seamail/search', '/seamail?search={search}'],
  ['/seamail/:unusable', '/seamail'],
  ['/seamail/:id/edit', '/seamail/{id}'],

  ['/privateevent', '/dayplanner'],
  ['/privateevent/create', '/privateevent/new'],
  ['/privateevent/new', '/privateevent/new'],
  ['/privateevent/:unusable', '/dayplanner'],
  ['/privateevent/:id/update', '/privateevent/{id}/edit'],
  ['/privateevent/:id/chat', '/privateevent/{id}'],

  ['/forums/:category/createForum', '/forums/{category}'],
  ['/forum/favorites', '/forums?list=favorites'],
  ['/forum/mutes', '/forums?list=mutes'],
  ['/forum/owned', '/forums?list=owner'],
  ['/forum/recent', '/forums?list=recent'],
  ['/forum/unread', '/forums?list=unread'],
  ['/forum/search', '/forums?words={search}'],
  ['/forum/:unusable', '/forums'],
  ['/forum/:id/edit', '/forum/{id}'],
  ['/forumpost/mentions', '/forums?list=mentions'],
  ['/forumpost/favorite', '/forums?list=bookmarks'],
  ['/forumpost/owned', '/forums?in=posts&own=1'],
  ['/forumpost/search', '/forums?in=posts&words={search}&hashtag={hashtag}&mentionOf={mentionname}'],
  ['/forumpost/edit/:id', '/forum/containingpost/{id}'],

  ['/eventfeedback/form/:id', '/events/{id}/feedback'],
  ['/boardgames/guide', '/boardgames?list=recommend'],
  ['/boardgames/:unusable', '/boardgames'],
  ['/boardgames/:id', '/boardgames?game={id}'],
  ['/boardgames/:id/expansions', '/boardgames?game={id}'],
  ['/boardgames/:id/createfez', '/boardgames?game={id}'],
  ['/karaoke/search', '/karaoke?search={search}'],
  ['/karaoke/favorites', '/karaoke?list=favorites'],
  ['/karaoke/log', '/karaoke?list=sung'],
  ['/karaoke/:any', '/karaoke'],
  ['/karaoke/log/:song', '/karaoke?song={song}'],
  ['/karaoke/logperformance/:song', '/karaoke?song={song}'],
  ['/performers/shadow', '/performers?list=shadow'],
  ['/performer/shadow/addtoevent/:event', '/performers/own?event={event}'],

  ['/quartermaster/need', '/quartermaster/need'],
  ['/quartermaster/owned', '/quartermaster/owned'],
  ['/quartermaster/about', '/quartermaster/about'],
  ['/quartermaster/create', '/quartermaster/create'],
  ['/quartermaster/:unusable', '/quartermaster'],
  ['/quartermaster/report/:id', '/quartermaster/{id}?report=1'],

  ['/reports/closed', '/reports?part=closed'],
  ['/moderator/log', '/moderator'],
  ['/moderator/seamail', '/seamail'],
  ['/moderator/guide', '/help/moderators'],
  ['/moderator/mentions', '/forums?list=mentions'],
  ['/moderate/microkaraoke', '/admin/microkaraoke'],
  ['/moderate/microkaraoke/song/:id', '/admin/microkaraoke'],
  ['/moderate/forumpost/:id', '/moderate/forumPost/{id}'],
  ['/moderate/lfg/:id', '/moderate/fez/{id}'],
  ['/moderate/fezpost/:id', '/moderate/fezPost/{id}'],
  ['/moderate/userprofile/:id', '/moderate/userProfile/{id}'],
  ['/moderate/user/:id', '/moderate/userProfile/{id}'],
  ['/moderate/photostream/:id', '/moderate/streamPhoto/{id}'],
  ['/moderate/quartermaster/:id', '/moderate/quartermasterItem/{id}'],
  ['/moderate/personalevent/:id', '/moderate/privateEvent/{id}'],
  ['/moderate/personalEvent/:id', '/moderate/privateEvent/{id}'],
  ['/moderate/privateevent/:id', '/moderate/privateEvent/{id}'],
  ['/admin/performer/add', '/admin/performers'],
  ['/admin/regcodes/showuser/:id', '/admin/users/{id}'],
]

/** As the server writes paths: a parameter of each place has the name that the app's own path gives it. */
export const otherPaths: readonly string[] = [...new Set(otherAddresses.map(([from]) => from.replace(':unusable', ':id')))]

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The address of the page that is meant; undefined when the path is one of the app's own, or leads nowhere. */
export function meantBy(path: string, search = ''): string | undefined {
  // Apps join the address of the server and a path of which one ends and the other begins with a slash.
  const whole = path.replace(/\/{2,}/g, '/')
  if (whole !== path) return meantBy(whole, search) ?? whole + (search && `?${search.replace(/^\?/, '')}`)
  const parts = path.split('/')
  for (const [from, to] of otherAddresses) {
    const found = valuesIn(from.split('/'), parts)
    if (!found) continue
    const target = filled(to, { ...Object.fromEntries(new URLSearchParams(search)), ...found })
    return target === path ? undefined : target
  }
  return undefined
}

function valuesIn(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const wanted = pattern[index] as string
    if (!wanted.startsWith(':')) {
      if (wanted !== part) return undefined
    } else {
      if (part === '' || (wanted === ':unusable' && uuid.test(part))) return undefined
      values[wanted.slice(1)] = part
    }
  }
  return values
}

function filled(target: string, values: Readonly<Record<string, string>>): string {
  const [path = '', query = ''] = target.split('?')
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(decodeURIComponent(values[name] ?? '')))
  const kept = query.split('&').filter((pair) => pair !== '' && !fill(pair).endsWith('='))
  return fill(path) + (kept.length > 0 ? `?${kept.map(fill).join('&')}` : '')
}
