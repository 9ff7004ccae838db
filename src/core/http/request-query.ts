// Path parameters and query strings, from text to the declared types.
import { decoderOf } from '../schema/decode.ts'
import { badRequest } from '../base/errors.ts'
import { Type, type SchemaNode, type TProperties } from '../schema/schema.ts'

/** Decodes the raw values of a path's parameters, in the order of the declaration; undefined when it has none. */
export function paramsDecoder(params: TProperties): ((raw: readonly string[]) => unknown) | undefined {
  const names = Object.keys(params)
  if (names.length === 0) return undefined
  const decode = decoderOf(Type.Object(params))
  return (raw) => {
    const values: Record<string, string> = {}
    for (let index = 0; index < names.length; index++) values[names[index] as string] = unescaped(raw[index] ?? '', names[index] as string)
    return decode(values, 'text')
  }
}

function unescaped(value: string, name: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    throw badRequest('path_invalid', `${name} in the path is not well-formed.`)
  }
}

/** Decodes query strings as those of routes are. */
export function queryDecoder(query: TProperties): (text: string) => unknown {
  // Apps write `byUser` and `byuser`.
  const parameters = new Map(Object.entries(query).map(([name, schema]) => [name.toLowerCase(), { name, schema: schema as SchemaNode }]))
  const schema = Type.Object(query)
  const decode = decoderOf(schema)
  // Most requests have no query: what that means is found out once, unless it is a mistake.
  const none = (schema as SchemaNode).required ? undefined : Object.freeze(decode({}, 'text'))
  return (text) => (text === '' ? (none ?? decode({}, 'text')) : decode(valuesOf(text, parameters), 'text'))
}

/**
 * `a=1&a=2`, `a[]=1&a[]=2` and `a=1,2` are the same list. A value that is not an integer counts as absent where one is
 * wanted, unless it must be right.
 */
function valuesOf(text: string, parameters: ReadonlyMap<string, { name: string; schema: SchemaNode }>): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const [rawName, value] of new URLSearchParams(text)) {
    const parameter = parameters.get((rawName.endsWith('[]') ? rawName.slice(0, -2) : rawName).toLowerCase())
    if (!parameter) continue
    const { name, schema } = parameter
    if (schema.type === 'array')
      values[name] = [...((values[name] as string[] | undefined) ?? []), ...value.split(',').filter((part) => part !== '')]
    else if (name in values) continue
    else if (schema.type !== 'integer' || schema['x-strict']) values[name] = value
    else if (/^[+-]?\d+$/.test(value)) values[name] = Math.max(-2_147_483_648, Math.min(2_147_483_647, Number(value)))
  }
  return values
}
