// The AsyncAPI 3.0 document of the socket routes.
import { identifierOf, NamedSchemas, templateOf, type ApiInfo } from './api-description.ts'
import { apiPrefix, type SocketRoute } from '../http/route.ts'
import { Type, type SchemaNode, type TSchema } from '../schema/schema.ts'
import { closeCodes } from '../http/sockets.ts'

const conventions = `
Requests are described in [openapi.json](openapi.json).

A socket is opened with the token in the \`Authorization\` header; a token in the URL is not looked at.
Every frame from the server is one JSON text, in a binary frame where it says so. Delivery is in order while a socket stays open; what was missed between two sockets is read with requests, or sent by a socket that offers \`after\`.
The server pings; a client only has to answer pings. A client that does not see them, as in a browser, may send the text \`ping\`: the answer is the text \`{"pong":true}\`.

The server closes a socket with
- \`${closeCodes.goingAway}\` when its token has ended (a logout on any device, a ban, or another act of the team; another password alone does not end it) or the caller may no longer see what it is about, or the phone call it belongs to is over: connecting again is refused until that changes;
- \`${closeCodes.restart}\` when it restarts: connect again, after a random wait.

A client that reads too slowly is cut off without a close code, and catches up with requests.`.trim()

const refusals = `
Refused before the upgrade, with an ErrorResponse: 400 when what the path names does not exist or is hidden from the caller, 401 without a valid token, 403 when the caller may not listen here, 426 without an upgrade, 503 while the server restarts`.trim()

/**
 * Describes every socket route, from the server's side: it sends, and receives what it relays. @throws Error when two
 * schemas have one name.
 */
export function asyncApiDocument(routes: readonly SocketRoute[], { title, version, externalUrl }: ApiInfo): object {
  const schemas = new NamedSchemas()
  const messages = Object.fromEntries([
    ...routes
      .flatMap(({ sends }) => sends)
      .map(
        (schema) =>
          [
            nameOf(schema),
            {
              name: nameOf(schema),
              contentType: 'application/json',
              payload: schemas.json(schema as SchemaNode),
            },
          ] as const,
      ),
    ...routes.flatMap(({ relays }) => (relays ? [[relays.name, { ...relays, contentType: 'application/octet-stream' }] as const] : [])),
  ])
  const { protocol, host, pathname } = new URL(externalUrl)
  return {
    asyncapi: '3.0.0',
    info: { title, version, description: conventions },
    defaultContentType: 'application/json',
    servers: {
      server: {
        host,
        pathname: pathname.replace(/\/$/, '') + apiPrefix,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        security: [{ $ref: '#/components/securitySchemes/bearer' }],
      },
    },
    channels: Object.fromEntries(routes.map((route) => [channelName(route), channelOf(route, schemas)])),
    operations: Object.fromEntries(
      routes.flatMap((route) => [
        [identifierOf('send', route.path), operationOf(route, 'send', [...route.sends.map(nameOf), ...relayed(route)])],
        ...(route.relays ? [[identifierOf('receive', route.path), operationOf(route, 'receive', relayed(route))]] : []),
      ]),
    ),
    components: {
      messages,
      schemas: schemas.all(),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The token that a login answers with.' } },
    },
  }
}

function channelOf(route: SocketRoute, schemas: NamedSchemas): object {
  const { path, summary, features, params, query, sends } = route
  return {
    address: templateOf(path),
    summary,
    description: `${refusals}${features ? ', 451 when the feature is switched off' : ''}.`,
    ...(params
      ? { parameters: Object.fromEntries(Object.entries(params).map(([name, schema]) => [name, { description: parameterText(schema) }])) }
      : {}),
    messages: Object.fromEntries(
      [...sends.map(nameOf), ...relayed(route)].map((name) => [name, { $ref: `#/components/messages/${name}` }]),
    ),
    bindings: {
      ws: { method: 'GET', ...(query ? { query: schemas.json(Type.Object(query) as SchemaNode) } : {}), bindingVersion: '0.1.0' },
    },
    ...(features ? { 'x-feature': features } : {}),
  }
}

/** Parameters of a channel have no schema in AsyncAPI 3. */
function parameterText(schema: TSchema): string {
  const { type, format, enum: values } = schema as SchemaNode
  return values ? `One of ${values.join(', ')}.` : `${format ?? type}`
}

function operationOf(route: SocketRoute, action: 'send' | 'receive', messages: readonly string[]): object {
  const channel = `#/channels/${channelName(route)}`
  return {
    action,
    channel: { $ref: channel },
    summary: route.summary,
    messages: messages.map((name) => ({ $ref: `${channel}/messages/${name}` })),
  }
}

const relayed = ({ relays }: SocketRoute): string[] => (relays ? [relays.name] : [])

const channelName = ({ path }: SocketRoute): string => identifierOf('', path)

/** The name of a frame's schema. @throws Error when it has none. */
function nameOf(schema: TSchema): string {
  const { $id } = schema as SchemaNode
  if ($id === undefined) throw new Error('A frame of a socket needs a schema with a name.')
  return $id
}
