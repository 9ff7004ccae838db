// One example for every schema of the API documents. Values come from the product, by the names of fields;
// all others follow from the schema.
import type { SchemaNode } from '../schema/schema.ts'

/** Values by the names of fields. One that a field's schema does not allow is passed over. */
export type FieldExamples = Readonly<Record<string, unknown>>

const uuid = '8e0f2c1a-5b7d-4c3e-9a61-2f4b8d7c6e50'
const time = '2025-03-03T14:05:00.000Z'
/** A picture of one point. */
const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** An example of a schema. Optional fields of which the product knows no value are left out. */
export function exampleOf(schema: SchemaNode, fields: FieldExamples): unknown {
  const { type, format, enum: values, anyOf, items, properties, required = [], additionalProperties, patternProperties } = schema
  const { const: only } = schema as { const?: unknown }
  if (only !== undefined) return only
  if (anyOf?.[0]) return exampleOf(anyOf[0], fields)
  if (values) return values[0]
  switch (type) {
    case 'array':
      return items ? [exampleOf(items, fields)] : []
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'string':
      if (schema.contentEncoding === 'base64') return bytes
      return format === 'uuid' ? uuid : format === 'date-time' ? time : 'text'.padEnd(schema.minLength ?? 0, '.')
    default: {
      const inner = additionalProperties ?? Object.values(patternProperties ?? {})[0]
      if (inner) return { name: exampleOf(inner, fields) }
      const parts = Object.entries(properties ?? {}).flatMap(([name, part]) => {
        if (Object.hasOwn(fields, name) && isAllowed(part, fields[name])) return [[name, fields[name]]]
        return required.includes(name) || part.contentEncoding === 'base64' ? [[name, exampleOf(part, fields)]] : []
      })
      return Object.fromEntries(parts)
    }
  }
}

function isAllowed({ type, enum: values, contentEncoding, format, minLength = 0, $id }: SchemaNode, value: unknown): boolean {
  if (contentEncoding !== undefined || format === 'uuid') return false
  if (values) return values.includes(value as string)
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'integer':
    case 'number':
      return typeof value === 'number' && (type === 'number' || Number.isInteger(value))
    case 'object':
      return typeof value === 'object' && !Array.isArray(value) && $id === undefined
    case 'string':
      return typeof value === 'string' && value.length >= minLength
    default:
      return typeof value === type
  }
}
