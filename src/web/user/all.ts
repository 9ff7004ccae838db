// The pages of one's own account, which load together: they need the network, and are rarely opened.
import { lazy } from '../kit/lazy.tsx'

export { CreateSubAccount } from './accounts.tsx'
export { Barrel, Barrels } from './barrels.tsx'
export { OwnData } from './data.tsx'
export { Account } from './page.tsx'
export { EditProfile } from './profile.tsx'
export { NewRecoveryKey } from './recovery-key.tsx'
export { Tokens } from './tokens.tsx'
export { KeyWords } from './words.tsx'
export { UserList } from '../users/lists.tsx'

/** With a code to scan, which takes a library. */
export const SecondFactor = lazy(() => import('./second-factor.tsx').then((all) => all.SecondFactor))
