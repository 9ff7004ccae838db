// Apps in the field depend on every schema that has a name: a change must be meant.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { asyncApiDocument } from '../../src/core/docs/asyncapi.ts'
import { clientSource } from '../../src/core/docs/client-source.ts'
import { projectRoot } from '../../src/core/base/config.ts'
import { openApiDocument } from '../../src/core/docs/openapi.ts'
import { routes, socketRoutes } from '../../src/features.ts'

const file = join(projectRoot, 'test', 'wire-schemas.json')
const clientFile = join(projectRoot, 'src', 'sdk', 'api.ts')
const update = 'UPDATE_WIRE=1 npm test -- test/core/wire.test.ts'

test('no schema of the API has changed by accident', () => {
  const current = hashes()
  if (process.env['UPDATE_WIRE'] === '1') writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`)
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const changed = [...new Set([...Object.keys(current), ...Object.keys(recorded)])].filter((name) => current[name] !== recorded[name])
  assert.deepEqual(
    changed,
    [],
    `These schemas were added, changed or removed. If that is meant and today's apps can live with it: ${update}`,
  )
})

test('the client package knows every endpoint and every schema as they are', () => {
  const current = clientSource(routes, socketRoutes)
  if (process.env['UPDATE_WIRE'] === '1') writeFileSync(clientFile, current)
  assert.ok(readFileSync(clientFile, 'utf8') === current, `src/sdk/api.ts is not what the route table gives: ${update}`)
})

/** Name to SHA-256; parts with a name of their own count as their name. */
function hashes(): Record<string, string> {
  const info = { title: '', version: '', externalUrl: 'http://localhost', errorCodes: {} }
  const schemas = [openApiDocument(routes, info), asyncApiDocument(socketRoutes, info)].flatMap((document) =>
    Object.entries((document as { components: { schemas: Record<string, unknown> } }).components.schemas),
  )
  return Object.fromEntries(
    schemas
      .map(([name, schema]) => [name, createHash('sha256').update(canonical(schema)).digest('hex')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** JSON that is the same for the same wire form: keys and `required` in order, no descriptions. */
function canonical(schema: unknown): string {
  return JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'required' && Array.isArray(value)) return value.toSorted()
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, inner]) => name !== 'description' || typeof inner !== 'string')
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
  })
}
