// The life of an event: before, during and after it, its report by the day, its end.
import { route } from '../core/http/route.ts'
import { Text, Type } from '../core/schema/schema.ts'
import { dayReport, eventLife, setTrip } from './event.service.ts'
import { DayReportData, EventLifeData, TripData, TripUploadData, WipeOrderData, WipeStateData } from './event.schemas.ts'
import { downloadEverybody, everybodyTicket, orderEverybody } from './everybody.service.ts'
import { BackupTicketData, OperationData, PasswordData } from './schemas.ts'
import { orderWipe, wipeState } from './wipe.service.ts'

export const eventLifeRoutes = [
  route({
    method: 'GET',
    path: '/admin/event',
    access: 'serviceteam',
    reply: EventLifeData,
    summary: 'The event from its preparation to its end: what is ready, what the day brings, what is left to do.',
    shared: true,
    run: (ctx) => eventLife(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/event/trip',
    access: 'admin',
    body: TripUploadData,
    reply: TripData,
    summary: 'Sets the name and the dates of the event, in force on all servers when it is answered.',
    run: (ctx, { body }) => setTrip(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/admin/report',
    access: 'serviceteam',
    query: { date: Type.Optional(Text({ max: 10 })) },
    reply: DayReportData,
    summary: 'A day aboard in figures, by its date; without one, today.',
    shared: true,
    run: (ctx, { query }) => dayReport(ctx, query.date),
  }),
  route({
    method: 'POST',
    path: '/admin/everybody',
    access: 'admin',
    reply: OperationData,
    summary:
      'Makes a file with what belongs to each user, in a folder for each; a worker does it, and `GET /admin/event` says how far it is.',
    run: (ctx) => orderEverybody(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/everybody/ticket',
    access: 'admin',
    body: PasswordData,
    reply: BackupTicketData,
    summary: 'Lets the caller download that file for a minute, once they have given their password again.',
    run: (ctx, { body }) => everybodyTicket(ctx, body.currentPassword),
  }),
  route({
    method: 'GET',
    path: '/admin/everybody',
    access: 'admin',
    query: { ticket: Text({ max: 200 }) },
    summary: 'That file, a zip, with a ticket; it stays for a day.',
    run: (ctx, { query }) => downloadEverybody(ctx, query.ticket),
  }),
  route({
    method: 'GET',
    path: '/admin/wipe',
    access: 'admin',
    reply: WipeStateData,
    summary: 'The last wipe, and what it left.',
    // Backups come and go by other hands.
    cached: { tables: ['setting'], everySecond: true },
    run: (ctx) => wipeState(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/wipe',
    access: 'admin',
    body: WipeOrderData,
    summary: 'Removes all users and everything they have written. All servers restart for it, and everybody is signed out, the caller too.',
    run: (ctx, { body }) => orderWipe(ctx, body),
  }),
]
