// Calls between apps.
import { feature } from '../core/http/feature.ts'
import { phoneRoutes, phoneSockets } from './routes.ts'

export const phoneFeature = feature({
  name: 'phone',
  routes: phoneRoutes,
  sockets: phoneSockets,
})
