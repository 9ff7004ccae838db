// The store of the browser, IndexedDB. Where there is none, idb-keyval throws at once, and some browsers' does not answer at times:
// here both are failures like any other.
import * as store from 'idb-keyval'

const patienceMs = 3000

const failing = <Work extends (...values: never[]) => Promise<unknown>>(work: Work) =>
  (async (...values: Parameters<Work>) =>
    await Promise.race([work(...values), new Promise((_, reject) => setTimeout(reject, patienceMs))])) as Work

export const clear = failing(store.clear)
export const delMany = failing(store.delMany)
export const getMany = failing(store.getMany)
export const keys = failing(store.keys)
export const setMany = failing(store.setMany)
