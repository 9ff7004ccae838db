// The TypeBox vocabulary of requests and replies. A schema gives the TypeScript type, the decoder
// (decode.ts) and the OpenAPI form (openapi.ts).
import type { FieldFailure } from '../base/errors.ts'
import type { ReceivedBytes } from './received-bytes.ts'
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'

export { Type, type Static, type TObject, type TProperties, type TSchema }

/** Rules of content: reported all at once with the path of the field, unlike wrong shapes. */
export interface TextRules {
  /** User-perceived characters (grapheme clusters). */
  min?: number
  max?: number
  /** Lines, counted by Unicode line breaks; CR LF is one break. */
  lines?: number
}

/** Adds a failure under a path relative to the object; without a path it is `general`. */
export type Fail = (what: string | FieldFailure, path?: string) => void
export type ObjectRules<T> = (value: T, fail: Fail, nowMs: number) => void

// By name: `Type.Optional` makes a copy of a schema.
const objectRules = new Map<string, ObjectRules<never>>()

/** A text with rules of content. */
export function Text(rules: TextRules = {}) {
  return Type.Unsafe<string>({
    type: 'string',
    ...(rules.min === undefined ? {} : { minLength: rules.min }),
    ...(rules.max === undefined ? {} : { maxLength: rules.max }),
    ...(rules.lines === undefined ? {} : { 'x-maxLines': rules.lines }),
  })
}

/** Any case in, lower case out. */
export const Uuid = Type.Unsafe<string>({ type: 'string', format: 'uuid' })

/** In: ISO 8601 with offset, or seconds since 1970 as a number. Out: ISO 8601 UTC with milliseconds. */
export const DateTime = Type.Unsafe<Date>({ type: 'string', format: 'date-time' })

/**
 * In JSON: padded base64. In multipart: the bytes of a file part, or base64 in a text. In a large body they go to a file while
 * they arrive.
 */
export const Bytes = Type.Unsafe<ReceivedBytes>({ type: 'string', contentEncoding: 'base64' })

/** A body of any media type that is not decoded: its reader gets the bytes piece by piece, as they come. */
export const ByteStream = Type.Unsafe<AsyncIterable<Buffer>>({ type: 'string', format: 'binary' })

/** A body that is the text itself, as text/plain. As JSON it is one string. */
export function PlainText(rules: TextRules = {}) {
  return Type.Unsafe<string>({ ...Text(rules), contentMediaType: 'text/plain' })
}

/** In an optional field: null is a value of its own. Elsewhere null and absent are the same. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Unsafe<Static<S> | null>({ ...schema, 'x-nullable': true })

/** A 32-bit integer. */
export const Int = Type.Integer()

/** An integer in a query that must be one: elsewhere what is none counts as absent. */
export const StrictInt = Type.Unsafe<number>({ type: 'integer', 'x-strict': true })

/** A string from a closed list. `aliases`: other words for some of them in requests. */
export function OneOf<const V extends readonly string[]>(
  values: V,
  { ignoreCase, aliases }: { ignoreCase?: boolean; aliases?: Readonly<Record<string, V[number]>> } = {},
) {
  return Type.Unsafe<V[number]>({
    type: 'string',
    enum: [...values],
    ...(ignoreCase ? { 'x-ignoreCase': true } : {}),
    ...(aliases ? { 'x-aliases': aliases } : {}),
  })
}

/** True or false, under either of two names: true when one of them is. */
export const FlagWithAlias = (alias: string) => Type.Unsafe<boolean>({ type: 'boolean', 'x-alias': alias })

/** A DTO: an object with a name of its own in the API description. `rules` check what one field alone cannot. */
export function Dto<P extends TProperties>(name: string, properties: P, rules?: ObjectRules<Static<TObject<P>>>) {
  const schema = Type.Object(properties, { $id: name })
  if (rules) objectRules.set(name, rules as ObjectRules<never>)
  return schema
}

/** The rules given to `Dto`, if any. */
export function rulesOf(schema: SchemaNode): ObjectRules<unknown> | undefined {
  return schema.$id === undefined ? undefined : (objectRules.get(schema.$id) as ObjectRules<unknown> | undefined)
}

/** A JSON Schema, for code that walks schemas. */
export interface SchemaNode {
  $id?: string
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  format?: string
  contentEncoding?: string
  contentMediaType?: string
  enum?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
  properties?: Record<string, SchemaNode>
  required?: string[]
  items?: SchemaNode
  additionalProperties?: SchemaNode
  patternProperties?: Record<string, SchemaNode>
  'x-maxLines'?: number
  'x-ignoreCase'?: boolean
  'x-strict'?: boolean
  anyOf?: SchemaNode[]
  'x-nullable'?: boolean
  'x-alias'?: string
  'x-aliases'?: Record<string, string>
}
