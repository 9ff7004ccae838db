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

/** What `work` makes of each item, in their order; no more than `atOnce` are under way. */
export async function mapSome<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let start = 0; start < items.length; start += atOnce) done.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))))
  return done
}
