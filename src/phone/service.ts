// Phone calls between two users: who may call whom, and what becomes of a call. The calls themselves
// are in switchboard.ts.
import type { Clock } from '../core/base/clock.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import type { RateRule } from '../core/work/rate-limit.ts'
import type { Socket, SocketHandlers } from '../core/http/route.ts'
import { closeCodes } from '../core/http/sockets.ts'
import { blocked } from '../core/base/viewer.ts'
import { userKind } from '../users/channel.ts'
import { isFavoriteOf } from '../users/favorites.service.ts'
import type { Connection } from './handset.ts'
import type { Order } from './lines.ts'
import type { PhoneSocketServerAddress } from './schemas.ts'
import { switchboardOf } from './switchboard.ts'

/**
 * Bytes that a phone may send: sixteen times the audio of a call, and a reserve for delayed frames.
 * The other side is cut off when it does not keep up, but between two nodes all of it waits for Redis.
 */
const allowance = { bytesPerSecond: 512 * 1024, reserveBytes: 16 * 1024 * 1024, bytesPerFrame: 256 }

/** A phone socket. Text frames mean nothing. */
class PhoneSession implements SocketHandlers {
  readonly #connection: Connection
  readonly #clock: Clock
  #allowed = allowance.reserveBytes
  #allowedAtMs: number

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
    this.#allowedAtMs = clock.elapsed()
  }

  opened(socket: Socket): void {
    this.#connection.opened(socket)
  }

  received(socket: Socket, frame: ArrayBuffer, binary: boolean): void {
    if (!this.#allows(frame.byteLength)) return socket.close(closeCodes.goingAway, 'This is more than a call may send.')
    if (binary) this.#connection.audio(new Uint8Array(frame))
  }

  closed(): void {
    this.#connection.closed()
  }

  abandoned(): void {
    this.#connection.closed()
  }

  #allows(bytes: number): boolean {
    const nowMs = this.#clock.elapsed()
    const since = ((nowMs - this.#allowedAtMs) / 1000) * allowance.bytesPerSecond
    this.#allowed = Math.min(allowance.reserveBytes, this.#allowed + since) - bytes - allowance.bytesPerFrame
    this.#allowedAtMs = nowMs
    return this.#allowed >= 0
  }
}

/** Refuses calls to users who do not exist, do not want them from the caller, or are not connected; in this order. */
export async function requireCallable(ctx: Ctx, calleeId: string): Promise<void> {
  const callee = await ctx.channel(userKind, calleeId)
  if (!callee || blocked(ctx.viewer, callee)) throw notAvailable('user')
  // One text for both: nobody learns that they are muted.
  if (callee.mutes.has(ctx.viewer.id) || !(await isFavoriteOf(ctx, calleeId)))
    throw badRequest('not_a_favorite', 'This user only takes calls from their favorites.')
  if (!(await switchboardOf(ctx.node).isPresent(calleeId))) throw unreachable()
}

const unreachable = () => badRequest('user_offline', 'This user is not connected at the moment.')

/** Somebody who does not answer is rung so often by one person: enough to dial again after a slip or a lost connection. */
const ringsOfPair: RateRule = { name: 'rings of pair', points: 3, seconds: 60 }
/** A person rings so often at people who do not answer. */
const ringsOfCaller: RateRule = { name: 'rings of caller', points: 12, seconds: 60 }

async function orderOf(ctx: Ctx, callID: string, callee: string): Promise<Order> {
  const { accounts } = ctx.node
  await accounts.load([ctx.viewer.id, callee])
  const { personId } = ctx.viewer
  return {
    callID,
    caller: accounts.get(ctx.viewer.id).header,
    callee,
    attempts: [
      [ringsOfPair, `${personId} ${accounts.get(callee).personId}`],
      [ringsOfCaller, personId],
    ],
  }
}

/** Rings for a call that will not go through the server. `requireCallable` has been asked before. */
export async function initiateDirect(
  ctx: Ctx,
  callID: string,
  callee: string,
  { ipV4Addr, ipV6Addr }: PhoneSocketServerAddress,
): Promise<void> {
  const callerAddress = { ...(ipV4Addr ? { ipV4Addr } : {}), ...(ipV6Addr ? { ipV6Addr } : {}) }
  const rings = await switchboardOf(ctx.node).ringFor({ ...(await orderOf(ctx, callID, callee)), callerAddress })
  if (!rings) throw unreachable()
}

/** The caller's side of a relayed call. Rings as soon as the socket is open. */
export async function initiateRelayed(ctx: Ctx, callID: string, callee: string): Promise<SocketHandlers> {
  await requireCallable(ctx, callee)
  return new PhoneSession(await switchboardOf(ctx.node).callFrom(await orderOf(ctx, callID, callee)), ctx.node.clock)
}

/** The callee's side of a relayed call. */
export async function answerRelayed(ctx: Ctx, callID: string): Promise<SocketHandlers> {
  return new PhoneSession(await switchboardOf(ctx.node).answerFrom(callID, ctx.viewer.id), ctx.node.clock)
}

/** Stops the callee's other phones, for a call that nobody knows those of the caller of this. */
export async function answerCall(ctx: Ctx, callID: string): Promise<void> {
  const board = switchboardOf(ctx.node)
  const known = await board.bring(callID, { type: 'answered', by: ctx.viewer.id })
  if (!known) board.stopRinging(callID, ctx.viewer.id)
}

/** Declines, cancels or ends a call of the caller of this. Nothing happens to others' calls. */
export async function declineCall(ctx: Ctx, callID: string): Promise<void> {
  await switchboardOf(ctx.node).bring(callID, { type: 'declined', by: ctx.viewer.id })
}
