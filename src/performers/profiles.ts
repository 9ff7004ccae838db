// Compares the official performers of a web page with those that are stored. Pure.
import { profileOf, sortedYears } from './rules.ts'
import { profileFields, type Link, type MatchableEvent, type PerformerRow, type ProfileField } from './rows.ts'
import type { PerformerImportData, PerformerProfileFieldChangeData, ScrapedPerformerEventReferenceData } from './schemas.ts'

const labels: Readonly<Record<ProfileField, string>> = {
  pronouns: 'Pronouns',
  bio: 'Bio',
  organization: 'Organization',
  title: 'Title',
  website: 'Website',
  facebookURL: 'Facebook',
  xURL: 'X',
  instagramURL: 'Instagram',
  youtubeURL: 'YouTube',
}

export interface ProfilesPlan {
  created: { row: PerformerRow; photoAddress: string | undefined }[]
  /** Those that are stored and on the page; `after` has this year among the years. */
  known: { before: PerformerRow; after: PerformerRow; changedFields: PerformerProfileFieldChangeData[] }[]
  linksToAdd: { performer: PerformerRow; event: MatchableEvent }[]
  unmatched: { name: string; reference: ScrapedPerformerEventReferenceData }[]
  notInSource: PerformerRow[]
}

/** Decides about each performer of the page; of those that mean the same, the first counts. */
export function planProfiles(
  source: readonly PerformerImportData[],
  stored: { performers: readonly PerformerRow[]; links: readonly Link[]; events: readonly MatchableEvent[] },
  { year, newId }: { year: number; newId: () => string },
): ProfilesPlan {
  const byName = new Map<string, PerformerRow>()
  for (const performer of stored.performers) for (const name of performer.alternativeNames) byName.set(name.toLowerCase(), performer)
  for (const performer of stored.performers) byName.set(performer.name.toLowerCase(), performer)
  const byUid = new Map(stored.events.map((event) => [event.uid, event]))
  const byTitle = new Map(stored.events.map((event) => [titleAndStart(event), event]))
  const linked = new Set(stored.links.map(keyOf))

  const plan: ProfilesPlan = { created: [], known: [], linksToAdd: [], unmatched: [], notInSource: [] }
  const seen = new Set<string>()
  for (const given of source) {
    const before = byName.get(given.header.name.trim().toLowerCase())
    const identity = before?.id ?? given.header.name.trim().toLowerCase()
    if (seen.has(identity)) continue
    seen.add(identity)
    const after = afterImport(given, before, year, newId)
    if (before) plan.known.push({ before, after, changedFields: changesOf(before, after) })
    else plan.created.push({ row: after, photoAddress: given.header.photo })
    for (const reference of given.scrapedEventRefs) {
      const event = (reference.uid === undefined ? undefined : byUid.get(reference.uid)) ?? byTitle.get(titleAndStart(reference))
      const key = event && keyOf({ performerId: after.id, eventId: event.id })
      if (!event || key === undefined) plan.unmatched.push({ name: after.name, reference })
      else if (!linked.has(key)) {
        linked.add(key)
        plan.linksToAdd.push({ performer: after, event })
      }
    }
  }
  plan.notInSource = stored.performers.filter(({ id }) => !seen.has(id))
  return plan
}

const keyOf = ({ performerId, eventId }: Link): string => `${performerId} ${eventId}`
const titleAndStart = ({ title, startTime }: { title: string; startTime: Date }): string => `${startTime.getTime()} ${title}`

function afterImport(given: PerformerImportData, before: PerformerRow | undefined, year: number, newId: () => string): PerformerRow {
  if (before) return { ...before, ...profileOf(given), yearsAttended: sortedYears([...before.yearsAttended, year]) }
  return {
    id: newId(),
    accountId: null,
    isOfficial: true,
    name: given.header.name.trim(),
    photo: null,
    ...profileOf(given),
    yearsAttended: sortedYears([...given.yearsAttended, year]),
    alternativeNames: given.alternativeNames ?? [],
  }
}

function changesOf(before: PerformerRow, after: PerformerRow): PerformerProfileFieldChangeData[] {
  return profileFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ fieldName: labels[field], oldValue: shownValue(before[field]), newValue: shownValue(after[field]) }))
}

const shownValue = (value: string | null): string => (value === null ? '(none)' : value === '' ? '(blank)' : value)
