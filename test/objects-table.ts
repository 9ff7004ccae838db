// Whose things a route takes, by the reference: every id in every path, with things in all the states of
// test/support/world.ts. test/core/objects.test.ts holds the product against it.
import { testFeatures } from './support/features.ts'
import type { World } from './support/world.ts'

/**
 * Method, path, parameter, who calls, and what comes of each state.
 *
 * The caller has the lowest level that the route lets in; the `stranger` has no part in anything, and
 * `blocked` is what the one who blocks him made. `missing=` says what an id of nothing is answered with.
 * Other states: `missing` for exactly that answer, `ok` for success, or the status of a refusal.
 *
 * Blocks mean nothing to moderators, and nothing in the libraries. Ending a favorite, a mute or a bookmark
 * is no question of what can be seen. Barrels are private but no secret. Pictures are for who knows their names.
 */
const table = testFeatures.map(({ objects = '' }) => objects).join('')

export interface Row {
  method: string
  path: string
  param: string
  caller: Exclude<keyof World, 'things'>
  outcomes: string
}

/** The table, row by row. */
export const rows: readonly Row[] = table
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [call = '', outcomes = ''] = line.split(': ')
    const [method = '', path = '', param = '', caller = ''] = call.split(' ')
    return { method, path, param, caller: caller as Row['caller'], outcomes }
  })
