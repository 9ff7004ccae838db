// DIALECT: every word for the team that leaves the server, and both words in every request, under either setting.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FormData } from 'undici'
import { seed } from '../../seeds/run.ts'
import { builtIn } from '../../src/accounts/rows.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { checkDatabase } from '../../src/operate/stores.findings.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createChat, lfg, people, refused, type Person } from '../support/fez.ts'
import { categories, content, startForum } from '../support/forum.ts'
import { expectDialect } from '../support/reply-schemas.ts'
import { onlySettings } from '../support/settings.ts'

const dialects = {
  seed: { account: 'ServiceTeam', level: 'serviceteam', notice: 'serviceTeamForumMention', action: 'accessLevelServiceTeam' },
  twitarr: { account: 'TwitarrTeam', level: 'twitarrteam', notice: 'twitarrTeamForumMention', action: 'accessLevelTwitarrTeam' },
} as const
const spellings = ['Service', 'Twitarr'] as const

for (const dialect of ['seed', 'twitarr'] as const) {
  const words = dialects[dialect]
  describe(`DIALECT=${dialect}`, () => {
    let nodes: TestNodes
    let team: Person
    let moderator: Person
    let tho: Person
    let user: Person
    before(async () => {
      expectDialect(dialect)
      nodes = await startTestNodes(2, { env: { DIALECT: dialect } })
      ;[team, moderator, tho, user] = (await people(nodes, { level: 'serviceteam' }, { level: 'moderator' }, { level: 'tho' }, {})) as [
        Person,
        Person,
        Person,
        Person,
      ]
    })
    after(async () => {
      await nodes.stop()
      expectDialect('seed')
    })

    it('the team is found by both names, and has the one', async () => {
      const isTeam = ({ userID, username }: { userID: string; username: string }) =>
        userID === builtIn.ServiceTeam && username === words.account
      for (const name of ['ServiceTeam', 'serviceteam', 'TwitarrTeam', 'TWITARRTEAM'])
        assert.ok(isTeam(await body(user.one.get(`/users/find/${name}`))), name)
      for (const text of ['service', 'twitarr', 'wita', '@twit', 'ServiceTeam', 'twitarrteam'])
        assert.ok((await body(user.two.get(`/users/match/allnames/${text}`))).some(isTeam), text)
      for (const text of ['twitarrt', 'serviceteam'])
        assert.ok((await body(user.one.get(`/users/match/username/${text}`))).includes(`@${words.account}`), text)
      assert.equal((await body(user.one.get(`/users/${builtIn.ServiceTeam}/header`))).username, words.account)
      for (const name of ['ServiceTeam', 'TwitarrTeam'])
        await refused(nodes.client().post('/user/create', { username: name, password: testPassword }), 409)
      await refused(user.one.post('/user/username', { username: 'TwitarrTeam' }), 409)
    })

    it('posts meant for the team are the team’s, by both words and in every place', async () => {
      for (const spelling of spellings) {
        const asTeam = { [`postAs${spelling}Team`]: true }
        const { forumID } = await body(
          team.one.post(`/forum/categories/${categories.general}/create`, { title: 'Team', firstPost: content('x', asTeam) }),
          201,
        )
        assert.equal((await body(team.one.get(`/forum/${forumID}`))).creator.username, words.account, spelling)
        assert.equal((await body(team.two.post(`/forum/${forumID}/create`, content('y', asTeam)), 201)).author.username, words.account)
        const twarrt = await body(team.one.post('/microblog/create', content('z', asTeam)), 201)
        assert.equal(twarrt.author.username, words.account)
        const reply = await body(team.one.post(`/microblog/${twarrt.twarrtID}/reply`, content('r', asTeam)), 201)
        assert.equal(reply.author.username, words.account)
        const form = new FormData()
        form.set('text', 'from a form')
        form.set(`postAs${spelling}Team`, 'true')
        assert.equal(
          (await body(team.one.request<{ author: { username: string } }>('POST', '/microblog/create', { form }), 201)).author.username,
          words.account,
        )
        const chat = await body(
          team.one.post('/fez/create', lfg({ fezType: 'open', initialUsers: [user.id], [`createdBy${spelling}Team`]: true })),
          201,
        )
        assert.equal(chat.owner.username, words.account)
        assert.equal((await body(team.one.post(`/fez/${chat.fezID}/post`, content('p', asTeam)), 201)).author.username, words.account)
        await refused(user.one.post('/fez/create', lfg({ [`createdBy${spelling}Team`]: true })), 400)
      }
      const both = await body(team.one.post('/microblog/create', content('z', { postAsServiceTeam: false, postAsTwitarrTeam: true })), 201)
      assert.equal(both.author.username, words.account)
      const wrong = await team.one.post('/microblog/create', content('z', { postAsTwitarrTeam: 'yes' }))
      assert.equal(wrong.status, 400)
      assert.match(wrong.body.reason, /postAsTwitarrTeam/)
    })

    it('the shared inbox opens by both words', async () => {
      const chat = await createChat(user.one, { fezType: 'closed', info: '', initialUsers: [builtIn.ServiceTeam] })
      for (const word of ['serviceteam', 'TwitarrTeam']) {
        const { fezzes } = await body(team.one.get(`/fez/joined?foruser=${word}`))
        assert.ok(
          fezzes.some(({ fezID }: { fezID: string }) => fezID === chat),
          word,
        )
        await refused(moderator.one.get(`/fez/joined?foruser=${word}`), 403)
      }
      const { moderatorData } = await body(team.one.get('/notification/user'))
      assert.equal(moderatorData.newTTSeamailMessageCount, 1)
    })

    it('a mention of either name calls the team, by the word that is set', async () => {
      const socket = await team.two.socket('/notification/socket')
      const before = (await body(team.one.get('/notification/user'))).moderatorData.newTTForumMentionCount
      for (const [index, name] of ['ServiceTeam', 'twitarrteam'].entries()) {
        const { postID } = await startForum(user.one, 'Call', { text: `hello @${name}!` })
        const frame = await socket.until(({ contentID }) => contentID === String(postID))
        assert.deepEqual(frame.type, { [words.notice]: {} })
        assert.equal((await body(team.one.get('/notification/user'))).moderatorData.newTTForumMentionCount, before + index + 1)
        await body(user.one.post('/microblog/create', content(`calling @${name}`)), 201)
      }
      for (const name of ['@TwitarrTeam', 'serviceteam']) {
        const { posts } = await body(team.one.get(`/forum/post/search?mentionname=${encodeURIComponent(name)}`))
        assert.equal(posts.length, 2, name)
        assert.equal((await body(user.one.get(`/microblog?mentions=${encodeURIComponent(name)}`))).length, 2, name)
      }
      assert.equal((await body(team.one.get('/notification/user'))).moderatorData.newTTForumMentionCount, 0)
    })

    it('levels have the word that is set, and are taken by both', async () => {
      const login = await body(
        nodes.client().request<{ accessLevel: string }>('POST', '/auth/login', { basic: [team.username, testPassword] }),
      )
      assert.equal(login.accessLevel, words.level)
      assert.equal((await body(team.one.get('/user/whoami'))).accessLevel, words.level)
      assert.equal((await body(moderator.one.get(`/mod/user/${team.id}`))).accessLevel, words.level)
      for (const word of ['serviceteam', 'twitarrteam']) {
        await refused(moderator.one.post(`/mod/user/${user.id}/setaccesslevel/${word}`), 400)
        assert.ok(
          (await body(tho.one.get(`/admin/${word}`))).some(({ userID }: { userID: string }) => userID === team.id),
          word,
        )
        const [member] = (await people(nodes, {})) as [Person]
        await body(tho.one.post(`/admin/${word}/promote/${member.id}`))
        assert.equal((await body(member.one.get('/user/whoami'))).accessLevel, words.level)
      }
      const { actions } = await body(moderator.one.get('/mod/moderationlog'))
      assert.equal(actions.filter(({ actionType }: { actionType: string }) => actionType === words.action).length, 2)
      assert.match(await refused(user.one.get('/admin/serversettings'), 403), new RegExp(`level ${words.level}`))
      await refused(user.one.get('/admin/twitarrteam'), 403)
    })

    it('settings too', async () => {
      const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
      for (const minUserAccessLevel of ['serviceteam', 'TwitarrTeam'.toLowerCase()]) {
        await body(admin.one.post('/admin/serversettings/update', { minUserAccessLevel, enableFeatures: [], disableFeatures: [] }))
        assert.equal((await body(admin.one.get('/admin/serversettings'))).minAccessUserLevel, words.level)
        assert.equal((await body(nodes.client().get('/client/settings'))).minAccessLevel, words.level)
        await refused(moderator.two.get('/fez/open'), 403)
        await body(team.two.get('/fez/open'))
      }
      await onlySettings(nodes)
    })

    it('alerts find the team by both names', async () => {
      for (const participants of ['ServiceTeam', 'twitarrteam']) {
        const alert = {
          status: 'firing',
          labels: { alertname: 'Full' },
          annotations: { participants, summary: 'The disk is full' },
          startsAt: '2026-01-01T00:00:00Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: '',
          fingerprint: 'x',
        }
        const payload = {
          version: '4',
          groupKey: '',
          truncatedAlerts: 0,
          status: 'firing',
          receiver: '',
          groupLabels: {},
          commonLabels: {},
          commonAnnotations: {},
          externalURL: '',
          alerts: [alert],
        }
        await body(nodes.client().request('POST', '/client/alert', { body: payload, basic: ['prometheus', 'password'] }))
      }
    })

    it('the API documents show the words in force, and no others', async () => {
      for (const document of ['//openapi.json', '//asyncapi.json']) {
        const text = JSON.stringify(await body(nodes.client().get(document)))
        assert.ok(text.includes(words.account === 'ServiceTeam' ? 'erviceTeam' : 'witarrTeam'), document)
        assert.equal(/twitarrteam/i.test(text), dialect === 'twitarr', document)
        assert.equal(/serviceteam/i.test(text), dialect === 'seed', document)
      }
    })

    it('anybody may search forums by their author’s id only for the apps of today', async () => {
      const { forumID } = await startForum(moderator.one, 'By the moderator')
      const path = `/forum/search?creatorid=${moderator.id}`
      if (dialect === 'seed') await refused(user.one.get(path), 403)
      else
        assert.deepEqual(
          (await body(user.one.get(path))).forumThreads.map((forum: { forumID: string }) => forum.forumID),
          [forumID],
        )
      for (const query of [`creatorid=${user.id}`, 'creatorself=true', `creator=${moderator.username}`])
        await body(user.one.get(`/forum/search?${query}`))
      await refused(user.one.get(`/forum/post/search?creatorid=${moderator.id}`), 403)
    })

    it('a user without a registration code', async () => {
      const answer = team.one.get(`/admin/regcodes/findbyuser/${user.id}`)
      if (dialect === 'seed') await refused(answer, 400)
      else assert.equal((await body(answer)).regCode, '')
    })
  })
}

describe('another DIALECT on the same database', () => {
  it('renames the account of the team, there and back', async () => {
    const nodes = await startTestNodes(1)
    try {
      const nameIn = async (DIALECT: string): Promise<string> => {
        await seed(readConfig([], { VAPOR_ENV: 'testing', DIALECT }), nodes.database.url, { loaded() {}, notice() {} })
        const [row] = await nodes.sql`select username, username_key, user_search from account where id = ${builtIn.ServiceTeam}`
        return Object.values(row ?? {}).join(' ')
      }
      assert.equal(await nameIn('twitarr'), 'TwitarrTeam serviceteam @TwitarrTeam')
      assert.equal(await nameIn('seed'), 'ServiceTeam serviceteam @ServiceTeam')
    } finally {
      await nodes.stop()
    }
  })

  it('is told to the host: by the start that renames, and by the doctor of a server that has not followed', async () => {
    const nodes = await startTestNodes(1)
    try {
      const configOf = (DIALECT: string) => readConfig([], { VAPOR_ENV: 'testing', DATABASE_URL: nodes.database.url, DIALECT })
      const found = async (DIALECT: string) =>
        (await checkDatabase(configOf(DIALECT))).findings
          .filter(({ about }) => about === 'Dialect')
          .map(({ level, text }) => `${level}: ${text}`)
      assert.deepEqual(await found('seed'), [])
      const notices: string[] = []
      await seed(configOf('twitarr'), nodes.database.url, { loaded() {}, notice: (sentence) => void notices.push(sentence) })
      assert.match(notices.join(), /now called TwitarrTeam. Restart servers that run with another DIALECT/)
      assert.deepEqual(await found('twitarr'), [])
      assert.match((await found('seed')).join(), /^warning: Servers of this database call the team TwitarrTeam, and DIALECT=seed/)
    } finally {
      await nodes.stop()
    }
  })

  it('nothing else is understood', () => {
    assert.throws(() => readConfig([], { DIALECT: 'klingon' }), /DIALECT/)
  })
})
