// Who may call what, by the reference: every route of the product and its sockets. test/core/access.test.ts
// holds the product against it.
import { testFeatures } from './support/features.ts'

/**
 * Method, path, who, feature, and `creates` when temporary quarantine forbids it.
 *
 * Who: `none`, `flex`, `basic`, `either` (a token or a password), `service` (the password of a built-in
 * account), `token` (everybody who can log in), or the lowest level. Feature: `-` where none is needed.
 */
const table = testFeatures.map(({ access = '' }) => access).join('')

export interface Expected {
  method: string
  path: string
  who: string
  features: string[]
  creates: boolean
}

/** The table, row by row. */
export const expectations: readonly Expected[] = table
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [method = '', path = '', who = '', feature = '', creates] = line.split(' ')
    return { method, path, who, features: feature === '-' ? [] : feature.split('+'), creates: creates === 'creates' }
  })
