// Wire forms of words that have two names.
import { OneOf } from '../core/schema/schema.ts'
import { levelAliases } from './dialect.ts'

/** An access level in a request. */
export const LevelWord = <const V extends readonly string[]>(levels: V) => OneOf(levels, { ignoreCase: true, aliases: levelAliases })
