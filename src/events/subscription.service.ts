// The address under which calendar programs, which know no sessions, read what somebody has planned. Its secret is the only key to it.
import { createHash, randomBytes } from 'node:crypto'
import { requireAdmission } from '../core/http/admission.ts'
import type { Page } from '../core/http/http.ts'
import { Ctx } from '../core/work/ctx.ts'
import { notAvailable, tooManyRequests } from '../core/base/errors.ts'
import type { RateRule } from '../core/work/rate-limit.ts'
import { userKind } from '../users/channel.ts'
import { plannedFile } from './calendar-file.service.ts'
import { deleteSubscription, selectSubscribedAt, selectSubscriber, upsertSubscription } from './subscription.queries.ts'
import type { CalendarSubscriptionData, NewCalendarSubscriptionData } from './schemas.ts'

const secretBytes = 24
const secretForm = /^[\w-]{32}$/
/** Of one person. A calendar program asks every few minutes at most, on each of their devices. */
const reads: RateRule = { name: 'calendar', points: 60, seconds: 600 }

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export async function getSubscription(ctx: Ctx): Promise<CalendarSubscriptionData> {
  const createdAt = await selectSubscribedAt(ctx.sql, ctx.viewer.id)
  return createdAt ? { createdAt } : {}
}

/** Makes an address; the one before leads nowhere from now on. */
export async function createSubscription(ctx: Ctx): Promise<NewCalendarSubscriptionData> {
  const secret = randomBytes(secretBytes).toString('base64url')
  const createdAt = new Date(ctx.nowMs)
  await ctx.statement((tx) => upsertSubscription(tx.sql, ctx.viewer.id, digestOf(secret), createdAt))
  return { path: `/calendar/${secret}/planner.ics`, createdAt }
}

export async function removeSubscription(ctx: Ctx): Promise<void> {
  await ctx.statement((tx) => deleteSubscription(tx.sql, ctx.viewer.id))
}

export const subscriptionPage: Page = {
  path: '/calendar/:secret/planner.ics',
  about: {
    summary: 'Everything that somebody has planned as a calendar, for calendar programs: at an address that they have made.',
    type: 'text/calendar',
    file: true,
    refusals: [400, 403, 429, 451],
  },
  async run(node, [secret = ''], head, address) {
    const accountId = secretForm.test(secret) ? await selectSubscriber(node.db.sql, digestOf(secret)) : undefined
    const viewer = accountId === undefined ? undefined : await node.channels.of(userKind).get(accountId)
    if (!viewer || viewer.level === 'banned') throw notAvailable('calendar')
    requireAdmission(node, { access: 'token', features: ['schedule'] }, viewer)
    const seconds = await node.rateLimiter.take(reads, viewer.personId)
    if (seconds > 0)
      throw tooManyRequests('too_many_requests', `This calendar was read too often. Try again in ${seconds} seconds.`, seconds)
    return await plannedFile(new Ctx(node, viewer, { requestId: head.requestId, log: node.log, address, head }))
  },
}
