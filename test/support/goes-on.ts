// That a place with several nodes and a worker goes on, whatever has become of what they meet in.
import { body, createSeamail, people, say, type Person } from './fez.ts'
import { postIn, startForum } from './forum.ts'
import { until } from './until.ts'
import type { TestNodes } from './app.ts'

/** Resolves with what says that posts and jobs reach everybody, whichever node they are of. */
export async function whatGoesOn(nodes: TestNodes): Promise<(text: string) => Promise<void>> {
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(ann.one, [bob])
  const socket = await bob.two.socket(`/fez/${chat}/socket`)
  await body(bob.two.post('/user/alertwords/add/lighthouse'))
  const notices = await bob.two.socket('/notification/socket')
  const { forumID } = await startForum(ann.one, 'Light')
  const isReady = async () => {
    const states = await Promise.all(
      nodes.urls.map(async (url) => ((await (await fetch(`${url}/health/ready`)).json()) as { status: string }).status),
    )
    return states.every((state) => state === 'ready')
  }
  let told = 0
  return async (text) => {
    await until(isReady, 'both are ready', 30_000)
    await say(ann.one, chat, text)
    await socket.count(++told)
    const heard = notices.frames.length
    await postIn(ann.one, forumID, `the lighthouse: ${text}`)
    await until(() => notices.frames.length > heard, 'the job was done, and told', 60_000)
  }
}
