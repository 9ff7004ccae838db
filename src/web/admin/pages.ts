// The pages of the host, in one file that is loaded when one of them is opened; plots come in a file of their own.
import { lazy } from '../kit/lazy.tsx'
import * as menu from './menu.tsx'
import * as operations from './operations.tsx'
import { onlyFrom } from './parts.tsx'
import * as people from './people.tsx'
import * as person from './person.tsx'

const dashboard = () => import('./dashboard.tsx')

export const Menu = onlyFrom('moderator', 'menu', menu.Menu)
export const Dashboard = onlyFrom(
  'serviceteam',
  'dashboard',
  lazy(() => dashboard().then((all) => all.Dashboard)),
)
export const Checks = onlyFrom(
  'serviceteam',
  'checks',
  lazy(() => dashboard().then((all) => all.Checks)),
)
export const People = onlyFrom('moderator', 'people', people.People)
export const Person = onlyFrom('serviceteam', 'person', person.Person)
export const Jobs = onlyFrom('serviceteam', 'jobs', operations.Jobs)
export const Errors = onlyFrom('serviceteam', 'errors', operations.Errors)
export const Audit = onlyFrom('admin', 'audit', operations.Audit)
