// What a rehearsal finds in the database after the migrations of a new version: rows, values and objects that are lost or others,
// and what refuses rows from now on. Each migration is run on an evening's data, and taken back.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import postgres from 'postgres'
import type { Sql } from '../../src/core/db/db.ts'
import { migrate, migrationsFolder } from '../../src/core/db/migrate.ts'
import { announcedIn, changesBetween, readInventory, unannounced, type Inventory } from '../../src/upgrade/inventory.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { createEmptyDatabase } from '../support/db.ts'
import { anEvening } from '../support/evening.ts'

let nodes: TestNodes
let sql: postgres.Sql
let now: Inventory
before(async () => {
  nodes = await startTestNodes(1)
  const worker = await nodes.startWorker()
  await anEvening(nodes)
  await Promise.all([worker, ...nodes.apps].map((each) => each.stop(0)))
  sql = postgres(nodes.database.url, { max: 1, transform: postgres.camel, onnotice: () => undefined })
  now = await readInventory(sql as unknown as Sql)
})
after(async () => {
  await sql.end()
  await nodes.stop()
})

class TakenBack extends Error {}

/** What is found after a migration; the words of Postgres when it fails. */
async function found(migration: string): Promise<string[]> {
  let found: string[] = []
  await sql
    .begin(async (tx) => {
      await tx.unsafe(migration)
      const changes = changesBetween(now, await readInventory(tx as unknown as Sql))
      const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-migration-'))
      writeFileSync(join(folder, '1.sql'), migration)
      found = unannounced(changes, announcedIn(folder, ['1'])).map(({ what }) => what)
      rmSync(folder, { recursive: true })
      throw new TakenBack()
    })
    .catch((error: unknown) => {
      if (error instanceof postgres.PostgresError) found = [`failed: ${error.message}`]
      else if (!(error instanceof TakenBack)) throw error
    })
  return found
}

/** Mistakes, and what is said of each. */
const bad: readonly (readonly [migration: string, said: RegExp])[] = [
  // Rows.
  ['delete from fez_post where id = (select min(id) from fez_post)', /^fez_post has \d+ rows, and had/],
  ['truncate microblog_post cascade', /^microblog_post has 0 rows/],
  ["delete from account where id in (select id from account where username like 'otto%')", /failed|^account has/],
  ['delete from forum_post a using forum_post b where a.forum_id = b.forum_id and a.id < b.id', /^forum_post has/],
  ['delete from setting', /^setting has 0 rows/],
  ["insert into alertword (account_id, word) select id, 'twice' from account limit 1", /^alertword has|failed/],
  ["delete from audit where created_at < now() + interval '1 year'", /^audit has 0 rows/],
  // Values.
  ['update fez set title = upper(title)', /^fez\.title has other values/],
  ["update account set level = 'verified' where level > 'verified'", /^account\.level has other values/],
  ["update account set username_key = lower(username) || '_'", /^account\.username_key has other values/],
  ["update account set password_hash = ''", /^account\.password_hash has other values/],
  ["update fez_post set author_id = real_author_id, real_author_id = author_id, text = text || ' '", /^fez_post\.text has other values/],
  ['update fez_member set left_at = now()', /^fez_member\.left_at has other values/],
  ["update microblog_post set created_at = created_at + interval '1 hour'", /^microblog_post\.created_at/],
  ['update forum_post set text = other.text from (select max(text) as text from forum_post) other', /^forum_post\.text has other values/],
  ["update event set start_time = start_time at time zone 'utc' at time zone 'Europe/Berlin'", /^event\.start_time has other values/],
  ["update account set email = null, about = coalesce(about, '')", /^account\.(email|about) has other values/],
  ['update account set user_image = null', /^account\.user_image has other values/],
  // The same values, in other rows.
  [
    `update fez set title = other.title from (select id, lead(title, 1, first_value) over (order by id) as title
      from (select id, title, first_value(title) over (order by id) from fez) ordered) other where other.id = fez.id`,
    /^fez\.title has other values/,
  ],
  // Tables and columns.
  ['drop table hunt cascade', /^hunt is gone/],
  ['alter table fez rename to chat', /^fez is gone/],
  ['alter table fez drop column info', /^fez\.info is gone/],
  ['alter table account rename column display_name to shown_name', /^account\.display_name is gone/],
  ['alter table fez alter column title type varchar(200)', /^fez\.title is another/],
  ['alter table fez_post drop column search, add column search tsvector', /^fez_post\.search is another/],
  ['alter table fez_member alter column position type bigint', /^fez_member\.position is another|failed/],
  ['alter table fez alter column location set not null', /failed|^fez\.location is another/],
  ['alter table fez alter column cancelled drop default', /^fez\.cancelled is another/],
  ['alter table fez alter column cancelled set default true', /^fez\.cancelled is another/],
  ['alter table account alter column username type text collate "C"', /^account\.username is another/],
  ['alter table fez add column colour text not null', /failed/],
  [
    "alter table hunt add column colour text; update hunt set colour = 'red'; alter table hunt alter column colour set not null",
    /^hunt\.colour is new, and has no value/,
  ],
  // What guards rows.
  ['alter table fez_post drop constraint fez_post_pkey', /^constraint fez_post_pkey is gone/],
  ['alter table account drop constraint account_username_key_key', /^constraint account_username_key_key is gone/],
  ['alter table fez drop constraint fez_unlisted', /^constraint fez_unlisted is gone/],
  ['alter table fez drop constraint fez_owner_id_fkey', /^constraint fez_owner_id_fkey is gone/],
  [
    `alter table fez drop constraint fez_owner_id_fkey;
     alter table fez add constraint fez_owner_id_fkey foreign key (owner_id) references account on delete cascade`,
    /^constraint fez_owner_id_fkey is another/,
  ],
  ['alter table microblog_post add constraint short check (length(text) < 5000)', /^constraint short is new for microblog_post/],
  ['create unique index one_each on microblog_post (author_id, created_at, id)', /^index one_each is new for microblog_post/],
  ['alter table fez_post add foreign key (author_id) references account', /^constraint fez_post_author_id_fkey is new/],
  [
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
     create trigger refused before insert on fez_post for each row execute function refuse()`,
    /^trigger refused is new for fez_post/,
  ],
  ['create rule nothing as on insert to mute do instead nothing', /^rule nothing is new for mute/],
  ['alter table fez enable row level security', /^fez is another/],
  // What makes it fast, or safe.
  ['drop index fez_deleted', /^index fez_deleted is gone/],
  ['drop index fez_post_deleted; create index fez_post_deleted on fez_post (deleted_at)', /^index fez_post_deleted is another/],
  ['alter table fez_post set unlogged', /^fez_post is another/],
  ['alter table fez_post set (autovacuum_enabled = false)', /^fez_post is another/],
  ['alter sequence fez_post_id_seq restart', /^sequence fez_post_id_seq is another/],
  ['alter sequence microblog_post_id_seq cycle', /^sequence microblog_post_id_seq is another/],
  // Types, functions, rights, settings.
  ["alter type access_level rename value 'tho' to 'host'", /^type access_level is another/],
  [
    `create or replace function blocked_persons(person uuid) returns uuid[] language sql stable as $$ select '{}'::uuid[] $$`,
    /^function blocked_persons is another|failed/,
  ],
  ['drop function is_hidden cascade', /^function is_hidden is gone/],
  ['revoke select on fez from current_user', /^fez is another/],
  ['drop extension pg_trgm cascade', /^extension pg_trgm is gone/],
  ["do $$ begin execute format('alter database %I set timezone to %L', current_database(), 'Asia/Tokyo'); end $$", /^setting database/],
  // What Postgres refuses.
  ['alter table fez add column title text', /^failed/],
  ['create table no_comma (a int b int)', /^failed/],
  ['select 1 / 0', /^failed/],
  ['alter table nothing_here add column a int', /^failed/],
]

/** What an upgrade may bring without a word. */
const good: readonly string[] = [
  'create table more (id uuid primary key, account_id uuid not null references account on delete cascade, name text unique)',
  'alter table fez add column colour text',
  "alter table fez add column colour text not null default 'blue'",
  'alter table fez add column colour text; update fez set colour = title',
  'alter table fez add column follows uuid references fez',
  'alter table fez add column rank int constraint small check (rank < 10)',
  'create index fez_more on fez (title)',
  'create index fez_parts on fez (lower(title))',
  "alter type fez_type add value 'walk' before 'other'",
  'create function more() returns int language sql as $$ select 1 $$',
  "create type shade as enum ('light', 'dark'); create table lamp (shade shade primary key)",
  'create sequence more_seq',
  'analyze fez',
  '-- changes: fez_post\ndelete from fez_post',
  '-- changes: fez.title, index fez_deleted\nupdate fez set title = upper(title); drop index fez_deleted',
  '-- A comment first.\n-- changes: constraint fez_unlisted\nalter table fez drop constraint fez_unlisted',
  '-- changes: hunt, constraint hunt_puzzle_hunt_id_fkey\nalter table hunt rename to puzzle_hunt',
]

describe('a mistake of a migration is found', () => {
  for (const [migration, said] of bad)
    it(migration.replace(/\s+/g, ' ').slice(0, 100), async () => {
      const changes = await found(migration)
      assert.ok(
        changes.some((change) => said.test(change)),
        `found: ${changes.slice(0, 5).join('; ')}`,
      )
    })
})

/** Those before it were written when nobody asked. */
const firstThatSays = '2026-11-30'

it('each migration of the product says what it takes away', async () => {
  const names = readdirSync(migrationsFolder)
    .filter((name) => /^\d.*\.sql$/.test(name))
    .map((name) => name.replace(/\.sql$/, ''))
    .sort()
  const first = names.findIndex((name) => name >= firstThatSays && name.startsWith('2'))
  assert.ok(first > 0)
  const empty = await createEmptyDatabase()
  const own = postgres(empty.url, { max: 1, transform: postgres.camel, onnotice: () => undefined })
  await migrate(empty.url, () => undefined, migrationsFolder, first)
  for (let known = await readInventory(own as unknown as Sql), index = first; index < names.length; index++) {
    await migrate(empty.url, () => undefined, migrationsFolder, index + 1)
    const next = await readInventory(own as unknown as Sql)
    assert.deepEqual(
      unannounced(changesBetween(known, next), announcedIn(migrationsFolder, names.slice(index, index + 1))),
      [],
      names[index],
    )
    known = next
  }
  await own.end()
  await empty.drop()
})

describe('what takes nothing from anybody, or says what it takes, is not complained of', () => {
  for (const migration of good)
    it(migration.replace(/\s+/g, ' ').slice(0, 100), async () => {
      assert.deepEqual(await found(migration), [])
    })
  it('but for what it does not say', async () => {
    assert.deepEqual(await found('-- changes: fez.title\nupdate fez set title = upper(title), info = upper(info)'), [
      'fez.info has other values',
    ])
    assert.deepEqual((await found('select 1; -- changes: fez\ndelete from fez_member')).length, 1)
  })
})
