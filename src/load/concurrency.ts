// A long list of work, some of it at once.

/** Does it for all items, `together` of them at once, and returns what came of it in their order. The first failure ends it. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  together: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const one = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      try {
        results[index] = await work(items[index] as Item, index)
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(together, items.length) }, one))
  return results
}
