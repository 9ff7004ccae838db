// Counts what a node asks of Postgres, for tests of lists: a page must not cost a query per item.
import type { App } from '../../src/app.ts'
import type { Sql } from '../../src/core/db/db.ts'
import type { TestNodes } from './app.ts'

/** A node that has just begun looks for what others could not send by Redis. */
const isOfBus = ([texts]: readonly unknown[]): boolean => Array.isArray(texts) && texts.some((text) => String(text).includes('bus_frame'))

/** Runs `work`, with no answers in memory unless it is `warm`, and tells how many single statements the node sent meanwhile. Transactions, and statements that write, count as one. */
export async function countStatements(
  { node: { db, versions } }: App,
  work: () => Promise<unknown>,
  { warm = false } = {},
): Promise<number> {
  let count = 0
  if (!warm) versions.reset()
  const getter = Object.getOwnPropertyDescriptor(db, 'sql') as PropertyDescriptor
  const { transaction, statement } = db
  const counted = (made: unknown): unknown => {
    // A fragment within a statement is never sent by itself.
    if (made instanceof Promise) {
      const { handle } = made as unknown as { handle(): Promise<void> }
      let sent = false
      void Object.assign(made, {
        handle() {
          if (!sent) count++
          sent = true
          return handle.call(made)
        },
      })
    }
    return made
  }
  Object.defineProperty(db, 'sql', {
    configurable: true,
    get: () =>
      new Proxy(getter.get?.call(db) as Sql, {
        apply: (target, self, values: unknown[]) => {
          const made: unknown = Reflect.apply(target, self, values)
          return isOfBus(values) ? made : counted(made)
        },
        get: (target, name) =>
          name === 'unsafe'
            ? (...args: Parameters<Sql['unsafe']>) => counted(target.unsafe(...args))
            : (Reflect.get(target, name) as unknown),
      }),
  })
  Object.assign(db, {
    transaction: (...args: Parameters<typeof transaction>) => {
      count++
      return transaction(...args)
    },
    statement: (...args: Parameters<typeof statement>) => {
      count++
      return statement(...args)
    },
  })
  try {
    await work()
  } finally {
    Object.defineProperty(db, 'sql', getter)
    Object.assign(db, { transaction, statement })
  }
  return count
}

/** Runs `work` and returns the texts of the statements that the node made meanwhile, or of parts of them. */
export async function textsOfStatements({ node: { db, versions } }: App, work: () => Promise<unknown>): Promise<string[]> {
  versions.reset()
  const texts = new Set<string>()
  const getter = Object.getOwnPropertyDescriptor(db, 'sql') as PropertyDescriptor
  const { transaction, statement } = db
  const heard = (sql: Sql): Sql =>
    new Proxy(sql, {
      apply(target, self, args: unknown[]) {
        for (const part of args.flat()) if (typeof part === 'string') texts.add(part)
        return Reflect.apply(target, self, args) as unknown
      },
      get(target, name) {
        if (name !== 'unsafe') return Reflect.get(target, name) as unknown
        return (...args: Parameters<Sql['unsafe']>) => {
          texts.add(args[0])
          return target.unsafe(...args)
        }
      },
    })
  Object.defineProperty(db, 'sql', { configurable: true, get: () => heard(getter.get?.call(db) as Sql) })
  Object.assign(db, {
    transaction: (...[run, finish]: Parameters<typeof transaction>) => transaction((sql) => run(heard(sql)), finish),
    statement: (run: Parameters<typeof statement>[0]) => statement((sql) => run(heard(sql))),
  })
  try {
    await work()
  } finally {
    Object.defineProperty(db, 'sql', getter)
    Object.assign(db, { transaction, statement })
  }
  return [...texts]
}

/** Once what a test has written by itself counts no more: until then, nothing comes from memory. */
export async function isQuiet({ apps }: Pick<TestNodes, 'apps'>): Promise<void> {
  for (const { node } of apps) while (node.versions.of([]) === undefined) await new Promise(setImmediate)
}
