// Calls between apps.
import { feature } from '../core/http/feature.ts'
import { phoneErrors } from './errors.ts'
import { phoneRoutes, phoneSockets } from './routes.ts'

export const phoneFeature = feature({
  name: 'phone',
  errorCodes: phoneErrors,
  routes: phoneRoutes,
  sockets: phoneSockets,
})
