// The barrels that every account has without making them: which there are, and their ids. Pure.
import type { Account } from '../core/base/viewer.ts'

export const builtInBarrels = [
  { kind: 'blockedUsers', name: 'Blocked Users' },
  { kind: 'mutedUsers', name: 'Muted Users' },
  { kind: 'alertKeywords', name: 'Alert Keywords' },
  { kind: 'mutedKeywords', name: 'Muted Keywords' },
] as const
export type BuiltInBarrel = (typeof builtInBarrels)[number]

/** The block list is the person's and hangs on the primary account: other accounts have no view of it. */
export const builtInBarrelsOf = ({ id, personId }: Account): readonly BuiltInBarrel[] =>
  builtInBarrels.filter(({ kind }) => kind !== 'blockedUsers' || id === personId)

// Random, and without the bits that say which kind of UUID it is.
const masks: Record<BuiltInBarrel['kind'], bigint> = {
  blockedUsers: 0x7c1e5a90_d34b_04f2_1b68_9e02c7f5d1a3n,
  mutedUsers: 0x25d9f3b8_601a_0c7e_2a41_d87b30e6954fn,
  alertKeywords: 0xb06247ce_9f85_0d13_3e9c_415fa2d80b76n,
  mutedKeywords: 0xe8f37d12_4ac6_0a9b_07d5_6c23b91e48f0n,
}

const bitsOf = (uuid: string): bigint => BigInt(`0x${uuid.replaceAll('-', '')}`)
const uuidOf = (bits: bigint): string =>
  bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** The id of an account's built-in barrel: always the same, and stored nowhere. */
export const builtInBarrelId = (accountId: string, { kind }: BuiltInBarrel): string => uuidOf(bitsOf(accountId) ^ masks[kind])

/** The account that an id would belong to if it were one of a built-in barrel. */
export const builtInBarrelOwner = (barrelId: string, { kind }: BuiltInBarrel): string => uuidOf(bitsOf(barrelId) ^ masks[kind])
