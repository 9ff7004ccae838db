// The same over TLS and without, on two servers of one program.
import postgres from 'postgres'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from '../../src/operate/authority.ts'
import { delivered, openAll } from './fan-out.ts'
import { countRequests, fetchOnce, FrameReader, getRequest, type Port } from './load.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const connections = 64
const durationMs = 1500
const pairs = 5
const sockets = 1000
const handshakes = 300
const text = 'Dinner is at eight, and whoever comes late washes up.'

interface Server {
  process: Measured
  port: Port
}

export async function tls({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-bench-tls-'))
  const { certFile, keyFile } = makeCertificate(folder, ['127.0.0.1'], 30)
  const sql = postgres(databaseUrl, { max: 1 })
  const members = await createResidents(sql, tokenSecret, sockets)
  const fezID = await createChat(sql, members.slice(0, 20), 60)
  const crowd = await createChat(sql, members, 0)
  await sql.end()
  const [plain, secured] = await Promise.all([
    startMeasured('product-server.js', env),
    startMeasured('product-server.js', { ...env, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }),
  ])
  const [without, over]: [Server, Server] = [
    { process: plain, port: plain.port },
    { process: secured, port: { tls: secured.port } },
  ]
  const rows: Row[] = []
  const token = members[0]?.token ?? ''
  for (const [work, path] of [
    ['whoami', '/api/v3/user/whoami'],
    ['GET /fez/:id, 20 members, page of 10 posts', `/api/v3/fez/${fezID}`],
    ['the API documents', '/openapi.json'],
  ] as const) {
    const request = getRequest(path, token)
    const kilobytes = Math.round((await fetchOnce(without.port, request)).body.length / 1000)
    const answered = ({ process, port }: Server) => perCpuSecond(process, () => countRequests(port, request, connections, durationMs))
    rows.push(
      await compare(
        `over TLS, against without: ${work}, ${kilobytes} kB`,
        'requests per CPU second',
        pairs,
        () => answered(over),
        () => answered(without),
      ),
    )
  }

  const first = getRequest('/api/v3/user/whoami', token)
  const arrived = ({ process, port }: Server) =>
    perCpuSecond(process, async () => {
      for (let done = 0; done < handshakes; done += 10) await Promise.all(Array.from({ length: 10 }, () => fetchOnce(port, first)))
      return handshakes
    })
  rows.push(
    await compare(
      'over TLS, against without: new connections with a request each',
      'connections per CPU second',
      pairs,
      () => arrived(over),
      () => arrived(without),
    ),
  )

  const author = members[1] as Resident
  const hear = ({ port }: Server) =>
    openAll(
      members.map((member) => member.token),
      (each) => FrameReader.open(port, `/api/v3/fez/${crowd}/socket`, each),
    )
  const [theirs, ours] = [await hear(without), await hear(over)]
  for (const [work, many] of [
    ['one at a time', { turns: 20, perTurn: 1 }],
    ['bursts of 20', { turns: 3, perTurn: 20 }],
  ] as const) {
    const deliver = ({ process }: Server, readers: FrameReader[]) =>
      delivered(process, readers, many.turns * many.perTurn, () =>
        process.order('posts', { fezID: crowd, authorID: author.id, text, ...many }),
      )
    rows.push(
      await compare(
        `over TLS, against without: post to ${sockets} sockets, ${work}`,
        'deliveries per CPU second',
        pairs,
        () => deliver(over, ours),
        () => deliver(without, theirs),
      ),
    )
  }
  for (const reader of [...theirs, ...ours]) reader.close()
  await Promise.all([plain.stop(), secured.stop()])
  await rm(folder, { recursive: true })
  return rows
}
