// What answers about users are made of, for those that stay in memory.
import type { Cached } from '../core/http/route.ts'

/** The caller's notes. */
export const notesOf: Cached = { tables: ['note'] }
