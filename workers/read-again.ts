// Has every process read again what it keeps of Postgres.
import { readAgainInTime } from '../src/console/read-again.service.ts'

export const readAgain = readAgainInTime
