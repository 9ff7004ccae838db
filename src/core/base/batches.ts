// Much of something, some at a time.

/** The items of a list that is still coming, `size` at a time; fewer at its end. */
export async function* batchesOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[], void> {
  let batch: T[] = []
  for await (const item of items) {
    if (batch.push(item) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** A list in parts of `size`; fewer in the last. */
export const partsOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** What `work` makes of each item, in their order; no more than `atOnce` are under way. */
export async function mapSome<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const part of partsOf(items, atOnce)) done.push(...(await Promise.all(part.map(work))))
  return done
}
