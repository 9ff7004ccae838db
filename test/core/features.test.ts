// Manifests of features are complete: whatever the database and the sources have is declared by one of them.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { projectRoot } from '../../src/core/base/config.ts'
import { features, tables } from '../../src/features.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1)
})
after(() => nodes.stop())

/** Every column of every table, as `table.column`, with its type. */
async function columns(): Promise<Map<string, string>> {
  const rows = await nodes.sql<{ place: string; type: string }[]>`
    select relname || '.' || attname as place, format_type(atttypid, atttypmod) as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`
  return new Map(rows.map(({ place, type }) => [place, type]))
}

const declaredColumns = () => tables.flatMap(({ name, persons = {} }) => Object.keys(persons).map((column) => `${name}.${column}`))

describe('manifests', () => {
  it('have a name each, and declare each table of the database once', async () => {
    const names = features.map(({ name }) => name)
    assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted())
    const present = new Set([...(await columns()).keys()].map((place) => place.split('.')[0]))
    assert.deepEqual(tables.map(({ name }) => name).toSorted(), [...present].toSorted())
  })

  it('say of every column that names a person what becomes of its rows', async () => {
    const found = await columns()
    const references = await nodes.sql<{ place: string }[]>`
      select relname || '.' || attname as place
      from pg_constraint join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and attnum = any (conkey)
      where contype = 'f' and confrelid = 'account'::regclass`
    // Some tables do without foreign keys.
    const named = [...found].filter(
      ([place, type]) =>
        type === 'uuid' && /\.(?:real_)?((account|person|author|editor|owner|creator|user|manager|moderator|actor)_id|\w+_by)$/.test(place),
    )
    const wanted = new Set([...references.map(({ place }) => place), ...named.map(([place]) => place), 'account.id'])
    assert.deepEqual(declaredColumns().toSorted(), [...wanted].toSorted())
  })

  it('name columns that there are, and nothing that is nobody’s in a file of own data', async () => {
    const found = await columns()
    const used = tables.flatMap(({ name, ownData, staysAfterWipe }) =>
      [...(ownData ? [ownData.of] : []), ...Object.keys(staysAfterWipe?.reset ?? {})].map((column) => `${name}.${column}`),
    )
    assert.deepEqual(
      used.filter((place) => !found.has(place)),
      [],
    )
    const places = new Set(declaredColumns())
    assert.deepEqual(
      tables.filter(({ name, ownData }) => ownData && !places.has(`${name}.${ownData.of}`)).map(({ name }) => name),
      [],
    )
    const sections = tables.flatMap(({ ownData }) => (ownData ? [ownData.as] : []))
    assert.equal(sections.length, new Set(sections).size)
  })

  it('have a handler for each kind of job that a feature adds to the frame', () => {
    const added = sources('src').flatMap((code) =>
      [...code.matchAll(/interface JobPayloads \{([^]*?)\n {2}\}/g)].flatMap(([, body = '']) =>
        [...body.matchAll(/^ {4}'?([a-z-]+)'?:/gm)].map(([, name]) => name as string),
      ),
    )
    assert.ok(added.length > 5)
    assert.deepEqual(features.flatMap(({ jobs = [] }) => jobs.map(({ name }) => name as string)).toSorted(), added.toSorted())
  })
})

const sources = (top: string): string[] =>
  readdirSync(join(projectRoot, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(projectRoot, top, name), 'utf8'))
