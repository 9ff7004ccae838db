// What answers about users are made of, for those that stay in memory.
import type { Kept } from '../core/http/route.ts'

/** The caller's notes. */
export const notesOf: Kept = { tables: ['note'] }
