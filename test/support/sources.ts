// What answers that stay in memory take from a node while they are made: a test of statements alone does not see what comes
// from channels, and from other things in memory.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { App } from '../../src/app.ts'
import type { ResponseCache } from '../../src/core/http/response-cache.ts'

/** What was taken: kinds of channels by their names, and what the node has beside them. */
export interface Taken {
  kinds: Set<string>
  parts: Set<string>
}

/** Runs `work` and adds to `taken` what the answers that are made meanwhile take from the node. */
export async function takenByAnswers({ node }: App, { kinds, parts }: Taken, work: () => Promise<unknown>): Promise<void> {
  const making = new AsyncLocalStorage<true>()
  const { responses: answers, channels } = node
  const find: ResponseCache['find'] = (...asked) => answers.find(...asked)
  const make: ResponseCache['make'] = (key, sources, viewer, params, run) =>
    answers.make(key, sources, viewer, params, () => making.run(true, run))
  const of: typeof channels.of = (kind) => {
    if (making.getStore()) kinds.add(kind.name)
    return Object.getPrototypeOf(channels).of.call(channels, kind)
  }
  const before = Object.getOwnPropertyDescriptors(node)
  for (const [name, descriptor] of Object.entries(before)) {
    const value: unknown = name === 'responses' ? { find, make } : descriptor.value
    Object.defineProperty(node, name, {
      configurable: true,
      enumerable: true,
      get() {
        if (making.getStore()) parts.add(name)
        return value
      },
    })
  }
  Object.assign(channels, { of })
  try {
    await work()
  } finally {
    Object.defineProperties(node, before)
    Reflect.deleteProperty(channels, 'of')
  }
}
