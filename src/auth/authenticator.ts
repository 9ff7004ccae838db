// From credentials to the account's channel. A hot token costs one Map lookup.
import type { Authenticator } from '../core/http/admission.ts'
import { Ctx, type Node } from '../core/work/ctx.ts'
import type { RequestHead } from '../core/work/request-head.ts'
import { gathered } from '../core/db/gathered.ts'
import { refusalOfBanned } from '../users/bans.service.ts'
import { attempted, forbidden, unauthorized } from '../core/base/errors.ts'
import { ownText } from '../core/base/own-text.ts'
import { atLeast } from '../core/base/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import type { UserChannel } from '../users/channel.ts'
import { userKind } from '../users/channel.ts'
import { inDialect } from '../text/dialect.ts'
import { usernameKey } from '../text/usernames.ts'
import { selectAccountsBySession, selectAccountsByToken, type BrowserRow } from '../users/queries.ts'
import { maxPasswordCodeUnits } from './new-password.service.ts'
import { findRight, hashSecret, isOutdated, prepareDecoy, type Guess } from './passwords.ts'
import { candidateKey, selectCandidates, updatePasswordHash, type Candidate, type CredentialRow } from './queries.ts'
import { splitCode } from './second-factor.ts'
import { requireCode } from './factor-code.service.ts'
import { isOver, noteUse } from './sessions.service.ts'
import { digestOf, judged, rememberAddress } from './throttle.service.ts'
import { tokenDigest } from './tokens.ts'

const pruneEveryMs = 60_000
/** Accounts of the operator's own programs; built in, so that nobody else can have these names. */
const serviceAccounts: ReadonlySet<string> = new Set(['admin', 'prometheus', 'tho'])

const accountByToken = gathered(selectAccountsByToken)
const accountBySession = gathered(selectAccountsBySession)
const candidateOf = gathered(selectCandidates)

/** The node's authenticator; keeps the tokens that are in use on this node. */
export function createAuthenticator(): Authenticator {
  prepareDecoy()
  const byToken = new Map<string, UserChannel>()
  const bySession = new Map<string, UserChannel>()
  let pruning = false

  async function lookUp(node: Node, token: string): Promise<UserChannel | undefined> {
    const digest = tokenDigest(token)
    const id = byToken.get(token)?.id ?? (await accountByToken(node.db, digest.toString('base64')))
    const channel = id === undefined ? undefined : await node.channels.of(userKind).get(id)
    if (!channel || channel.level === 'banned' || channel.tokenDigest !== digest.toString('base64')) {
      byToken.delete(token)
      return undefined
    }
    channel.token = ownText(token)
    byToken.set(channel.token, channel)
    pruneFromNowOn(node)
    return channel
  }

  async function lookUpSession(node: Node, key: string): Promise<UserChannel | undefined> {
    const id = bySession.get(key)?.id ?? (await accountBySession(node.db, key))
    const channel = id === undefined ? undefined : await node.channels.of(userKind).get(id)
    const session = channel && (await usableSession(node, channel, key))
    if (!channel || !session) {
      bySession.delete(key)
      return undefined
    }
    bySession.set(key, channel)
    pruneFromNowOn(node)
    noteUse(node, session)
    return channel
  }

  function pruneFromNowOn(node: Node): void {
    if (pruning) return
    pruning = true
    node.clock.every(pruneEveryMs, () => prune(node))
  }

  function prune(node: Node): void {
    for (const [token, channel] of byToken) if (channel.token !== token) byToken.delete(token)
    for (const [key, channel] of bySession) {
      const session = channel.closed ? undefined : channel.browsers.get(key)
      if (!session) bySession.delete(key)
      else if (isOver(node, session)) void closeOver(node, channel, key).catch(() => undefined)
    }
  }

  /** An open socket asks for nothing: it would outlive its session. */
  async function closeOver(node: Node, channel: UserChannel, key: string): Promise<void> {
    if (await usableSession(node, channel, key)) return
    bySession.delete(key)
    channel.sockets.closeWhere((sessionKey) => sessionKey === key)
  }

  function bySessionKey(node: Node, key: string): UserChannel | undefined | Promise<UserChannel | undefined> {
    const channel = bySession.get(key)
    const session = channel?.browsers.get(key)
    if (channel && session && !isOver(node, session) && channel.live && node.bus.up) {
      channel.unusedSweeps = 0
      noteUse(node, session)
      return channel
    }
    return lookUpSession(node, key)
  }

  return {
    levelName: (node, level) => inDialect(node.config, level),

    bearer(node, token) {
      const channel = byToken.get(token)
      if (channel?.token === token && channel.live && node.bus.up) {
        channel.unusedSweeps = 0
        return channel
      }
      return lookUp(node, token)
    },

    session: bySessionKey,

    program(node, head, reads) {
      const found = bySessionKey(node, head.sessionKey)
      return found instanceof Promise ? found.then((channel) => allowed(channel, head, reads)) : allowed(found, head, reads)
    },

    async basic(node, username, password, address) {
      const account = await checkPassword(node, username, password, address)
      const channel = await node.channels.of(userKind).get(account.id)
      if (account.level === 'banned') throw attempted(await refusalOfBanned(node.db, account.personId), account)
      if (!channel) throw unauthorized()
      return channel
    },

    isService: (username) => serviceAccounts.has(username.toLowerCase()),

    disabled: (node, features) => settingsOf(node).disabled(features),

    closedTo(node, viewer, gate) {
      const { minAccessUserLevel, enablePreregistration } = settingsOf(node).values
      if (minAccessUserLevel === 'banned' || gate === 'open' || (gate === 'preregistration' && enablePreregistration)) return false
      // The team comes in, to set up what it needs.
      return !viewer || !atLeast(viewer.withheldLevel ?? viewer.level, minAccessUserLevel)
    },

    // Somebody in quarantine was put there by a moderator, and reads on.
    closedToUnverified: (node, { level }) => level === 'unverified' && settingsOf(node).values.verifiedReading,
  }
}

/** @throws AppError 403 when a token that only reads is to do more. */
function allowed(channel: UserChannel | undefined, head: RequestHead, reads: boolean): UserChannel | undefined {
  head.onlyReads = channel?.browsers.get(head.sessionKey)?.scope === 'read'
  if (!reads && head.onlyReads) throw forbidden('token_reads_only', 'This token may only read.')
  return channel
}

/** The session with this key, unless it is over. */
async function usableSession(node: Node, channel: UserChannel, key: string): Promise<BrowserRow | undefined> {
  const known = channel.browsers.get(key)
  // Another node may have recorded its use, without an event.
  if (known && isOver(node, known)) await channel.reload()
  const session = channel.browsers.get(key)
  return session && !isOver(node, session) ? session : undefined
}

/** One for all: in a flood, the stacks of new ones would take longer than the answers. */
const credentialsWrong = unauthorized('credentials_wrong', 'The username or password is wrong.')

/**
 * The account of a name and password.
 *
 * @throws AppError 401 for a wrong name or password, which look and last the same, and without the code of a second factor behind it;
 * 429 after too many failures.
 */
async function checkPassword(node: Node, username: string, password: string, address: string): Promise<CredentialRow> {
  const key = usernameKey(username).slice(0, 200)
  // Postgres has no texts with NUL.
  const found = (await candidateOf(node.db, candidateKey(key.includes('\0') ? '' : key, digestOf(node, address)))) as Candidate
  const account = found.id === null ? undefined : (found as CredentialRow)
  const isTooLong = password.length > maxPasswordCodeUnits
  const whole: Guess = isTooLong ? [null, ''] : [account?.passwordHash ?? null, password]
  const given = account?.factor && !isTooLong ? splitCode(password) : undefined
  const beforeCode: Guess | undefined = account && given && [account.passwordHash, given.before]
  let right: Guess | undefined
  await judged(node, { key, address, isKnown: found.isKnown }, async (claim) => {
    right = await findRight(beforeCode ? [beforeCode, whole] : [whole], claim)
    return right !== undefined
  })
  if (!account) throw credentialsWrong
  if (!right) throw attempted(credentialsWrong, account)
  await requireCode(node, account, right === beforeCode ? given?.code : undefined)
  await rememberAddress(node, account.personId, address)
  const [stored, secret] = right
  if (stored && isOutdated(stored)) await renewHash(node, account, await hashSecret(secret))
  return account
}

/** Unless there is a new password by now. No answer shows a hash. */
async function renewHash(node: Node, { id, passwordHash: stored }: CredentialRow, passwordHash: string): Promise<void> {
  await new Ctx(node, undefined, { requestId: 'password', log: node.log }).statement((tx) => {
    tx.changesUnshown('account')
    return updatePasswordHash(tx.sql, id, stored, passwordHash)
  })
}
