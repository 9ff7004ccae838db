// GET /metrics: the figures of a node, for the operator. Whoever is on this machine reads them as they are.
import { BlockList, isIP } from 'node:net'
import { admit } from '../core/http/admission.ts'
import type { RequestHead } from '../core/work/request-head.ts'
import { hostnameIn } from '../core/http/hosts.ts'
import type { Page } from '../core/http/http.ts'
import { joinedMetrics } from '../core/base/metrics.ts'
import type { Node } from '../core/work/ctx.ts'
import { metricsOfSiblings } from '../core/work/process.ts'
import { Reply } from '../core/http/route.ts'

export const metricsPage: Page = {
  path: '/metrics',
  about: {
    summary:
      'Figures of all servers on this port, and of their worker, for Prometheus. From elsewhere than this machine for service accounts alone.',
    type: 'text/plain',
    basic: true,
    refusals: [401, 403, 429],
  },
  async run(node, _params, head, address) {
    if (!isFromHere(head, address)) await admit(node, { access: 'service' }, head, address)
    return new Reply(200, await metricsOf(node), { 'Content-Type': node.metrics.contentType, 'Access-Control-Allow-Origin': '' })
  },
}

/** Those of all servers on the port, whoever of them is asked, and of the worker beside them: put together once for all who ask meanwhile. */
export function metricsOf({ metrics, config, flights }: Node): Promise<Buffer> {
  return flights.after('metrics', async () => {
    const own = await metrics.text()
    return config.isSupervised ? Buffer.from(joinedMetrics([own.toString(), ...(await metricsOfSiblings())])) : own
  })
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** A proxy on this machine comes from here, too: it says so in a header, or asks for a name that is not of this machine alone. */
function isFromHere({ host, forwardedFor, forwardedProto }: RequestHead, address: string): boolean {
  const name = hostnameIn(host)
  return forwardedFor === '' && forwardedProto === '' && isLoopback(address) && (name === 'localhost' || isLoopback(name))
}

function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
