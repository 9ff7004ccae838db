// Items of the board.
import type { Client } from './client.ts'
import { body } from './fez.ts'

/** An item that somebody has; returns its id. */
export async function boardItem(client: Client, item: object = {}, about: object = {}): Promise<string> {
  const items = [{ itemName: 'A sewing kit', ...item }]
  const [posted] = await body(client.post('/quartermaster/create', { category: 'have', items, ...about }), 201)
  return posted.itemID
}
