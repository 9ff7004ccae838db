// The OpenAPI 3.1 document of the route table.
import { identifierOf, NamedSchemas, templateOf, type ApiInfo } from './api-description.ts'
import { portOf } from '../base/config.ts'
import type { Page, PageAbout } from '../http/http.ts'
import { fieldRules, frameErrorCodes } from '../base/errors.ts'
import { cookieName } from '../http/own-page.ts'
import { apiPrefix, type Access, type Route } from '../http/route.ts'
import { ByteStream, Dto, Int, Type, type SchemaNode, type TProperties, type TSchema } from '../schema/schema.ts'
import { accessLevels } from '../base/viewer.ts'

/** The body of every refusal. */
export const ErrorResponse = Dto('ErrorResponse', {
  error: Type.Boolean({ const: true }),
  status: Int,
  code: Type.String({ description: 'What happened, for programs: one of a closed list, see the introduction.' }),
  reason: Type.String({ description: 'Can be shown to people.' }),
  fieldErrors: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Dotted path of a field in the request, or `general`, to what is wrong with it.',
    }),
  ),
  fieldRules: Type.Optional(
    Type.Record(
      Type.String(),
      Dto('FieldRule', { rule: Type.String(), min: Type.Optional(Type.Number()), max: Type.Optional(Type.Number()) }),
      {
        description: 'The rule that a field breaks, for clients that say it in the words of their reader: one of a closed list.',
      },
    ),
  ),
})

const conventions = `
Sockets are described in [asyncapi.json](asyncapi.json).

- Bodies are JSON or \`multipart/form-data\`; nested fields of a form have names such as \`images[0][image]\`, and a list that is absent there is empty. Unknown fields are ignored, \`null\` is the same as absent.
- Optional fields of an answer are left out when they have no value.
- Dates are sent as ISO 8601 in UTC with milliseconds. They are accepted with any offset, and as seconds since 1970.
- UUIDs are sent in lower case and accepted in any case.
- \`minLength\` and \`maxLength\` count what people see as characters, \`x-maxLines\` counts lines. An empty text in an optional field is no value, and has no shortest length.
- A list in a body has at most 10,000 entries where it does not say otherwise, a whole body at most 30,000 values.
- A list in a query may be \`a=1&a=2\` or \`a=1,2\`. A query value that is not an integer where one is wanted is ignored, or refused where it says \`x-strict\`.
- The browser app is at \`/\` and at further addresses of the root: they answer clients that ask for \`text/html\`, and 404 others.
- Every GET also answers HEAD, which changes nothing: what it would show stays unread, and where the GET is there to change something it is 404; so is that GET for a picture of a page.
- A path that takes other methods than the one of the request answers 405, and lists them in \`Allow\`. After a body in chunks (\`Transfer-Encoding: chunked\`) the server closes the connection.
- \`x-feature\`: 451 when one of these is switched off. \`x-min-access-level\`, \`x-role\`: what the caller needs to have; \`x-or-role\` stands in for the level.`.trim()

/** Words of a closed list with their meanings, as a table in Markdown. */
function wordList(about: string, words: Readonly<Record<string, string>>): string {
  const lines = Object.keys(words)
    .toSorted()
    .map((word) => `| \`${word}\` | ${words[word]} |`)
  return [`${about} is one of these:`, '', '| Word | Meaning |', '|---|---|', ...lines].join('\n')
}

/** Describes every route. @throws Error when two routes or two schemas cannot be told apart. */
export function openApiDocument(
  routes: readonly Route[],
  { title, version, externalUrl, errorCodes, fieldExamples }: ApiInfo,
  pages: readonly Page[] = [],
): object {
  const schemas = new NamedSchemas(fieldExamples)
  const cookie = cookieName({ externalPort: portOf(externalUrl) })
  const paths: Record<string, Record<string, object>> = {}
  const operationIds = new Set<string>()
  for (const route of routes) {
    const operation = operationOf(route, schemas)
    if (operationIds.has(operation.operationId)) throw new Error(`${route.method} ${route.path} is declared twice.`)
    operationIds.add(operation.operationId)
    const path = (paths[templateOf(route.path)] ??= {})
    path[route.method.toLowerCase()] = operation
  }
  for (const page of pages) {
    if (!page.about) continue
    const known = paths[pageTemplate(page)]
    // The same at both addresses.
    if (known) Object.assign(known, { servers: [{ url: apiPrefix }, { url: '/' }] })
    else paths[pageTemplate(page)] = pathOf(page, page.about)
  }
  const errorSchema = jsonContent(schemas, ErrorResponse)
  const codes = wordList('The `code` of an error', { ...frameErrorCodes, ...errorCodes })
  const rules = wordList('The `rule` of a field that is refused', fieldRules)
  return {
    openapi: '3.1.0',
    info: { title, version, description: [conventions, codes, rules].join('\n\n') },
    servers: [{ url: apiPrefix }],
    tags: [...new Set([...routes.map(tagOf), ...(pages.some(({ about }) => about) ? ['pages'] : [])])].toSorted().map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.all(),
      parameters: { IdempotencyKey: idempotencyKey, IfNoneMatch: ifNoneMatch, Session: session },
      responses: Object.fromEntries(
        refusals.map(({ name, description, headers }) => [name, { description, ...(headers ? { headers } : {}), content: errorSchema }]),
      ),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that a login answers with.' },
        basic: { type: 'http', scheme: 'basic', description: 'Username and password.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: cookie,
          description:
            `The session of a browser; over TLS its name is \`__Host-${cookie}\`. The number is the port of \`SWIFTARR_EXTERNAL_URL\`. ` +
            'It counts only for requests from pages of this ' +
            'server: by their `Origin`, and by `Sec-Fetch-Site` where it is sent. A GET marks something as read only when a ' +
            'script says `X-Session: cookie`. With `X-Session-User` and the id of an account, a session of somebody else is refused.',
        },
      },
    },
  }
}

function operationOf(route: Route, schemas: NamedSchemas) {
  const { method, path, access, role, orRole, features, summary, body, idempotent, startsSession } = route
  const conditional = isConditional(route)
  const parameters = [
    ...parametersOf('path', route.params, schemas),
    ...parametersOf('query', route.query, schemas),
    ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(conditional ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(startsSession ? [{ $ref: '#/components/parameters/Session' }] : []),
  ]
  return {
    operationId: identifierOf(method.toLowerCase(), path),
    tags: [tagOf(route)],
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: bodyContent(schemas, body) } } : {}),
    responses: responsesOf(route, schemas),
    security: securityOf(access),
    ...(features ? { 'x-feature': features } : {}),
    ...(isLevel(access) ? { 'x-min-access-level': access } : {}),
    ...(role ? { 'x-role': role } : {}),
    ...(orRole ? { 'x-or-role': orRole } : {}),
  }
}

function responsesOf(route: Route, schemas: NamedSchemas): object {
  const { alreadySo, maybeNone } = route
  return {
    [route.status ?? 200]: successOf(route, schemas),
    ...(alreadySo ? { 200: { description: 'It was so already; nothing has changed.' } } : {}),
    ...(maybeNone ? { 204: { description: 'There is nothing.' } } : {}),
    ...(isConditional(route) ? { 304: { description: 'The client has this already.' } } : {}),
    ...(isFile(route) ? { 206: { description: 'The part of the file that was asked for.' } } : {}),
    ...Object.fromEntries(
      refusals.filter(({ occurs }) => occurs(route)).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
  }
}

const isConditional = (route: Route): boolean => route.conditional === true || route.cached !== undefined || isFile(route)

/** The status of every answer that a route can give. */
export const statusesOf = (route: Route): number[] => Object.keys(responsesOf(route, new NamedSchemas({}))).map(Number)

/** A `*` at the end of a path is its last parameter. */
const pageTemplate = ({ path }: Page): string => templateOf(path.replace('*', ':path'))

/** A page beside the API: its address begins at the server's root. */
function pathOf(page: Page, about: PageAbout): Record<string, object> {
  const { summary, type, takes, basic } = about
  const names = [...pageTemplate(page).matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const method = page.method?.toLowerCase() ?? 'get'
  const operation = {
    operationId: identifierOf(method, page.path.replace('*', ':path')),
    tags: ['pages'],
    summary,
    ...(names.length > 0 ? { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) } : {}),
    ...(takes ? { requestBody: { required: true, content: Object.fromEntries(takes.map((each) => [each, {}])) } } : {}),
    responses: responsesOfPage(about, type),
    security: basic ? [{ basic: [] }] : [],
  }
  return { servers: [{ url: '/' }], [method]: operation }
}

function responsesOfPage({ file, redirects, refusals: others = [] }: PageAbout, type: string): object {
  const refused = refusals.filter(({ status }) => others.includes(status) || (file && status === 416))
  return {
    ...(redirects === 302 ? {} : { 200: { description: 'Success.', content: { [type]: {} } } }),
    ...(redirects ? { [redirects]: { description: 'It is elsewhere.', headers: { Location: { schema: { type: 'string' } } } } } : {}),
    ...(file
      ? { 206: { description: 'The part of the file that was asked for.' }, 304: { description: 'The client has this already.' } }
      : {}),
    ...Object.fromEntries(refused.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }])),
  }
}

/** The status of every answer that a page can give. */
export const statusesOfPage = ({ about }: Page): number[] | undefined =>
  about && Object.keys(responsesOfPage(about, about.type)).map(Number)

const tagOf = ({ path }: Route): string => path.split('/')[1] ?? ''

function parametersOf(place: 'path' | 'query', declared: TProperties | undefined, schemas: NamedSchemas): object[] {
  const { properties = {}, required = [] } = Type.Object(declared ?? {}) as SchemaNode
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    schema: schemas.json(schema),
  }))
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: for 24 hours the same key gets the first answer again, and nothing happens a second time.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$' },
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier answer: 304 without a body when it would be the same.',
  schema: { type: 'string' },
}

const session = {
  name: 'X-Session',
  in: 'header',
  required: false,
  description: 'For pages of this server: the session comes in a cookie that no script can read, and the answer has no token.',
  schema: { type: 'string', enum: ['cookie'] },
}

function jsonContent(schemas: NamedSchemas, schema: TSchema): object {
  return { 'application/json': { schema: schemas.json(schema as SchemaNode) } }
}

function bodyContent(schemas: NamedSchemas, body: TSchema): object {
  if (body === ByteStream) return { 'application/octet-stream': {} }
  const { type, contentMediaType } = body as SchemaNode
  const isObject = type === 'object'
  return {
    ...(contentMediaType ? { [contentMediaType]: { schema: { type } } } : {}),
    ...jsonContent(schemas, body),
    ...(isObject ? { 'multipart/form-data': { schema: schemas.multipart(body as SchemaNode) } } : {}),
  }
}

function successOf({ method, reply }: Route, schemas: NamedSchemas): object {
  if (reply) return { description: 'Done.', content: jsonContent(schemas, reply) }
  return method === 'GET' ? { description: 'A file.', content: { '*/*': {} } } : { description: 'Done; the answer has no body.' }
}

function isLevel(access: Access): boolean {
  return (accessLevels as readonly string[]).includes(access)
}

/** An empty requirement stands for a caller without credentials. */
function securityOf(access: Access): object[] {
  switch (access) {
    case 'none':
      return []
    case 'flex':
      return [{}, { bearer: [] }, { cookie: [] }]
    case 'basic':
    case 'service':
      return [{ basic: [] }]
    case 'either':
      return [{ bearer: [] }, { basic: [] }, { cookie: [] }]
    default:
      return [{ bearer: [] }, { cookie: [] }]
  }
}

interface Refusal {
  status: number
  name: string
  description: string
  headers?: object
  occurs(route: Route): boolean
}

const always = () => true
/** What a GET without a schema sends. */
const isFile = ({ method, reply }: Route) => method === 'GET' && !reply
const hasBody = ({ body }: Route) => body !== undefined
/** Passwords and recovery keys are tried here. */
const takesSecrets = ({ access, body }: Route) =>
  access === 'basic' || access === 'either' || access === 'service' || (access === 'none' && body !== undefined)
/** Larger bodies are those with pictures and recordings. */
const keepsFiles = ({ bodyLimit, makesFile }: Route) => bodyLimit !== undefined || makesFile === true
/** Counted as searches are, see `budgetsOf`. */
const searches = ({ path, query, effort }: Route) =>
  effort !== undefined || /\/(search|match)(\/|$)/.test(path) || (query !== undefined && 'search' in query)
const retryAfter = { 'Retry-After': { description: 'Seconds after which a repetition makes sense.', schema: { type: 'integer' } } }

const refusals: readonly Refusal[] = [
  {
    status: 400,
    name: 'BadRequest',
    occurs: always,
    description:
      'The request is malformed, breaks rules of content (then with `fieldErrors`), or is about something that does not exist or ' +
      'is hidden from the caller.',
  },
  {
    status: 401,
    name: 'Unauthorized',
    occurs: ({ access }) => access !== 'none',
    description: 'No valid credentials, or the server is closed to callers without.',
    headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  },
  {
    status: 403,
    name: 'Forbidden',
    occurs: (route) => route.access !== 'none' || hasBody(route),
    description: 'The caller is known and may not do this.',
  },
  { status: 404, name: 'NotFound', occurs: () => false, description: 'There is no such page.' },
  { status: 408, name: 'RequestTimeout', occurs: hasBody, description: 'The body did not arrive in time.' },
  { status: 409, name: 'Conflict', occurs: ({ method }) => method !== 'GET', description: 'Taken, or already done.' },
  { status: 413, name: 'PayloadTooLarge', occurs: hasBody, description: 'The body is larger than this route allows.' },
  { status: 415, name: 'UnsupportedMediaType', occurs: hasBody, description: 'The body is neither JSON nor multipart/form-data.' },
  {
    status: 422,
    name: 'UnprocessableEntity',
    occurs: hasBody,
    description: 'A body is needed and none was sent, or the Idempotency-Key was used for a different request.',
  },
  {
    status: 416,
    name: 'RangeNotSatisfiable',
    occurs: isFile,
    description: 'The file has no such part.',
  },
  {
    status: 429,
    name: 'TooManyRequests',
    occurs: (route) => route.method !== 'GET' || takesSecrets(route) || searches(route),
    description: 'Too many attempts, writes or searches; repeat later.',
    headers: retryAfter,
  },
  {
    status: 451,
    name: 'FeatureDisabled',
    occurs: ({ features }) => features !== undefined,
    description: 'The feature has been switched off by the admins.',
  },
  { status: 500, name: 'InternalServerError', occurs: always, description: 'A fault of the server.' },
  {
    status: 507,
    name: 'InsufficientStorage',
    occurs: keepsFiles,
    description: 'The server has no room for more files.',
  },
  {
    status: 503,
    name: 'ServiceUnavailable',
    occurs: always,
    description: 'Not possible at the moment; the request may be repeated.',
    headers: retryAfter,
  },
]
