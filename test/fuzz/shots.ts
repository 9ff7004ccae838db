// Requests made by chance: whose, of which route, with what.
import type { Route } from '../../src/core/http/route.ts'
import { ByteStream, type SchemaNode } from '../../src/core/schema/schema.ts'
import { routes } from '../../src/features.ts'
import type { TestNodes } from '../support/app.ts'
import type { Client, RequestOptions } from '../support/client.ts'
import { hiddenStatesOf, idsOf, kindOf, type World } from '../support/world.ts'
import { queryFor, segmentFor, valueFor, type Dice, type Ids } from './values.ts'

export interface Caller {
  name: string
  client: Client
  basic?: [string, string]
}

/** What requests are made of. */
export interface Round {
  nodes: TestNodes
  world: World
  ids: Ids
  callers: Caller[]
  secrets: string[]
  dice: Dice
}

/** One request, before it is sent. */
export interface Shot {
  route: Route
  caller: Caller
  path: string
  options: RequestOptions
  /** The same with the id of nothing in place of one that is hidden from the caller. */
  twin?: { path: string; hidden: string; missing: string }
}

/** Makes the next request. */
export function aim({ dice, callers, ids, world }: Round): Shot {
  const route = dice.pick(routes)
  const names = Object.entries(route.params ?? {}) as [string, SchemaNode][]
  const secretive = names.flatMap(([name]) => (hiddenStatesOf(route.path, kindOf(route.path, name) as string).length > 0 ? [name] : []))
  const hides = secretive.length > 0 && dice.chance(0.3) ? dice.pick(secretive) : undefined
  const caller = hides ? (callers.find(({ name }) => name === 'stranger') as Caller) : dice.pick(callers)
  const hostile = dice.chance(0.5)
  const params = Object.fromEntries(names.map(([name, schema]) => [name, segmentOf(route.path, name, schema)]))
  const query = route.query && dice.chance(0.7) ? queryFor(route.query as Record<string, SchemaNode>, dice, ids, hostile) : ''
  const options = { ...bodyFor(route, dice, ids, hostile), ...(caller.basic ? { basic: caller.basic } : {}) }
  const headers = { ...headersFor(dice, world), ...options.headers }
  const pathWith = (more: Record<string, string>) =>
    route.path.replace(/:(\w+)/g, (_, name: string) => ({ ...params, ...more })[name] as string) + (query === '' ? '' : `?${query}`)
  if (!hides) return { route, caller, path: pathWith({}), options: { ...options, headers } }
  const kind = kindOf(route.path, hides) as string
  const ofKind = idsOf(world, kind)
  const [hidden, missing] = [ofKind[dice.pick(hiddenStatesOf(route.path, kind))] as string, ofKind['missing'] as string]
  return {
    route,
    caller,
    path: pathWith({ [hides]: hidden }),
    options: { ...options, headers },
    twin: { path: pathWith({ [hides]: missing }), hidden, missing },
  }

  function segmentOf(path: string, name: string, schema: SchemaNode): string {
    const kind = kindOf(path, name)
    return kind && (!hostile || dice.chance(0.8)) ? dice.pick(Object.values(idsOf(world, kind))) : segmentFor(schema, dice, ids, hostile)
  }
}

function bodyFor({ body }: Route, dice: Dice, ids: Ids, hostile: boolean): RequestOptions {
  if (!body) return dice.chance(0.05) ? { body: 'a body that nobody asked for' } : {}
  if (body === ByteStream)
    return {
      body: dice.pick(['', 'PK\u0003\u0004', 'text', 'PK\u0005\u0006'.padEnd(22, '\0')]),
      headers: { 'content-type': 'application/octet-stream' },
    }
  const value = valueFor(body as SchemaNode, dice, ids, hostile)
  const json = { 'content-type': 'application/json' }
  switch (hostile ? dice.below(15) : 6 + dice.below(2)) {
    case 0:
      return {}
    case 1:
      return { body: JSON.stringify(value).slice(0, -1 - dice.below(5)), headers: json }
    case 2:
      return {
        body: dice.pick([
          '{',
          '[',
          '"',
          'null',
          '1',
          '[]',
          '{}',
          '[{}]',
          '\ufeff{}',
          '{"a":',
          '[[[[[[[[[['.repeat(2000),
          '{"a":'.repeat(2000),
          `{"text":"${'\\u0000'.repeat(100)}"}`,
          '{"text":"\\ud800"}',
        ]),
        headers: json,
      }
    case 3:
      return {
        body: JSON.stringify(value),
        headers: {
          'content-type': dice.pick([
            'application/xml',
            'text/html',
            'multipart/form-data',
            'multipart/form-data; boundary=b',
            'x',
            '',
            'application/json; charset=utf-16',
            'application/octet-stream',
          ]),
        },
      }
    case 4:
    case 5:
      return { body: brokenOrNot(multipartOf(value, dice), dice), headers: { 'content-type': 'multipart/form-data; boundary=b' } }
    case 6:
      return { body: multipartOf(value, dice), headers: { 'content-type': 'multipart/form-data; boundary=b' } }
    case 7:
      return { body: JSON.stringify(value), headers: json }
    case 8:
      return {
        body: Buffer.concat([Buffer.from(JSON.stringify(value)), Buffer.from(dice.pick([[0xff], [0xc3, 0x28], [0], [0xed, 0xa0, 0x80]]))]),
        headers: json,
      }
    default:
      return { body: JSON.stringify(value), headers: json }
  }
}

/** The form that says the same. */
function multipartOf(value: unknown, dice: Dice): string {
  const parts: string[] = []
  const add = (name: string, each: unknown): void => {
    if (Array.isArray(each)) each.forEach((item, index) => add(`${name}[${dice.chance(0.5) ? index : ''}]`, item))
    else if (typeof each === 'object' && each !== null)
      for (const [key, item] of Object.entries(each)) add(name === '' ? key : `${name}[${key}]`, item)
    else
      parts.push(
        `--b\r\nContent-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '')}"${dice.chance(0.02) ? `; filename="${dice.pick(['a.png', '../../a', 'a\0b', ''])}"` : ''}\r\n\r\n${String(each)}\r\n`,
      )
  }
  add('', value)
  return `${parts.join('')}--b--\r\n`
}

function brokenOrNot(form: string, dice: Dice): string {
  return dice.chance(0.5)
    ? dice.pick([
        form.slice(0, dice.below(form.length)),
        form.replace('\r\n\r\n', '\r\n'),
        form.replace('name=', ''),
        form.replaceAll('--b', '--c'),
        '--b',
        form + form,
      ])
    : form
}

function headersFor(dice: Dice, { stranger }: World): Record<string, string> {
  const headers: Record<string, string> = {}
  if (dice.chance(0.1)) headers['idempotency-key'] = dice.pick(['a', 'b', 'x'.repeat(200), 'x'.repeat(201), 'with space', '"'])
  if (dice.chance(0.2)) headers['x-service-user'] = dice.pick([stranger.username, stranger.id, 'nobody', '', 'x'.repeat(1000)])
  if (dice.chance(0.1)) headers['if-none-match'] = dice.pick(['*', '"x"', 'W/"1"', '"', ','.repeat(500)])
  if (dice.chance(0.1)) headers['range'] = dice.pick(['bytes=0-', 'bytes=-1', 'bytes=5-1', 'bytes=99999999999999-', 'bytes=0-0,1-1', 'x'])
  if (dice.chance(0.1)) headers['accept-encoding'] = 'gzip;q=0'
  if (dice.chance(0.05)) headers['x-request-id'] = dice.pick(['abc', 'x'.repeat(100), '<script>'])
  return headers
}

/** What nobody should send in the place of credentials. */
export function oddAuthorization(dice: Dice): string {
  const names = [
    'a:b',
    ':',
    '',
    'a',
    'a\0b:c',
    'james:a\0b',
    '\ud800:a',
    'İ:a',
    `${'x'.repeat(2000)}:y`,
    `james:${'x'.repeat(2000)}`,
    '\r\n:a',
    "' or 1=1 --:a",
    'admin:',
    'admin:x',
    '💥:💥',
    '\u202e:a',
  ]
  const basic = dice.chance(0.1) ? Buffer.from([0xff, 0x3a, 0xfe]) : Buffer.from(dice.pick(names))
  return dice.pick([
    `Basic ${basic.toString('base64')}`,
    `Basic ${basic.toString('base64')}`,
    'Basic',
    'Basic ====',
    'Basic %%%',
    'Bearer',
    'Bearer ',
    `Bearer ${'x'.repeat(2000)}`,
    'Bearer a b',
    'Digest a',
    'Negotiate',
    ',',
    `bearer  ${basic.toString('base64url')}`,
  ])
}

/** Somebody whom the route lets in. */
export function callerFor({ callers }: Round, { access, role }: Route): Caller {
  const name =
    access === 'basic'
      ? 'password'
      : access === 'service'
        ? 'service'
        : access === 'client'
          ? 'client'
          : role
            ? 'manager'
            : access === 'token' || access === 'verified'
              ? 'stranger'
              : 'admin'
  return callers.find((caller) => caller.name === name) as Caller
}

/** A part of a path that nothing is wrong with. */
export function goodSegment({ world, dice, ids }: Round, route: Route, name: string): string {
  const states = world.things[kindOf(route.path, name) ?? '']
  return states
    ? ((states['own'] ?? states['other'] ?? states['missing']) as string)
    : segmentFor((route.params as Record<string, SchemaNode>)[name] as SchemaNode, dice, ids, false)
}

/** A request in words. */
export function describe({ route, caller, path, options: { body, headers } }: Shot): string {
  const sent =
    body === undefined
      ? 'no body'
      : Buffer.isBuffer(body)
        ? `base64 ${body.toString('base64').slice(0, 2000)}`
        : JSON.stringify(body).slice(0, 2000)
  return `${route.method} ${path.slice(0, 1000)} as ${caller.name} with ${JSON.stringify(headers)} and ${sent}`
}
