// Bodies of requests that nothing is wrong with.
import { randomUUID } from 'node:crypto'
import type { SchemaNode } from '../../src/core/schema/schema.ts'
import { Dice, valueFor } from '../fuzz/values.ts'
import { testFeatures } from './features.ts'

const bodies: Readonly<Record<string, () => unknown>> = Object.assign({}, ...testFeatures.map((each) => each.bodies))

/** One for a schema: with what it requires, and what its rules want beyond that. An image is `knownImage`. */
export function goodBody(schema: SchemaNode): unknown {
  const own = bodies[schema.$id ?? '']
  return own ? own() : valueFor(required(schema), new Dice(1), { uuids: [randomUUID()], ints: ['1'] }, false)
}

function required(schema: SchemaNode): SchemaNode {
  const properties = Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name))
    .map(([name, part]) => [name, required(part)] as const)
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema
}
