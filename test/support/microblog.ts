// Posts of the microblog, for tests.
import type { Client } from './client.ts'
import { body } from './fez.ts'
import { content } from './forum.ts'

/** Writes a post and returns its id. */
export async function write(client: Client, text: string, more: object = {}): Promise<number> {
  return (await body(client.post('/microblog/create', content(text, more)), 201)).twarrtID
}

/** Answers a post and returns the id of the answer. */
export async function answer(client: Client, postID: number, text: string, more: object = {}): Promise<number> {
  return (await body(client.post(`/microblog/${postID}/reply`, content(text, more)), 201)).twarrtID
}

/** The ids of a list; `path` is below /microblog and may be only a query. */
export async function listed(client: Client, path: string): Promise<number[]> {
  return (await body<{ twarrtID: number }[]>(client.get(`/microblog${path}`))).map(({ twarrtID }) => twarrtID)
}
