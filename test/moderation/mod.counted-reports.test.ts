// Reports that hide something without a moderator: whose count, and whose content they never touch. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { body, people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { streamPhoto } from '../support/photostream.ts'

let nodes: TestNodes
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0' } })
  ;[moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
})
after(() => nodes.stop())

const someone = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person

interface Content {
  threshold: number
  report: (by: Person) => Promise<Answer>
  /** A moderator lets it be seen again. */
  release: () => Promise<unknown>
  status: () => Promise<string>
}
const message = { message: 'look' }
const statusOf = async (table: string, id: string | number) => {
  const [row] = await nodes.sql<[{ status: string }]>`select moderation_status as status from ${nodes.sql(table)} where id = ${id}`
  return row.status
}

const kinds: Record<string, (owner: Person) => Promise<Content>> = {
  async 'a forum'(owner) {
    const { forumID } = await startForum(owner.one, 'A forum')
    return {
      threshold: 3,
      report: (by) => by.two.post(`/forum/${forumID}/report`, message),
      release: () => body(moderator.one.post(`/mod/forum/${forumID}/setstate/normal`)),
      status: () => statusOf('forum', forumID),
    }
  },
  async 'a post of a forum'(owner) {
    const { postID } = await startForum(owner.one, 'A forum')
    return {
      threshold: 3,
      report: (by) => by.two.post(`/forum/post/${postID}/report`, message),
      release: () => body(moderator.one.post(`/mod/forumpost/${postID}/setstate/normal`)),
      status: () => statusOf('forum_post', postID),
    }
  },
  async 'a post of the microblog'(owner) {
    const id = await write(owner.one, 'Hello')
    return {
      threshold: 3,
      report: (by) => by.two.post(`/microblog/${id}/report`, message),
      release: () => body(moderator.one.post(`/mod/microblog/${id}/setstate/normal`)),
      status: () => statusOf('microblog_post', id),
    }
  },
  async 'a photo'(owner) {
    const id = await streamPhoto(nodes, owner)
    return {
      threshold: 3,
      report: (by) => by.two.post(`/photostream/${id}/report`, message),
      release: () => body(moderator.one.post(`/mod/photostream/${id}/setstate/normal`)),
      status: () => statusOf('stream_photo', id),
    }
  },
  async 'a profile'(owner) {
    return {
      threshold: 5,
      report: (by) => by.two.post(`/users/${owner.id}/report`, message),
      release: () => body(moderator.one.post(`/mod/profile/${owner.id}/setstate/normal`)),
      status: () => statusOf('account', owner.id),
    }
  },
}

for (const [name, begin] of Object.entries(kinds))
  describe(`reports on ${name}`, () => {
    const filed = async (content: Content, count: number, options: object = {}) => {
      for (const reporter of await people(nodes, ...Array.from({ length: count }, () => options)))
        assert.equal((await content.report(reporter)).status, 201)
    }

    it('are filed by anybody, but hide it only once enough verified persons have reported it', async () => {
      const content = await begin(await someone())
      for (const level of ['unverified', 'quarantined']) await filed(content, content.threshold, { level })
      assert.equal(await content.status(), 'normal')
      await filed(content, content.threshold - 1)
      await filed(content, 1, { level: 'unverified' })
      assert.equal(await content.status(), 'normal')
      await filed(content, 1)
      assert.equal(await content.status(), 'autoQuarantined')
      const { reports } = await body(moderator.one.get('/mod/reports/queue?limit=200')).then(({ groups }) => groups.at(-1))
      assert.equal(reports.length, content.threshold * 3 + 1, 'moderators see all of them')
    })

    it('by somebody who does not count never hide again what a moderator has let be', async () => {
      const content = await begin(await someone())
      await filed(content, content.threshold)
      assert.equal(await content.status(), 'autoQuarantined')
      await content.release()
      await filed(content, 2, { level: 'unverified' })
      assert.equal(await content.status(), 'normal')
      await filed(content, content.threshold)
      assert.equal(await content.status(), 'autoQuarantined')
    })

    it('count once for all accounts of a person', async () => {
      const content = await begin(await someone())
      await filed(content, content.threshold - 2)
      const reporter = await someone()
      assert.equal((await content.report(await someone({ subAccountOf: reporter }))).status, 201)
      for (const account of [reporter, await someone({ subAccountOf: reporter })]) assert.equal((await content.report(account)).status, 409)
      assert.equal(await content.status(), 'normal')
      await filed(content, 1)
      assert.equal(await content.status(), 'autoQuarantined')
    })

    it('never hide what the team has made, with whichever account, without a moderator', async () => {
      const lead = await someone({ level: 'moderator' })
      const owners = [
        ...(await people(nodes, { level: 'moderator' }, { level: 'tho' }, { level: 'admin' })),
        await someone({ subAccountOf: lead }),
      ]
      for (const owner of owners) {
        const content = await begin(owner)
        await filed(content, content.threshold * 2)
        assert.equal(await content.status(), 'normal')
      }
    })
  })
