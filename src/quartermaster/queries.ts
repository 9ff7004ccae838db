// Statements about the item board.
import type { Sql } from '../core/db/db.ts'
import type { ContentModerationStatus } from '../moderation/types.ts'
import type { ItemContent, ItemEditRow, ItemRow, JudgedItemRow } from './rows.ts'
import type { QuartermasterCategory } from './types.ts'
import type { WrittenFilter, WrittenRow } from '../moderation/judged.ts'

const columns = (sql: Sql) => sql`
  id, owner_id, category, name, description, location, hides_owner, image, image_sizes, moderation_status, changed_at`

export interface ItemFilter {
  category: QuartermasterCategory | undefined
  words: string | undefined
  ownerId: string | undefined
  /** The words of what is under review find it. */
  findsHidden: boolean
}

/** A part of the items whose owners the viewer does not hide, last changed first, and how many there are in all. */
export async function selectItems(
  sql: Sql,
  viewerId: string,
  { category, words, ownerId, findsHidden }: ItemFilter,
  { start, limit }: { start: number; limit: number },
): Promise<{ total: number; items: ItemRow[] }> {
  const found = sql`
    from quartermaster_item where deleted_at is null and owner_id <> all ((select hidden_authors(${viewerId}))::uuid[])
      ${category === undefined ? sql`` : sql`and category = ${category}`}
      ${ownerId === undefined ? sql`` : sql`and owner_id = ${ownerId}`}
      ${words === undefined ? sql`` : sql`and search @@ websearch_to_tsquery('english', ${words})`}
      ${words === undefined || findsHidden ? sql`` : sql`and not is_hidden(moderation_status)`}`
  const rows = await sql<(ItemRow & { total: number })[]>`
    select total.number as total, page.* from (select count(*)::int as number ${found}) as total
    left join (select ${columns(sql)} ${found} order by changed_at desc, id limit ${limit} offset ${start}) as page on true
    order by page.changed_at desc, page.id`
  return { total: rows[0]?.total ?? 0, items: rows.filter(({ id }) => id !== null) }
}

/** Items by their ids, in that order. */
export async function selectItemsById(sql: Sql, itemIds: readonly string[]): Promise<ItemRow[]> {
  return await sql<ItemRow[]>`
    select ${columns(sql)} from quartermaster_item where id = any (${itemIds}::uuid[]) order by array_position(${itemIds}::uuid[], id)`
}

/** An item, deleted or not. */
export async function selectItem(sql: Sql, itemId: string): Promise<JudgedItemRow | undefined> {
  const [row] = await sql<JudgedItemRow[]>`select ${columns(sql)}, deleted_at from quartermaster_item where id = ${itemId}`
  return row
}

/** Locks an item that is not deleted. */
export async function lockItem(sql: Sql, itemId: string): Promise<ItemRow | undefined> {
  const [row] = await sql<ItemRow[]>`
    select ${columns(sql)} from quartermaster_item where id = ${itemId} and deleted_at is null for update`
  return row
}

/** Writes items that are posted together. The first of them is the newest. */
export async function insertItems(sql: Sql, items: readonly Omit<ItemRow, 'moderationStatus'>[]): Promise<void> {
  const texts = (value: (item: Omit<ItemRow, 'moderationStatus'>) => string | null) => sql`${items.map(value)}::text[]`
  await sql`
    insert into quartermaster_item
      (id, owner_id, category, name, description, location, hides_owner, image, image_sizes, created_at, changed_at)
    select id::uuid, owner_id::uuid, category::quartermaster_category, name, description, location, hides_owner, image,
      string_to_array(image_sizes, ',')::int[], changed_at::timestamptz, changed_at::timestamptz
    from unnest(${texts(({ id }) => id)}, ${texts(({ ownerId }) => ownerId)}, ${texts(({ category }) => category)},
      ${texts(({ name }) => name)}, ${texts(({ description }) => description)}, ${texts(({ location }) => location)},
      ${items.map(({ hidesOwner }) => String(hidesOwner))}::text[]::boolean[], ${texts(({ image }) => image)},
      ${texts(({ imageSizes }) => imageSizes?.join(',') ?? null)}, ${texts(({ changedAt }) => changedAt.toISOString())})
      as given (id, owner_id, category, name, description, location, hides_owner, image, image_sizes, changed_at)`
}

/** Replaces what an item says. */
export async function updateItem(
  sql: Sql,
  { id, category, name, description, location, hidesOwner, image, imageSizes, moderationStatus, changedAt }: ItemRow,
): Promise<void> {
  await sql`
    update quartermaster_item set category = ${category}, name = ${name}, description = ${description}, location = ${location},
      hides_owner = ${hidesOwner}, image = ${image}, image_sizes = ${imageSizes}::int[], moderation_status = ${moderationStatus},
      changed_at = ${changedAt}
    where id = ${id}`
}

/** Remembers an item as it was. */
export async function insertItemEdit(
  sql: Sql,
  { id, itemId, editorId, before, now }: { id: string; itemId: string; editorId: string; before: ItemContent; now: Date },
): Promise<void> {
  const { name, description, location, hidesOwner, image } = before
  await sql`
    insert into quartermaster_edit (id, item_id, editor_id, created_at, name, description, location, hides_owner, image)
    values (${id}, ${itemId}, ${editorId}, ${now}, ${name}, ${description}, ${location}, ${hidesOwner}, ${image})`
}

/** What an item was before each of its changes, oldest first. */
export async function selectItemEdits(sql: Sql, itemId: string): Promise<ItemEditRow[]> {
  return await sql<ItemEditRow[]>`
    select id, editor_id, created_at, name, description, location, hides_owner, image from quartermaster_edit
    where item_id = ${itemId} order by created_at, id`
}

export async function softDeleteItem(sql: Sql, itemId: string, now: Date): Promise<void> {
  await sql`update quartermaster_item set deleted_at = ${now} where id = ${itemId}`
}

export async function updateItemState(sql: Sql, itemId: string, status: ContentModerationStatus): Promise<void> {
  await sql`update quartermaster_item set moderation_status = ${status} where id = ${itemId}`
}

/** Items of accounts, newest first; also of those who hide their names. */
export async function selectWrittenItems(sql: Sql, { accountIds, before, pattern, limit }: WrittenFilter): Promise<WrittenRow[]> {
  return await sql<WrittenRow[]>`
    select item.id::text as id, item.owner_id as author_id, left(concat_ws(E'\\n', item.name, item.description), 300) as text,
      array_remove(array[item.image], null) as images, item.location as place, item.moderation_status, item.created_at
    from quartermaster_item item
    where item.owner_id = any (${accountIds}::uuid[])
      and item.deleted_at is null and item.created_at <= ${before}
      ${pattern === undefined ? sql`` : sql`and lower(concat_ws(' ', item.name, item.description)) like ${pattern}`}
    order by item.created_at desc, item.id::text collate "C" desc limit ${limit}`
}
