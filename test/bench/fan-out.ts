// One post to all sockets of a chat, against native topic publish of the same frame.
import postgres from 'postgres'
import { FrameReader } from './load.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, shown, type Row } from './table.ts'

const sockets = 5000
const blocking = sockets / 100
const pairs = 5
const text = 'Dinner is at eight, and whoever comes late washes up.'
const singly = { turns: 20, perTurn: 1 }
const bursts = { turns: 3, perTurn: 20 }

export async function fanOut({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const members = await createResidents(sql, tokenSecret, sockets)
  // Not the owner: whoever blocks that one does not see the chat.
  const author = members[1] as Resident
  const [near, far] = [await createChat(sql, members, 0), await createChat(sql, members, 0)]
  const bare = await startMeasured('bare-server.js', env)
  const [product, other] = await Promise.all([startMeasured('product-server.js', env), startMeasured('product-server.js', env)])
  const socketsOf = (server: Measured, path: string) =>
    openAll(
      members.map(({ token }) => token),
      (token) => FrameReader.open(server.port, path, token),
    )
  const frame = JSON.stringify({
    postID: 1000,
    author: { userID: author.id, username: author.username },
    text,
    timestamp: new Date().toISOString(),
  })
  const theirs = await socketsOf(bare, '/socket')
  const native = ({ turns, perTurn }: Many) =>
    delivered(bare, theirs, turns * perTurn, () => bare.order('publish', { frame, turns, perTurn }))
  const rows: Row[] = []
  const measure = async (work: string, server: Measured, readers: FrameReader[], many: Many) => {
    const send = () => server.order('posts', { fezID: near, authorID: author.id, text, ...many })
    rows.push(
      await compare(
        work,
        'deliveries per CPU second',
        pairs,
        () => delivered(server, readers, many.turns * many.perTurn, send),
        () => native(many),
      ),
    )
  }

  const ours = await socketsOf(product, `/api/v3/fez/${near}/socket`)
  await product.order('loopDelay')
  await measure(`post to ${sockets} sockets, one at a time`, product, ours, singly)
  process.stdout.write(
    `  post to ${sockets} sockets, one at a time: loop delay p99 ${shown(await product.order<number>('loopDelay'))} ms\n`,
  )
  await measure(`post to ${sockets} sockets, bursts of 20`, product, ours, bursts)
  for (const reader of ours) reader.close()

  const there = await socketsOf(other, `/api/v3/fez/${far}/socket`)
  rows.push(
    await compare(
      `post to ${sockets} sockets of another node, one at a time`,
      'deliveries per CPU second',
      pairs,
      () =>
        delivered(other, there, singly.turns, () =>
          product.order('publishedPosts', { fezID: far, authorID: author.id, text, turns: singly.turns }),
        ),
      () => delivered(bare, theirs, singly.turns, () => bare.order('publishThroughRedis', { frame, turns: singly.turns })),
    ),
  )
  for (const reader of there) reader.close()
  await Promise.all([product.stop(), other.stop()])

  await sql`insert into block (person_id, blocked_id) select id, ${author.id} from unnest(${members.slice(-blocking).map(({ id }) => id)}::uuid[]) as id`
  const fresh = await startMeasured('product-server.js', env)
  const hearing = (await socketsOf(fresh, `/api/v3/fez/${near}/socket`)).slice(0, -blocking)
  await measure(`the same on one node, one at a time, with ${blocking} members who block the author`, fresh, hearing, singly)
  await measure(`the same in bursts of 20`, fresh, hearing, bursts)
  await sql.end()
  await Promise.all([fresh.stop(), bare.stop()])
  return rows
}

/** Frames in some turns of the loop. */
interface Many {
  turns: number
  perTurn: number
}

/** Opens sockets some at a time. */
export async function openAll<Whose, Socket>(all: readonly Whose[], open: (whose: Whose) => Promise<Socket>): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let at = 0; at < all.length; at += 50) sockets.push(...(await Promise.all(all.slice(at, at + 50).map((each) => open(each)))))
  return sockets
}

/** Deliveries per second of the server's processor time, until every reader has its `frames`. */
export async function delivered(
  server: Measured,
  readers: readonly FrameReader[],
  frames: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const goal = readers.map((reader) => reader.frames + frames)
  return await perCpuSecond(server, async () => {
    await send()
    while (readers.some((reader, index) => reader.frames < (goal[index] as number))) await new Promise((resolve) => setImmediate(resolve))
    return readers.length * frames
  })
}
