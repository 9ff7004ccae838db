// The folders that have pages: nothing else lists them.
import { auth } from './auth/feature.tsx'
import { boardgames } from './boardgames/feature.tsx'
import { display } from './display/feature.tsx'
import { events } from './events/feature.tsx'
import { fez } from './fez/feature.tsx'
import { forum } from './forum/feature.tsx'
import { help } from './help/feature.tsx'
import { hunts } from './hunts/feature.tsx'
import { karaoke } from './karaoke/feature.tsx'
import { microblog } from './microblog/feature.tsx'
import { microkaraoke } from './microkaraoke/feature.tsx'
import { notification } from './notification/feature.tsx'
import { oidc } from './oidc/feature.tsx'
import { passkey } from './passkey/feature.tsx'
import { performers } from './performers/feature.tsx'
import { photostream } from './photostream/feature.tsx'
import { planner } from './planner/feature.tsx'
import { poll } from './poll/feature.tsx'
import { quartermaster } from './quartermaster/feature.tsx'
import { search } from './search/feature.tsx'
import { user } from './user/feature.tsx'
import { users } from './users/feature.tsx'
import { welcome } from './welcome/feature.tsx'
import type { Feature } from './kit/feature.tsx'

export const features: readonly Feature[] = [
  auth,
  boardgames,
  display,
  events,
  fez,
  forum,
  help,
  hunts,
  karaoke,
  microblog,
  microkaraoke,
  notification,
  oidc,
  passkey,
  performers,
  photostream,
  planner,
  poll,
  quartermaster,
  search,
  user,
  users,
  welcome,
]
