// Work that many ask for at once: whoever asks while the same is under way gets what that finds.
import type { Node } from './ctx.ts'

/** Of each node, by a key that names all that the work depends on. */
export class SharedRuns<Result> {
  readonly #underWay = new WeakMap<Node, Map<string, Promise<Result>>>()

  get(node: Node, key: string, run: () => Promise<Result>): Promise<Result> {
    let runs = this.#underWay.get(node)
    if (!runs) this.#underWay.set(node, (runs = new Map<string, Promise<Result>>()))
    const known = runs.get(key)
    if (known) return known
    const result = run().finally(() => runs.delete(key))
    runs.set(key, result)
    return result
  }
}
