// Every endpoint of what grows old.
import { route } from '../core/http/route.ts'
import { RetentionChangeData, RetentionData, retentionQuery } from './schemas.ts'
import { getRetention, setRetention } from './service.ts'

export const retentionRoutes = [
  route({
    method: 'GET',
    path: '/admin/retention',
    access: 'admin',
    query: retentionQuery,
    reply: RetentionData,
    summary: 'For how many days what is old stays, and how much would go: with these days, or with others that are asked about.',
    run: (ctx, { query }) => getRetention(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/admin/retention',
    access: 'admin',
    body: RetentionChangeData,
    reply: RetentionData,
    summary: 'Sets for how many days what is old stays. What is older goes within minutes, for good.',
    run: (ctx, { body }) => setRetention(ctx, body),
  }),
]
