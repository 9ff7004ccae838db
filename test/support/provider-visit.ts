// A browser without a browser, on its way to a provider of OpenID Connect and back.
import assert from 'node:assert/strict'
import { request } from 'undici'
import type { TestNodes } from './app.ts'
import type { Answer } from './client.ts'

/** Cookies by host and name. */
type Jar = Map<string, string>

export class ProviderVisit {
  readonly #nodes: TestNodes
  readonly #address: string
  readonly #jar: Jar = new Map()

  /** `address`: that by which the provider knows the servers. */
  constructor(nodes: TestNodes, address: string) {
    this.#nodes = nodes
    this.#address = address
  }

  /** What a browser sends along to the servers. */
  get cookie(): string {
    return this.#cookiesOf(new URL(this.#address).host)
  }

  set cookie(value: string) {
    for (const pair of value.split('; ')) this.#take(new URL(this.#address).host, pair)
  }

  /**
   * Follows where a page of the servers leads; returns the first address that is one of the app, and where the provider sent it.
   *
   * @param stopsAtReturn to stop before it goes there.
   */
  async follow(path: string, node = 0, stopsAtReturn = false): Promise<{ page: string; returned: string }> {
    let next = `${this.#address}${path}`
    let returned = ''
    for (let steps = 0; steps < 10; steps++) {
      const url = new URL(next)
      const isOurs = url.origin === this.#address
      if (isOurs && !url.pathname.startsWith('/oidc/')) return { page: url.pathname + url.search, returned }
      if (isOurs && url.pathname === '/oidc/return') returned = url.pathname + url.search
      if (returned !== '' && stopsAtReturn) return { page: '', returned }
      const place = isOurs ? `${this.#nodes.urls[node]}${url.pathname}${url.search}` : next
      const { statusCode, headers, body } = await request(place, { headers: { cookie: this.#cookiesOf(url.host) } })
      await body.dump()
      assert.ok(statusCode === 302 || statusCode === 303, `${url.pathname} answered ${statusCode}`)
      for (const cookie of [headers['set-cookie'] ?? []].flat()) this.#take(url.host, cookie)
      next = new URL(String(headers['location']), url).href
    }
    return assert.fail('led in a circle')
  }

  /** A request of the page that a browser has come back to. */
  async ask(method: 'GET' | 'POST', path: string, body?: unknown, more: { node?: number; basic?: [string, string] } = {}): Promise<Answer> {
    const { node = 0, basic } = more
    const origin = this.#nodes.urls[node] as string
    const headers = { cookie: this.cookie, 'x-session': 'cookie', ...(method === 'POST' ? { origin } : {}) }
    const options = { headers, body, ...(basic ? { basic } : {}) }
    const answer = await this.#nodes.client(undefined, node).request(method, path, options)
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) this.#take(new URL(this.#address).host, cookie)
    return answer
  }

  #cookiesOf(host: string): string {
    return [...this.#jar]
      .filter(([key]) => key.startsWith(`${host} `))
      .map(([key, value]) => `${key.slice(host.length + 1)}=${value}`)
      .join('; ')
  }

  #take(host: string, cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '' || /Max-Age=0\b/.test(cookie)) this.#jar.delete(`${host} ${name}`)
    else this.#jar.set(`${host} ${name}`, value)
  }
}
