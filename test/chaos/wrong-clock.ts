// Loaded into a server or worker before its own code: the clock of its machine is wrong by so much.
import { setMachineClock } from '../support/fake-clock.ts'

setMachineClock({ after: () => undefined }, Number(process.env['CLOCK_AHEAD_MS']))
