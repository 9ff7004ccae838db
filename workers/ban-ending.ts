// Ends a ban when its time has come.
import { endBanInTime } from '../src/users/bans.service.ts'

export const banEnding = endBanInTime
