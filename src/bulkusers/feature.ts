// Moving users between servers.
import { feature } from '../core/http/feature.ts'
import { job } from '../core/work/job-runner.ts'
import { bulkusersErrors } from './errors.ts'
import { bulkUserRoutes } from './routes.ts'
import { importUserImage } from './service.ts'

export const bulkusersFeature = feature({
  name: 'bulkusers',
  errorCodes: bulkusersErrors,
  routes: bulkUserRoutes,
  jobs: [job('bulk-user-image', importUserImage)],
})
