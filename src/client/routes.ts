// Every endpoint under /client.
import { route } from '../core/route.ts'
import { Dto, Int, Type } from '../core/schema.ts'
import { AppError } from '../core/errors.ts'
import { healthOf } from './health.service.ts'

/** Resembles an ErrorResponse without being one. */
const HealthResponse = Dto('HealthResponse', { status: Int, reason: Type.String(), error: Type.Boolean() })

export const clientRoutes = [
  route({ method: 'GET', path: '/client/health', access: 'none', reply: HealthResponse,
    summary: 'Whether the server and its stores answer.',
    run: async (ctx) => {
      const health = await healthOf(ctx.node)
      if (health.database === 'down') throw new AppError(500, 'The database does not answer.')
      if (health.redis === 'down') throw new AppError(500, 'Redis does not answer.')
      return { status: 200, reason: 'OK', error: false }
    } }),
]
