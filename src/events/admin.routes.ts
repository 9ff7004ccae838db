// Endpoints under /admin for updating the schedule.
import { route } from '../core/http/route.ts'
import { Int, Text, Type } from '../core/schema/schema.ts'
import {
  EventsUpdateData,
  EventUpdateDifferenceData,
  EventUpdateLogData,
  ScheduleApplyData,
  ScheduleChangesData,
  ScheduleUploadData,
} from './schemas.ts'
import {
  applySchedule,
  getUpdate,
  listUpdates,
  orderUpdate,
  scheduleChanges,
  undoUpdate,
  uploadAndVerifySchedule,
  uploadSchedule,
  verifySchedule,
} from './update.service.ts'

const access = 'serviceteam'
const flag = Type.Optional(Text({ max: 200 }))

export const adminScheduleRoutes = [
  route({
    method: 'POST',
    path: '/admin/schedule/update',
    access,
    body: EventsUpdateData,
    reply: ScheduleUploadData,
    summary: 'Keeps a calendar to be compared and applied, in place of the one before. One that cannot be read is refused with its line.',
    run: (ctx, { body }) => uploadSchedule(ctx, body.schedule),
  }),
  route({
    method: 'GET',
    path: '/admin/schedule/verify',
    access,
    reply: EventUpdateDifferenceData,
    summary: 'What the calendar that was uploaded would change.',
    run: (ctx) => verifySchedule(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/schedule/changes',
    access,
    reply: ScheduleChangesData,
    summary: 'What the calendar that was uploaded would change, event by event, with what each was before and how many follow it.',
    run: (ctx) => scheduleChanges(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/schedule/verify',
    access,
    body: EventsUpdateData,
    reply: EventUpdateDifferenceData,
    summary: 'Keeps a calendar and says what it would change.',
    run: (ctx, { body }) => uploadAndVerifySchedule(ctx, body.schedule),
  }),
  route({
    method: 'POST',
    path: '/admin/schedule/update/apply',
    access,
    query: {
      processDeletes: flag,
      forumPosts: flag,
      otherDays: Type.Optional(Type.Boolean()),
      basedOn: Type.Optional(Text({ max: 60 })),
    },
    reply: ScheduleApplyData,
    summary:
      'Brings the schedule to what the uploaded calendar says. Events that it lacks are deleted with processDeletes=true, forums ' +
      'get a post about changes with forumPosts=true. With otherDays=false a calendar is refused of which few events are in the ' +
      'trip. With basedOn, 409 when the calendar or the schedule is another by now.',
    run: (ctx, { query }) => applySchedule(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/admin/schedule/viewlog',
    access,
    reply: Type.Array(EventUpdateLogData),
    summary: 'The latest updates of the schedule, newest first.',
    cached: { tables: ['schedule_log'] },
    run: (ctx) => listUpdates(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/schedule/viewlog/:schedule_log_id',
    access,
    params: { schedule_log_id: Int },
    reply: EventUpdateDifferenceData,
    summary: 'What an update changed.',
    cached: { tables: ['schedule_log'] },
    run: (ctx, { params }) => getUpdate(ctx, params.schedule_log_id),
  }),
  route({
    method: 'POST',
    path: '/admin/schedule/viewlog/:schedule_log_id/undo',
    access,
    params: { schedule_log_id: Int },
    query: { forumPosts: Type.Optional(Type.Boolean()) },
    reply: ScheduleApplyData,
    summary:
      'Undoes an update, once all later ones are undone: events come back with those who follow them, their photographers and their ' +
      'forums. Posts about changes stay, and so do forums of new events in which somebody has written. Undoing an undo applies its ' +
      'update again.',
    run: (ctx, { params, query }) => undoUpdate(ctx, params.schedule_log_id, query),
  }),
  ...(['GET', 'POST'] as const).map((method) =>
    route({
      method,
      path: '/admin/schedule/reload',
      access,
      summary: 'Orders an update from the address in the settings; the log shows its outcome.',
      run: (ctx) => orderUpdate(ctx),
    }),
  ),
]
