// The documents that describe the API, and the pages that show them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ApiInfo } from '../../src/core/docs/api-description.ts'
import { asyncApiDocument } from '../../src/core/docs/asyncapi.ts'
import { openApiDocument } from '../../src/core/docs/openapi.ts'
import { route, socketRoute } from '../../src/core/http/route.ts'
import { Bytes, Dto, Int, OneOf, Text, Type } from '../../src/core/schema/schema.ts'
import { routes, socketRoutes } from '../../src/features.ts'
import { fieldExamples } from '../../src/text/examples.ts'
import { createAccount, testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'

type Json = Record<string, unknown>
interface OpenApi {
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json> }
}

const info: ApiInfo = { title: 'Test', version: '1.0.0', externalUrl: 'https://ship.example/quarterdeck', errorCodes: {}, fieldExamples }
const openApi = plain<OpenApi>(openApiDocument(routes, info))
const asyncApi = plain<Json>(asyncApiDocument(socketRoutes, info))

let nodes: TestNodes
let client: Client
before(async () => {
  nodes = await startTestNodes()
  client = nodes.client()
})
after(() => nodes.stop())

test('openapi.json is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(openApi) as unknown as Json)
  assert.ok(valid, JSON.stringify(errors, null, 2))
})

test('asyncapi.json is valid AsyncAPI 3.0', () => {
  const file = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json')
  // The file brings a copy of the meta schema that Ajv would load as well.
  const ajv = new Ajv({ meta: false, validateSchema: false, strict: false, validateFormats: false, allErrors: true })
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as Json)
  assert.ok(validate(asyncApi), JSON.stringify(validate.errors, null, 2))
})

test('every schema of openapi.json has an example that it allows', () => {
  const formats = { uuid: /^[0-9a-f-]{36}$/, 'date-time': /^[\d-]{10}T[\d:.]{12}Z$/ }
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  ajv.addSchema({ $id: 'api', components: openApi.components })
  for (const [name, { examples }] of Object.entries(openApi.components.schemas)) {
    assert.ok(Array.isArray(examples) && examples.length === 1, `${name} has no example`)
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
    assert.ok(validate(examples[0]), `${name}: ${JSON.stringify(examples[0])} ${JSON.stringify(validate.errors)}`)
  }
})

test('the examples of what people create are taken as they are', async () => {
  const { token } = await createAccount(nodes.sql)
  const exampleOf = (name: string) => (openApi.components.schemas[name]?.['examples'] as unknown[] | undefined)?.[0]
  for (const [path, name] of [
    ['/fez/create', 'FezContentData'],
    ['/microblog/create', 'PostContentData'],
    ['/user/barrel', 'BarrelCreateData'],
    ['/user/profile', 'UserProfileUploadData'],
  ] as const) {
    const { status, body } = await nodes.client(token).post(path, exampleOf(name))
    assert.ok(status < 300, `${path}: ${JSON.stringify(exampleOf(name))} ${JSON.stringify(body)}`)
  }
})

test('/docs signs in with a name and a password', async () => {
  const { username } = await createAccount(nodes.sql)
  const page = (await client.get<string>('//docs')).body
  assert.match(page, /<form id="sign-in">.*name="username".*name="password" type="password".*name="outcome"/s)
  let submit: ((event: object) => Promise<void>) | undefined
  const elements = { username: { value: username }, password: { value: 'a wrong password' }, outcome: { value: '' } }
  const form = { elements, addEventListener: (_type: string, listener: typeof submit) => (submit = listener) }
  const known = new Map<string, string>()
  runInNewContext((await client.get<string>('//docs/init.js')).body, {
    SwaggerUIBundle: () => ({ preauthorizeApiKey: (scheme: string, token: string) => known.set(scheme, token) }),
    document: { getElementById: () => form },
    fetch: (path: string, request: RequestInit) => fetch(`${nodes.urls[0]}/${path}`, request),
    TextEncoder,
    btoa,
  })
  const signIn = () => submit?.({ preventDefault: () => undefined })
  await signIn()
  assert.match(elements.outcome.value, /wrong/)
  assert.equal(known.size, 0)
  elements.password.value = testPassword
  await signIn()
  assert.match(elements.outcome.value, /^Signed in/)
  assert.equal(elements.password.value, '')
  assert.equal((await nodes.client(known.get('bearer')).get('/user/whoami')).body.username, username)
})

test('openapi.json holds every route, and nothing else', () => {
  const described = Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const declared = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  assert.deepEqual(described.toSorted(), declared.toSorted())
})

test('openapi.json has no two paths that differ only in the names of parameters', () => {
  const shapes = Object.keys(openApi.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
  assert.deepEqual(
    shapes.filter((shape, index) => shapes.indexOf(shape) !== index),
    [],
  )
})

test('asyncapi.json holds every socket route, and nothing else', () => {
  const addresses = Object.values(asyncApi['channels'] as Record<string, { address: string }>).map(({ address }) => address)
  assert.deepEqual(addresses.toSorted(), socketRoutes.map(({ path }) => path.replace(/:(\w+)/g, '{$1}')).toSorted())
})

for (const [name, document] of Object.entries({ openApi, asyncApi })) {
  test(`${name}: every reference leads somewhere, and every component is referred to`, () => {
    const references = new Set(valuesOf(document, '$ref') as string[])
    for (const reference of references) assert.ok(at(document, reference), reference)
    const components = (document as OpenApi).components as unknown as Record<string, Json>
    for (const kind of ['schemas', 'messages', 'parameters']) {
      for (const component of Object.keys(components[kind] ?? {}))
        assert.ok(references.has(`#/components/${kind}/${component}`), `${component} is not used`)
    }
    assert.deepEqual(valuesOf(document, '$id'), [], 'a named schema stands where a reference should')
  })
}

test('openApiDocument describes what a declaration says', () => {
  const Picture = Dto('Picture', { name: Text({ max: 10, lines: 2 }), image: Type.Optional(Bytes) })
  const Album = Dto('Album', { pictures: Type.Array(Picture) })
  const document = plain<OpenApi>(
    openApiDocument(
      [
        route({
          method: 'PUT',
          path: '/albums/:albumID',
          access: 'verified',
          role: 'karaokemanager',
          features: ['images'],
          params: { albumID: Int },
          query: { sort: Type.Optional(Type.Array(OneOf(['a'], { ignoreCase: true }))) },
          body: Album,
          reply: Album,
          status: 201,
          idempotent: true,
          summary: 'Sets an album.',
          run: (_ctx, { body }) => body,
        }),
        route({
          method: 'DELETE',
          path: '/albums/:albumID',
          access: 'basic',
          params: { albumID: Int },
          status: 204,
          summary: 'Removes one.',
          run: () => undefined,
        }),
        route({ method: 'GET', path: '/albums', access: 'none', summary: 'All, as a file.', run: () => undefined }),
      ],
      { ...info, fieldExamples: undefined },
    ),
  )
  const { put, delete: remove } = document.paths['/albums/{albumID}'] as Record<'put' | 'delete', Json>
  const { responses: putResponses, requestBody, ...putHead } = put
  const list = { type: 'array', items: { type: 'string', enum: ['a'], description: 'Upper and lower case are the same.' } }
  assert.deepEqual(putHead, {
    operationId: 'putAlbumsByAlbumID',
    tags: ['albums'],
    summary: 'Sets an album.',
    parameters: [
      { name: 'albumID', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'sort', in: 'query', required: false, style: 'form', explode: true, schema: list },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ],
    security: [{ bearer: [] }, { cookie: [] }],
    'x-feature': ['images'],
    'x-min-access-level': 'verified',
    'x-role': 'karaokemanager',
  })
  const name = { type: 'string', maxLength: 10, 'x-maxLines': 2 }
  assert.deepEqual(requestBody, {
    required: true,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Album' } },
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['pictures'],
          properties: {
            pictures: {
              type: 'array',
              items: {
                type: 'object',
                required: ['name'],
                properties: { name, image: { type: 'string', contentMediaType: 'application/octet-stream' } },
              },
            },
          },
        },
      },
    },
  })
  assert.deepEqual(Object.keys(putResponses as Json), [
    '201',
    '400',
    '401',
    '403',
    '408',
    '409',
    '413',
    '415',
    '422',
    '429',
    '451',
    '500',
    '503',
  ])
  assert.deepEqual(Object.keys(remove['responses'] as Json), ['204', '400', '401', '403', '409', '429', '500', '503'])
  assert.deepEqual(remove['security'], [{ basic: [] }])
  const get = document.paths['/albums']?.['get'] as Json
  assert.deepEqual(get['security'], [])
  assert.deepEqual(Object.keys(get['responses'] as Json), ['200', '206', '304', '400', '416', '500', '503'])
  assert.deepEqual(document.components.schemas['Picture'], {
    type: 'object',
    required: ['name'],
    properties: { name, image: { type: 'string', contentEncoding: 'base64' } },
  })
})

test('the documents refuse two different schemas with one name', () => {
  const one = Dto('Thing', { a: Int })
  const other = Dto('Thing', { a: Type.String() })
  const get = (path: string, reply: typeof one | typeof other) =>
    route({ method: 'GET', path, access: 'none', reply: reply as typeof one, summary: '', run: () => ({ a: 1 }) })
  assert.throws(() => openApiDocument([get('/a', one), get('/b', other)], info), /Two different schemas have the name Thing/)
  assert.doesNotThrow(() => openApiDocument([get('/a', one), get('/b', Dto('Thing', { a: Int }))], info))
  const socket = socketRoute({
    path: '/a/socket',
    sends: [one, Dto('Outer', { thing: other })],
    summary: '',
    open: () => ({ opened() {}, closed() {} }),
  })
  assert.throws(() => asyncApiDocument([socket], info), /Two different schemas have the name Thing/)
})

test('GET /openapi.json and /asyncapi.json serve the documents', async () => {
  for (const [kind, version] of [
    ['openapi', '3.1.0'],
    ['asyncapi', '3.0.0'],
  ] as const) {
    const { status, headers, body } = await client.get<Json>(`//${kind}.json`)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(body[kind], version)
  }
})

test('GET /docs names only files that this server has', async () => {
  const { status, headers, body } = await client.get<string>('//docs')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.match(String(headers['content-security-policy']), /default-src 'none'; script-src 'self';/)
  assert.doesNotMatch(body, /<script(?![^>]* src=)|\son\w+=|javascript:/i, 'scripts stand in files')
  const named = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1] as string)
  assert.ok(named.length >= 6)
  const types = { css: 'text/css', js: 'text/javascript', png: 'image/png', json: 'application/json', tgz: 'application/gzip' } as Record<
    string,
    string
  >
  for (const name of named) {
    assert.doesNotMatch(name, /^\w+:|^\/\//, 'another host')
    const file = await client.get<string>(`//${name}`)
    assert.equal(file.status, 200, name)
    assert.equal(file.headers['x-content-type-options'], 'nosniff')
    assert.equal(String(file.headers['content-type']).split(';')[0], types[name.split('.').at(-1) ?? ''])
  }
  assert.match((await client.get<string>('//docs/init.js')).body, /url: 'openapi\.json'/)
})

test('GET /docs/:file serves nothing else', async () => {
  for (const name of ['index.html', 'package.json', '..%2fpackage.json', '%2e%2e%2f%2e%2e%2fpackage.json', 'constructor', '']) {
    assert.equal((await client.get(`//docs/${name}`)).status, 404, name)
  }
})

test('GET / leads to the description', async () => {
  const { status, headers } = await client.get('//')
  assert.equal(status, 302)
  assert.equal(headers['location'], '/docs')
})

test('HEAD answers as GET does, without a body', async () => {
  for (const path of ['//', '//docs', '//docs/swagger-ui-bundle.js', '//openapi.json', '//asyncapi.json']) {
    const [get, head] = [await client.get(path), await client.request('HEAD', path)]
    assert.equal(head.status, get.status)
    assert.equal(head.body, undefined)
    for (const name of ['content-length', 'content-type', 'cache-control'])
      assert.equal(head.headers[name], get.headers[name], `${name} of ${path}`)
  }
})

/** As a client gets it. */
function plain<T>(document: object): T {
  return JSON.parse(JSON.stringify(document)) as T
}

/** Every value under `key`, at any depth. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === key ? [inner] : valuesOf(inner, key)))
}

function at(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((value, key) => (value as Json | undefined)?.[key], document)
}

test('openapi.json: the pages at the root of the server stand in it with their own servers, and what was so already is 200', async () => {
  const { paths } = (await (await fetch(`${nodes.urls[0]}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: object }> & { servers?: { url: string }[] }>
  }
  for (const path of [
    '/events/{event_id}/calendarevent.ics',
    '/events/subscribe/{username}/following.ics',
    '/microkaraoke/{path}',
    '/public/{path}',
    '/metrics',
    '/health/live',
    '/health/ready',
  ])
    assert.ok(
      paths[path]?.servers?.some(({ url }) => url === '/'),
      path,
    )
  assert.ok('200' in (paths['/users/{user_id}/block']?.['post']?.responses ?? {}))
  assert.ok('201' in (paths['/users/{user_id}/block']?.['post']?.responses ?? {}))
  assert.ok('200' in (paths['/forum/{forum_id}/mute']?.['delete']?.responses ?? {}))
})
