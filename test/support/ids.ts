// Ids for tests that try all routes on all things.

/** Of nothing. */
export const missingUuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const missingInt = '2000000001'

/** Ids that are numbers, and one of nothing. */
export const texts = (ids: Readonly<Record<string, number>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(ids).map(([state, id]) => [state, String(id)])),
  missing: missingInt,
})
