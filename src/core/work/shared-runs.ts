// Work that many ask for at once: whoever asks while the same is under way shares the run after it, with all others who
// do. The one under way may have looked before a change that they know of.
import type { Node } from './ctx.ts'

interface Run<Result> {
  /** Resolves however the run ends. */
  ended: Promise<void>
  next: Promise<Result> | undefined
}

/** Of each node, by a key that names all that the work depends on. */
export class SharedRuns<Result> {
  readonly #underWay = new WeakMap<Node, Map<string, Run<Result>>>()

  get(node: Node, key: string, run: () => Promise<Result>): Promise<Result> {
    let runs = this.#underWay.get(node)
    if (!runs) this.#underWay.set(node, (runs = new Map<string, Run<Result>>()))
    const known = runs.get(key)
    if (known) return (known.next ??= known.ended.then(() => begin(runs, key, run)))
    return begin(runs, key, run)
  }
}

function begin<Result>(runs: Map<string, Run<Result>>, key: string, run: () => Promise<Result>): Promise<Result> {
  const result = run()
  const end = () => {
    if (!under.next) runs.delete(key)
  }
  const under: Run<Result> = { ended: result.then(end, end), next: undefined }
  runs.set(key, under)
  return result
}
