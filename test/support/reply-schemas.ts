// What the API declares to answer, as a check of what it answers: used by the client of all tests.
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { apiPrefix } from '../../src/core/http/route.ts'
import { ErrorResponse, statusesOf, statusesOfPage } from '../../src/core/docs/openapi.ts'
import type { Route } from '../../src/core/http/route.ts'
import type { SchemaNode, TSchema } from '../../src/core/schema/schema.ts'
import { features, routes } from '../../src/features.ts'
import { inBothWords, inDialect } from '../../src/text/dialect.ts'

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  },
})
/** The words that answers of this test are expected in. */
let dialect: 'seed' | 'twitarr' = 'seed'

/** From now on answers are held against the words of this dialect. */
export function expectDialect(wanted: 'seed' | 'twitarr'): void {
  dialect = wanted
  validators.clear()
}

const validators = new Map<TSchema, ValidateFunction>()

/**
 * Asserts that an answer is what its route declares: exactly the keys of the schema, no nulls, dates
 * with milliseconds, UUIDs in lower case; a refusal is exactly an ErrorResponse.
 *
 * `path` is below /api/v3, with or without that prefix and a query. Pages outside the API, whose path
 * begins with two slashes, are not looked at. `body` is undefined when there is none.
 */
export function assertReply(method: string, path: string, status: number, body: unknown): void {
  if (method === 'HEAD') return
  if (path.startsWith('//')) return assertPage(method, path.slice(1).replace(/\?.*$/, ''), status)
  const what = `${method} ${path} answered ${status}`
  // Segments that lead upwards, also escaped ones, are followed before anything is sent.
  const route = routeOf(method, /\/(\.|%2e){1,2}(\/|\?|$)/i.test(path) ? new URL(path, 'http://server').pathname : path)
  // Its introduction says when a path is none: of no route, or of a GET which is there to change something, for a picture.
  if (route && status !== 404) assert.ok(documented(route).includes(status), `${what}, which the API document does not know of`)
  if (status >= 400) return assertRefusal(what, status, body)
  // Not modified, or a redirect.
  if (status >= 300) return
  assert.ok(route, `${what}, and no route is declared for it`)
  if (route.maybeNone && status === 204) return assert.equal(body, undefined, what)
  if (route.reply) return assertMatches(what, route.reply, body)
  // A GET without a reply schema sends a file.
  if (method !== 'GET') assert.equal(body, undefined, `${what} with a body, and none is declared`)
}

/** Of a page that the document describes only the status is looked at. */
function assertPage(method: string, path: string, status: number): void {
  const page = pages.find(({ page, matches }) => (page.method ?? 'GET') === method && matches.test(path))?.page
  const known = page && statusesOfPage(page)
  // Faults that a test has made, and limits of every connection.
  if (known && status < 500 && status !== 421)
    assert.ok(known.includes(status), `${method} ${path} answered ${status}, which the API document does not know of`)
}

const pages = features.flatMap((each) => each.pages ?? []).map((page) => ({ page, matches: patternOf(page.path.replace('*', ':rest')) }))

const statuses = new Map<Route, readonly number[]>()

function documented(route: Route): readonly number[] {
  let known = statuses.get(route)
  if (!known) statuses.set(route, (known = statusesOf(route)))
  return known
}

function assertRefusal(what: string, status: number, body: unknown): void {
  assertMatches(what, ErrorResponse, body)
  assert.equal((body as { status: number }).status, status, `${what}, and the body says otherwise`)
}

function assertMatches(what: string, schema: TSchema, body: unknown): void {
  let validate = validators.get(schema)
  if (!validate)
    validators.set(schema, (validate = ajv.compile(JSON.parse(inDialect({ dialect }, JSON.stringify(strict(schema as SchemaNode)))))))
  if (validate(body)) return
  const errors = validate.errors?.map(
    ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  )
  assert.fail(
    `${what} with something else than ${(schema as SchemaNode).$id ?? 'it declares'}:\n${errors?.join('\n')}\n${JSON.stringify(body)?.slice(0, 2000)}`,
  )
}

/** Without keys that are not declared, and without rules of content: those are for requests. */
function strict({
  $id: _name,
  minLength: _min,
  maxLength: _max,
  properties,
  items,
  anyOf,
  additionalProperties,
  patternProperties,
  ...rest
}: SchemaNode): object {
  const values = additionalProperties ?? Object.values(patternProperties ?? {})[0]
  return {
    ...rest,
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, strict(part)])) } : {}),
    ...(items ? { items: strict(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(strict) } : {}),
    ...(rest.type === 'object' ? { additionalProperties: values ? strict(values) : false } : {}),
  }
}

/** Parameters stand for anything but a slash, `:rest` for anything. */
function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path
      .replace(/[.+*?()[\]\\]/g, '\\$&')
      .replace(/:rest$/, '.+')
      .replace(/:\w+/g, '[^/]+')}$`,
  )
}

interface Pattern {
  route: Route
  matches: RegExp
  /** Sorts constant segments before parameters, from the left. */
  rank: string
}

const patterns: readonly Pattern[] = inBothWords(routes)
  .map((route) => ({
    route,
    matches: patternOf(route.path),
    rank: route.path.replace(/:\w+/g, '~'),
  }))
  .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))

function routeOf(method: string, path: string): Route | undefined {
  const bare = path.replace(/\?.*$/, '')
  const below = bare.startsWith(`${apiPrefix}/`) ? bare.slice(apiPrefix.length) : bare
  return patterns.find(({ route, matches }) => route.method === method && matches.test(below))?.route
}
