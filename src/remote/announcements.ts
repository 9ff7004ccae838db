// Announcements.
import type { Client } from '../sdk/client.ts'
import { done, textOf, wordOf, type Given, type Outcome } from './command.ts'
import { momentOf, shownTime } from './times.ts'

const usualUntil = '24h'

/** At once or later, until then. */
export async function announce(client: Client, given: Given): Promise<Outcome> {
  const text = given.words.join(' ')
  const at = textOf(given, 'at')
  const from = at === undefined ? given.nowMs : momentOf(at, given.nowMs)
  const displayUntil = new Date(momentOf(textOf(given, 'until') ?? usualUntil, from))
  const postAsUser = textOf(given, 'as')
  const announcement = { text, displayUntil, ...(postAsUser !== undefined && { postAsUser }) }
  if (at === undefined) await client.notification.announcementCreate(announcement)
  else await client.admin.setAnnouncementsPlanned({ ...announcement, showAt: new Date(from) })
  return {
    raw: announcement,
    lines: [`It is shown until ${shownTime(displayUntil)}${at === undefined ? '' : `, from ${shownTime(new Date(from))} on`}.`],
  }
}

/** Those that are shown, and their numbers. */
export async function announcements(client: Client): Promise<Outcome> {
  const raw = await client.notification.announcements()
  const rows = raw.map(({ id, author, displayUntil, text }) => ({
    number: id,
    by: author.username,
    until: shownTime(displayUntil),
    text: text.replaceAll('\n', ' '),
  }))
  return { raw, table: rows }
}

/** By its number. */
export async function deleteAnnouncement(client: Client, given: Given): Promise<Outcome> {
  await client.notification.removeAnnouncement({ announcementID: Number(wordOf(given)) })
  return done
}
