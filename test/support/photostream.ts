// Photos of the stream, straight in the database.
import { randomUUID } from 'node:crypto'
import type { TestNodes } from './app.ts'

/** A photo by an account that was taken ten minutes ago; returns its id. */
export async function streamPhoto({ sql }: Pick<TestNodes, 'sql'>, { id }: { id: string }): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    insert into stream_photo (author_id, image, created_at, location)
    values (${id}, ${`${randomUUID().toUpperCase()}.jpg`}, now() - interval '10 minutes', 'Ashore') returning id`
  return row.id
}
