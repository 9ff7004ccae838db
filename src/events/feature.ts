// The schedule.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { job } from '../core/work/job-runner.ts'
import { adminScheduleRoutes } from './admin.routes.ts'
import { calendarPages } from './calendar-file.service.ts'
import { scheduleId, scheduleKind } from './channel.ts'
import { eventsErrors } from './errors.ts'
import { fetchSchedule, orderHourlyUpdate, updateFromFeed } from './reload.service.ts'
import { eventsRoutes } from './routes.ts'
import { announceMove } from './followers.service.ts'
import { announceEvent, noteStartingEvents } from './starting.service.ts'
import { subscriptionPage } from './subscription.service.ts'

export const eventsFeature = feature({
  name: 'events',
  errorCodes: eventsErrors,
  webPaths: ['/events', '/events/:id', '/events/:id/feedback', '/photographers'],
  routes: [...adminScheduleRoutes, ...openToUnverified(eventsRoutes)],
  pages: [...calendarPages, subscriptionPage],
  load: ({ channels }) => channels.of(scheduleKind).get(scheduleId),
  jobs: [
    job('event-starting', announceEvent),
    job('event-moved', announceMove),
    job('schedule-reload', updateFromFeed, { prepare: fetchSchedule }),
  ],
  sweeps: [
    { name: 'event-starting', everyMs: 3000, run: noteStartingEvents },
    { name: 'schedule-reload', everyMs: 15_000, run: orderHourlyUpdate },
  ],
  tables: [
    table('event', { staysAfterWipe: { what: 'the schedule, without forums and followers', reset: { forum_id: null } } }),
    table('event_follower', { persons: { account_id: 'removed' }, ownData: { as: 'followedEvents', of: 'account_id' } }),
    table('event_photographer', { persons: { account_id: 'removed' } }),
    table('event_photo_wish'),
    table('calendar_subscription', {
      persons: { account_id: 'removed' },
      ownData: { as: 'calendarAddress', of: 'account_id', without: ['secret_digest'] },
      inAnswers: 'none',
    }),
    table('schedule_log', {
      persons: { actor_id: 'kept' },
      staysAfterWipe: { what: 'what changed in the schedule', reset: { actor_id: null, before: null } },
    }),
    table('schedule_upload', { persons: { uploader_id: 'kept' } }),
  ],
})
