// How Postgres answers questions about users when there are many: by index, never by reading everybody.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import postgres from 'postgres'
import { Accounts } from '../../src/accounts/accounts.ts'
import type { Sql } from '../../src/core/db/db.ts'
import { selectAccountByName, selectByAnyName, selectUpdatedSince, selectUsernames } from '../../src/users/queries.ts'
import { selectWithRole } from '../../src/users/roles.queries.ts'
import { createAccounts, type TestAccount } from '../support/accounts.ts'
import { createTestDatabase, type TestDatabase } from '../support/db.ts'

let database: TestDatabase
let client: postgres.Sql
let accounts: TestAccount[]
/** The last statement that went out. */
let sent: { text: string; values: unknown[] }

const users = 20_000

before(async () => {
  database = await createTestDatabase()
  client = postgres(database.url, {
    max: 1,
    onnotice: () => undefined,
    debug: (_connection, text, values) => {
      sent = { text, values }
    },
  })
  const roles = ['shutternaut'] as const
  accounts = await createAccounts(
    client as unknown as Sql,
    Array.from({ length: users }, (_, index) => ({
      username: `passenger${index}`,
      displayName: `Display ${(index * 7919) % users}`,
      realName: `Real ${(index * 104_729) % users}`,
      ...(index % 1000 === 0 ? { roles: [...roles] } : {}),
    })),
  )
  await client`update account set profile_updated_at = now() - right(username, 2)::int * interval '1 hour' where username ~ '^passenger[0-9]{2,}$'`
  await client`insert into favorite (account_id, favorite_id, created_at) select id, ${accounts[0]?.id ?? ''}, now() from account where username like 'passenger%5' limit 50`
  await client`vacuum analyze account`
  await client`vacuum analyze favorite`
})
after(async () => {
  await client.end()
  await database.drop()
})

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Plans?: PlanNode[]
}

/** Runs a query and tells which indexes it goes by. Reading all accounts fails. */
async function indexesOf(query: (sql: Sql) => Promise<unknown>): Promise<string[]> {
  await query(client as unknown as Sql)
  const { text, values } = sent
  const [row] = await client.unsafe(`explain (format json) ${text}`, values as never[])
  const nodes: PlanNode[] = []
  const walk = (node: PlanNode) => {
    nodes.push(node)
    node.Plans?.forEach(walk)
  }
  walk((row as unknown as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan)
  assert.ok(
    !nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'account'),
    JSON.stringify(nodes, undefined, 1),
  )
  return nodes.flatMap((node) => node['Index Name'] ?? [])
}

const anyName =
  (text: string, more: object = {}) =>
  (sql: Sql) =>
    selectByAnyName(sql, text, { hiddenPersons: [], limit: 10, ...more })
const hidden = () => accounts.slice(0, 200).map(({ id }) => id)

it('GET /users/match/allnames goes by the index on parts of names', async () => {
  for (const text of ['passenger1234', 'display 77', 'REAL 19123', 'nothing like it']) {
    assert.deepEqual(await indexesOf(anyName(text)), ['account_search_part'], text)
    assert.ok((await indexesOf(anyName(text, { hiddenPersons: hidden() }))).includes('account_search_part'), text)
  }
})

it('GET /users/match/allnames walks in order of names when the text is too short for that index', async () => {
  for (const text of ['pa', '12', '(@']) assert.deepEqual(await indexesOf(anyName(text)), ['account_username_key_key'], text)
})

it('GET /users/match/allnames with favorers does not read everybody', async () => {
  assert.ok((await indexesOf(anyName('passenger', { favoriteOf: accounts[0]?.id }))).length > 0)
})

it('GET /users/match/username goes by the index on parts of usernames', async () => {
  for (const text of ['senger123', 'passenger1999', 'nothing'])
    assert.deepEqual(await indexesOf((sql) => selectUsernames(sql, text, hidden())), ['account_username_part'], text)
})

it('GET /users/match/username gives the first 10,000 of more names', async () => {
  const names = accounts.map(({ username }) => username).sort()
  assert.deepEqual(await selectUsernames(client as unknown as Sql, 'passenger', []), names.slice(0, 10_000))
})

it('GET /users/find and every header go by their keys', async () => {
  assert.deepEqual(await indexesOf((sql) => selectAccountByName(sql, 'Passenger77')), ['account_username_key_key'])
  assert.deepEqual(
    await indexesOf((sql) =>
      new Accounts(
        () => sql,
        () => true,
      ).load([accounts[7]?.id ?? '']),
    ),
    ['account_pkey'],
  )
})

it('GET /client/user/headers/since goes by the time of change', async () => {
  assert.deepEqual(await indexesOf((sql) => selectUpdatedSince(sql, new Date(Date.now() - 60_000), [])), ['account_profile_updated'])
})

it('GET /users/userrole goes by the index on roles', async () => {
  assert.deepEqual(await indexesOf((sql) => selectWithRole(sql, 'shutternaut')), ['account_with_roles'])
})
