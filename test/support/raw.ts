// HTTP by hand, for what no client library would send.
import { connect, type Socket } from 'node:net'
import { until } from './until.ts'

/** One TCP connection and all that came back on it. */
export class RawConnection {
  readonly socket: Socket
  closed = false
  #received = ''

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.socket = connect({ host: hostname, port: Number(port) })
    this.socket.setNoDelay(true)
    this.socket.on('data', (bytes) => {
      this.#received += bytes.toString('latin1')
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      this.closed = true
    })
  }

  /** Lines are joined by CR LF; a last empty line ends a head. */
  sendLines(...lines: string[]): this {
    return this.send(lines.join('\r\n'))
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes)
    return this
  }

  /** The answers so far do not count any more. */
  forget(): void {
    this.#received = ''
  }

  /** Everything received, as latin1. */
  get text(): string {
    return this.#received
  }

  /** Status codes of all answers. */
  get statuses(): number[] {
    return [...this.#received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  /** Resolves when this many answers have begun. */
  async answers(count = 1): Promise<number[]> {
    await until(() => this.statuses.length >= count || this.closed, `${count} answers`)
    return this.statuses
  }

  /** Resolves when the server has closed. */
  async end(): Promise<number[]> {
    await until(() => this.closed, 'the server closes the connection')
    return this.statuses
  }

  destroy(): void {
    this.socket.destroy()
  }
}
