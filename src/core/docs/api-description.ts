// The common part of the OpenAPI and the AsyncAPI document: how schemas, paths and operations are
// named in them.
import { isDeepStrictEqual } from 'node:util'
import type { SchemaNode } from '../schema/schema.ts'
import { exampleOf, type FieldExamples } from './examples.ts'

/** The head of a document. */
export interface ApiInfo {
  title: string
  version: string
  /** How clients reach this server. */
  externalUrl: string
  /** Codes of errors that the product adds to those of the frame, with their meanings. */
  errorCodes: Readonly<Record<string, string>>
  /** Values in the examples; without them there are no examples. */
  fieldExamples?: FieldExamples
}

/** A JSON Schema as it stands in a document. */
export type JsonSchema = Record<string, unknown>

/** Collects the schemas that have a name, while references to them are handed out. */
export class NamedSchemas {
  readonly #schemas = new Map<string, JsonSchema>()
  readonly #fields: FieldExamples | undefined

  /** With values of fields, every schema that has a name gets an example. */
  constructor(fields?: FieldExamples) {
    this.#fields = fields
  }

  /**
   * A schema in its JSON form; a reference when it has a name.
   *
   * @throws Error when a different schema has the same name.
   */
  json({ $id: name, ...schema }: SchemaNode): JsonSchema {
    const form = withParts(schema, (part) => this.json(part))
    if (name === undefined) return form
    if (this.#fields) form['examples'] = [exampleOf(schema, this.#fields)]
    const known = this.#schemas.get(name)
    if (known && !isDeepStrictEqual(known, form)) throw new Error(`Two different schemas have the name ${name}.`)
    this.#schemas.set(name, form)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** The same in multipart: bytes are file parts there, so that whatever holds bytes has a form of its own. */
  multipart(schema: SchemaNode): JsonSchema {
    if (!holdsBytes(schema)) return this.json(schema)
    if (isBytes(schema)) return { type: 'string', contentMediaType: 'application/octet-stream' }
    const { $id: _name, ...unnamed } = schema
    return withParts(unnamed, (part) => this.multipart(part))
  }

  /** Every schema with a name so far, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function withParts(
  {
    properties,
    items,
    anyOf,
    additionalProperties,
    patternProperties,
    'x-ignoreCase': ignoreCase,
    'x-alias': _alias,
    'x-aliases': _aliases,
    'x-nullable': nullable,
    contentMediaType: _mediaType,
    ...own
  }: SchemaNode,
  partForm: (part: SchemaNode) => JsonSchema,
): JsonSchema {
  const values = additionalProperties ?? Object.values(patternProperties ?? {})[0]
  return {
    ...own,
    ...(nullable ? { type: [own.type, 'null'] } : {}),
    ...(ignoreCase ? { description: 'Upper and lower case are the same.' } : {}),
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, partForm(part)])) } : {}),
    ...(items ? { items: partForm(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(partForm) } : {}),
    ...(values ? { additionalProperties: partForm(values) } : {}),
  }
}

const isBytes = (schema: SchemaNode): boolean => schema.contentEncoding === 'base64'

function holdsBytes(schema: SchemaNode): boolean {
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
  return isBytes(schema) || parts.some(holdsBytes)
}

/** `/user/:userID` as the documents write it: `/user/{userID}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** A name made of a verb and a path: `post`, `/user/:userID/block` gives `postUserByUserIDBlock`. */
export function identifierOf(verb: string, path: string): string {
  const words = path
    .replaceAll(':', 'by-')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
