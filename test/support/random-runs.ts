// Random tests, and the runs of them that have failed: those are kept here and played again every time. A failed
// test names its seed, and fast-check the path to the case, of which the first number counts. TEST_SEED=7 runs
// that seed alone.
import { test, type TestContext } from 'node:test'

/** By the name of the test file. */
const kept: Readonly<Record<string, readonly KeptRun[]>> = {
  'fez.model': [
    { seed: 17831710, path: '3', found: 'a deleted post was still counted' },
    { seed: 329054923, found: 'a page that was made before a post was shown to others after it' },
  ],
  'microblog.model': [{ seed: 18080916, found: 'deleted posts were listed' }],
  'microkaraoke.model': [{ seed: 17881015, path: '0', found: 'two offers of one slot at once' }],
}

interface KeptRun {
  seed: number
  /** Of the case that failed. Without it all cases are played again: where one goes on from what the others have left. */
  path?: string
  /** What was wrong with the product, or had been broken on purpose. */
  found: string
}

/** For fast-check. */
export interface RunParameters {
  seed: number
  path?: string
  numRuns: number
}

/** One test for each run that is kept, and one for a new run of `numRuns` cases. */
export function randomTest(
  file: string,
  title: string,
  numRuns: number,
  run: (parameters: RunParameters, t: TestContext) => void | Promise<void>,
): void {
  const chosen = process.env['TEST_SEED']
  if (chosen === undefined) {
    for (const { seed, path, found } of kept[file] ?? []) {
      const parameters = path === undefined ? { seed, numRuns } : { seed, path, numRuns: 1 }
      test(`${title} (kept seed ${seed}, which has found: ${found})`, (t) => run(parameters, t))
    }
  }
  const seed = chosen === undefined ? Date.now() % 2 ** 31 : Number(chosen)
  test(`${title} (seed ${seed})`, (t) => run({ seed, numRuns }, t))
}
