// The client package's entry: makes one function of every line of the table.
import { endpoints, type Api } from './api.ts'
import { live, type LiveOptions } from './live.ts'
import { Transport, type CallOptions, type ClientOptions, type RawSocket, type Values } from './transport.ts'

export type * from './api.ts'
export { QuarterdeckError } from './errors.ts'
export type { Live, LiveOptions, LiveStatus } from './live.ts'
export type { Bytes, BytesBody, CallOptions, ClientOptions, FileCall, RawSocket, SocketClass } from './transport.ts'

/** A server, and the account that is signed in there. */
export interface Client extends Api {
  /** Set by a login and a recovery; to be kept for the next start. Stays undefined with `credentials: 'cookie'`. */
  token: string | undefined
  /** Calls any endpoint, also one that this package does not know: `call('POST /fez/:fezID/join', { fezID })`. */
  call(line: string, input?: Values, options?: CallOptions): Promise<unknown>
}

/** Lines of endpoints by group and name. */
export type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Makes a client. Nothing is sent before the first call.
 *
 * @param table for an app that loads a part of the calls later.
 */
export function createClient(options: ClientOptions = {}, table: Table = endpoints): Client {
  const transport = new Transport(options)
  const groups = Object.entries(table).map(([group, lines]) => {
    const functions = Object.entries(lines).map(([name, line]) => [name, functionOf(transport, line)])
    return [group, Object.fromEntries(functions)]
  })
  return {
    ...(Object.fromEntries(groups) as Api),
    get token() {
      return transport.token
    },
    set token(token) {
      transport.token = token
    },
    call: (line, input, callOptions) => transport.call(line, input, callOptions),
  }
}

function functionOf(transport: Transport, line: string): object {
  if (line.startsWith('WS ')) return (input: Values = {}, options?: LiveOptions) => socketOf(transport, line, input, options)
  const call = (input?: Values, options?: CallOptions) => transport.call(line, input, options)
  return Object.assign(call, { url: (input: Values = {}) => transport.resolve(line, input).address })
}

function socketOf(transport: Transport, line: string, input: Values, options: LiveOptions | undefined): object {
  const connect = (after?: number): RawSocket =>
    transport.socket(transport.resolve(line, { ...input, ...(after === undefined ? {} : { after }) }).address)
  if (transport.resolve(line, input).has('r')) {
    const socket = connect()
    socket.binaryType = 'arraybuffer'
    return socket
  }
  const probe = () => transport.call(endpoints.user.whoami, {}, { retries: 0 })
  return live({ connect, probe, pings: transport.pings, after: input['after'] as number | undefined }, options)
}
