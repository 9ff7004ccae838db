// Endpoints about incidents.
import { route } from '../core/http/route.ts'
import { listIncidents } from './service.ts'
import { IncidentListData } from './schemas.ts'

export const incidentsRoutes = [
  route({
    method: 'GET',
    path: '/admin/incidents',
    access: 'moderator',
    reply: IncidentListData,
    summary: 'What is wrong with the machine and since when, and what was.',
    cached: { tables: ['incident'] },
    run: (ctx) => listIncidents(ctx),
  }),
]
