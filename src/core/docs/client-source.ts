// The client package's part that follows from the route table, as TypeScript: a type for every schema, and
// for every endpoint a typed function and one line that says how to call it.
import { identifierOf } from './api-description.ts'
import type { Access, Route, SocketRoute } from '../http/route.ts'
import { ByteStream, Type, type SchemaNode, type TProperties, type TSchema } from '../schema/schema.ts'
import { accessLevels } from '../base/viewer.ts'

/** Second addresses of the same, kept for apps that know no other; and what a browser cannot send. */
function isSpare({ method, path, body, clientName }: Route, routes: readonly Route[]): boolean {
  const has = (otherMethod: string, otherPath: string) => routes.some((route) => route.method === otherMethod && route.path === otherPath)
  if (clientName === false) return true
  if (method === 'GET') return body !== undefined || (/\/(apply|reload)$/.test(path) && has('POST', path))
  const removing = path.replace(/\/(?:delete|remove)$/, '').replace(/\/un(\w+)$/, '/$1')
  return method === 'POST' && removing !== path && has('DELETE', removing)
}

/** One function of the client. */
interface Endpoint {
  group: string
  name: string
  /** How to call it, for the table: method, path, names in the query, flags. */
  line: string
  /** Its declaration in the interface. */
  declaration: string
}

/** Writes the whole file. */
export function clientSource(routes: readonly Route[], socketRoutes: readonly SocketRoute[]): string {
  const types = new ClientTypes()
  for (const { reply } of routes) if (reply) types.received(reply)
  for (const { sends } of socketRoutes) for (const schema of sends) types.received(schema)
  const endpoints = [...requestsOf(routes, types), ...socketsOf(socketRoutes, types)]
  const groups = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints.toSorted((a, b) => (`${a.group} ${a.name}` < `${b.group} ${b.name}` ? -1 : 1)))
    groups.set(endpoint.group, [...(groups.get(endpoint.group) ?? []), endpoint])
  return [
    '// Every endpoint and every schema of the API. Written from the route table (src/core/docs/client-source.ts), not by hand:',
    '// UPDATE_WIRE=1 npm test -- test/core/wire.test.ts',
    "import type { Bytes, BytesBody, CallOptions, FileCall, Nothing, RawSocket } from './transport.ts'",
    "import type { Live, LiveOptions } from './live.ts'",
    '',
    ...types.declarations(),
    '/** One function for every endpoint, by the first word of its path. */',
    'export interface Api {',
    ...[...groups].map(([group, members]) => `  ${group}: {\n${members.map(({ declaration }) => declaration).join('')}  }`),
    '}',
    '',
    '/** How each is called: method, path, names in the query of a POST, flags of `Flag` in transport.ts. */',
    'export const endpoints = {',
    ...[...groups].map(([group, members]) => `  ${group}: {\n${members.map(({ name, line }) => `    ${name}: '${line}',\n`).join('')}  },`),
    '} as const satisfies { [G in keyof Api]: { [F in keyof Api[G]]: string } }',
    '',
  ].join('\n')
}

function requestsOf(routes: readonly Route[], types: ClientTypes): Endpoint[] {
  const names = new FreeNames()
  const known = new Set<string>()
  return routes
    .filter((route) => !isSpare(route, routes))
    .toSorted((a, b) => placesIn(a.path) - placesIn(b.path) || (a.method === 'GET' ? 0 : 1) - (b.method === 'GET' ? 0 : 1))
    .filter(({ method, path }) => known.size < known.add(`${method} ${path}`.toLowerCase()).size)
    .map((route) => {
      const { method, path, access, params, query, body, reply, idempotent, startsSession, maybeNone, summary } = route
      const { group, name } = names.take(method, path, route.clientName || undefined)
      const { type, isOptional, ownKey } = inputOf(route, types)
      const isFile = method === 'GET' && !reply
      const flags = [
        body ? (body === ByteStream ? 'o' : ownKey ? 'B' : 'b') : '',
        idempotent ? 'k' : '',
        access === 'basic' || access === 'service' ? 'p' : '',
        startsSession ? 't' : '',
        isFile ? 'f' : '',
      ].join('')
      const queryNames = method === 'POST' || body ? Object.keys(query ?? {}) : []
      const answer = `${reply ? types.typeOf(reply as SchemaNode, false) : 'void'}${maybeNone ? ' | undefined' : ''}`
      const input = params || query || body || flags.includes('p') ? `input${isOptional ? '?' : ''}: ${type}, ` : 'input?: Nothing, '
      const call = isFile
        ? `${name}: FileCall<${type === 'undefined' ? 'void' : type}>`
        : `${name}(${input}options?: CallOptions): Promise<${answer}>`
      return {
        group,
        name,
        line: `${method} ${path}${queryNames.length > 0 ? `?${queryNames.join('&')}` : ''}${flags ? ` ${flags}` : ''}`,
        declaration: `    /** ${summary}${callerText(access)} \`${method} ${path}\` */\n    ${call}\n`,
      }
    })
}

function socketsOf(routes: readonly SocketRoute[], types: ClientTypes): Endpoint[] {
  const names = new FreeNames()
  return routes.map(({ path, clientName, params, query, sends, relays, summary }) => {
    const { group, name } = names.take('WS', path, clientName)
    const { required = [] } = Type.Object({ ...params, ...query }) as SchemaNode
    const input =
      params || query ? `input${required.length > 0 ? '' : '?'}: ${types.objectOf({ ...params, ...query }, true)}, ` : 'input?: Nothing, '
    const frames = sends.map((schema) => types.typeOf(schema as SchemaNode, false)).join(' | ')
    return {
      group,
      name,
      line: `WS ${path}${relays ? ' r' : ''}`,
      declaration: `    /** ${summary} \`${path}\` */\n    ${name}(${input}${relays ? '' : 'options?: LiveOptions'}): ${relays ? 'RawSocket' : `Live<${frames}>`}\n`,
    }
  })
}

const placesIn = (path: string): number => path.split('/:').length

function callerText(access: Access): string {
  if ((accessLevels as readonly string[]).includes(access)) return ` From level ${access} on.`
  return access === 'none' || access === 'flex' ? ' For everybody.' : ''
}

/** Parameters, query and body as one object, unless two of them use a name. */
function inputOf({ params, query, body, access }: Route, types: ClientTypes): { type: string; isOptional: boolean; ownKey: boolean } {
  const places = { ...params, ...query }
  const content = body as SchemaNode | undefined
  const fields = Object.keys(content?.properties ?? {})
  const ownKey = content !== undefined && (content.type !== 'object' || fields.some((name) => name in places))
  const parts = [
    ...(Object.keys(places).length > 0 ? [types.objectOf(places, true)] : []),
    ...(access === 'basic' || access === 'service' ? ['{ username: string; password: string }'] : []),
    ...(content
      ? [body === ByteStream ? '{ body: BytesBody }' : ownKey ? `{ body: ${types.typeOf(content, true)} }` : types.typeOf(content, true)]
      : []),
  ]
  const required = [...((Type.Object(places) as SchemaNode).required ?? []), ...(ownKey ? ['body'] : (content?.required ?? []))]
  return {
    type: parts.join(' & ') || 'undefined',
    isOptional: required.length === 0 && access !== 'basic' && access !== 'service',
    ownKey,
  }
}

/** Gives every endpoint of a group a name of its own. */
class FreeNames {
  readonly #taken = new Set<string>()

  take(method: string, path: string, own?: string): { group: string; name: string } {
    const [group = '', ...rest] = path.split('/').slice(1)
    const words = rest.filter((segment) => !segment.startsWith(':'))
    const plain = words.length > 0 ? camel(words) : rest.length > 0 ? 'get' : 'list'
    const name = method === 'DELETE' ? camel(['remove', ...words]) : plain
    const candidates = own
      ? [own]
      : [
          name,
          ...(method === 'GET' || method === 'DELETE' ? [] : [camel(['set', name])]),
          `${name}Of`,
          camel(['set', `${name}Of`]),
          identifierOf(method.toLowerCase(), path),
        ]
    const free = candidates.find((candidate) => !this.#taken.has(`${group}.${candidate}`))
    if (free === undefined) throw new Error(`${method} ${path} needs a name of its own in the client package.`)
    this.#taken.add(`${group}.${free}`)
    return { group, name: free }
  }
}

function camel(words: readonly string[]): string {
  const letters = words.flatMap((word) => word.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '')
  return letters.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
}

/** Turns schemas into types; those with a name are declared once. */
class ClientTypes {
  /** Names of all that answers and frames hold: what is only ever sent may be given in more convenient forms. */
  readonly #received = new Set<string>()
  readonly #declared = new Map<string, string>()

  received(schema: TSchema): void {
    const { $id: name, properties, items, anyOf, additionalProperties, patternProperties } = schema as SchemaNode
    if (name !== undefined) this.#received.add(name)
    const parts = [properties ?? {}, patternProperties ?? {}].flatMap((part) => Object.values(part))
    for (const part of [...parts, ...(anyOf ?? []), items, additionalProperties]) if (part) this.received(part as TSchema)
  }

  typeOf(schema: SchemaNode, isSent: boolean): string {
    const { $id: name } = schema
    if (name === undefined) return this.#form(schema, isSent)
    if (!this.#declared.has(name)) {
      this.#declared.set(name, '')
      const form = this.#form(schema, !this.#received.has(name), '')
      this.#declared.set(name, form.startsWith('{') ? `export interface ${name} ${form}` : `export type ${name} = ${form}`)
    }
    return name
  }

  objectOf(properties: TProperties, isSent: boolean): string {
    return this.#form(Type.Object(properties) as SchemaNode, isSent)
  }

  declarations(): string[] {
    return [...this.#declared].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, declaration]) => `${declaration}\n`)
  }

  #form(schema: SchemaNode, isSent: boolean, indent?: string): string {
    const { type, format, enum: values, items, anyOf, properties, required = [], additionalProperties, patternProperties } = schema
    if (anyOf) return anyOf.map((part) => this.typeOf(part, isSent)).join(' | ')
    if (values) return values.map((value) => `'${value}'`).join(' | ')
    switch (type) {
      case 'array': {
        const item = this.typeOf(items as SchemaNode, isSent)
        return `${isSent ? 'readonly ' : ''}${/[ |]/.test(item) ? `(${item})` : item}[]`
      }
      case 'integer':
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'string':
        if (schema.contentEncoding === 'base64') return isSent ? 'Bytes' : 'string'
        return `${format === 'date-time' && isSent ? 'string | Date' : 'string'}${schema['x-nullable'] ? ' | null' : ''}`
      default: {
        const inner = additionalProperties ?? Object.values(patternProperties ?? {})[0]
        if (inner) return `Record<string, ${this.typeOf(inner, isSent)}>`
        const fields = Object.entries(properties ?? {}).map(([key, part]) => {
          const { description } = part as { description?: string }
          const comment = description && indent !== undefined ? `/** ${description} */\n  ` : ''
          return `${comment}${key}${required.includes(key) ? '' : '?'}: ${this.typeOf(part, isSent)}`
        })
        if (fields.length === 0) return 'Record<string, never>'
        return indent === undefined ? `{ ${fields.join('; ')} }` : `{\n${fields.map((field) => `  ${field}\n`).join('')}}`
      }
    }
  }
}
