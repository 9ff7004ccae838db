// Alerts of the operator's monitoring, delivered as private chats.
import { builtIn } from '../accounts/rows.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import { openAnnouncedChat } from '../fez/announced.service.ts'
import { accountNamed } from '../users/service.ts'
import type { AlertmanagerAlert } from './schemas.ts'

/** Sends alerts one after another; those before a faulty one have been sent when it is refused. */
export async function sendAlerts(ctx: Ctx, alerts: readonly AlertmanagerAlert[]): Promise<void> {
  for (const alert of alerts) await sendAlert(ctx, alert)
}

async function sendAlert(ctx: Ctx, { status, labels, annotations }: AlertmanagerAlert): Promise<void> {
  const { participants, summary } = annotations
  const names = (participants ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0)
    throw badRequest('participants_missing', 'An alert needs the annotation participants: usernames with commas between them.')
  const userIds = new Set<string>()
  for (const username of names) {
    const user = await accountNamed(ctx.node, username)
    if (!user) throw badRequest('user_unknown', `There is no user ${username} to alert.`)
    userIds.add(user.id)
  }
  await openAnnouncedChat(ctx, {
    ownerId: builtIn.prometheus,
    userIds: [...userIds],
    title: `${labels['alertname'] || 'Alert'}: ${status}`,
    text: summary || 'This alert has no summary.',
  })
}
