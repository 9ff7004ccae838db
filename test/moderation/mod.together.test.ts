// Two of the team at the same thing: the second learns of the first before theirs is written. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { body, createChat, lfg, people, refused, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let anna: Person
let ben: Person
let host: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[anna, ben, host] = (await people(nodes, { level: 'moderator' }, { level: 'moderator' }, { level: 'admin' })) as [Person, Person, Person]
})
after(() => nodes.stop())

interface Group {
  type: string
  reportedID: string
  version: string
  state: string
  excerpt?: string
  image?: string
  place?: { kind: string; title: string }
  moderationStatus?: string
  isDeleted: boolean
  lastAct?: { action: string; moderator: { userID: string } }
  reports: { id: string; isClosed: boolean; handledBy?: { userID: string } }[]
}

const queue = async (query = '', who: Person = anna): Promise<Group[]> =>
  (await body(who.one.get(`/mod/reports/queue?limit=200${query}`))).groups
const groupOf = async (id: string | number, query = '', who: Person = anna): Promise<Group> => {
  const group = (await queue(query, who)).find(({ reportedID }) => reportedID === String(id))
  assert.ok(group, `${id} is in the queue`)
  return group
}
const toldThat = async (answer: Promise<Answer>, words: RegExp) => {
  const { status, body: said } = await answer
  assert.deepEqual([status, said.code], [409, 'changed_meanwhile'])
  assert.match(said.reason, words)
}

/** A post in the microblog that one person, or more, has reported. */
async function reportedPost(text: string, reporters = 1): Promise<number> {
  const [author, ...others] = (await people(nodes, {}, ...Array.from({ length: reporters }, () => ({})))) as [Person, ...Person[]]
  const id = await write(author.one, text)
  for (const each of others) await body(each.two.post(`/microblog/${id}/report`, { message: 'Look' }), 201)
  return id
}

test('POST /mod/reports/…/closeall: whoever comes second is told who was faster, and nothing of theirs is written', async () => {
  const id = await reportedPost('Rude')
  const seen = await groupOf(id)
  const report = seen.reports[0]!.id
  await body(ben.two.post(`/mod/reports/${report}/closeall?basedOn=${(await groupOf(id, '', ben)).version}`))
  const audited = async () => (await nodes.sql`select count(*)::int as n from audit where subject_id = ${String(id)}`)[0]?.['n'] as number
  assert.equal(await audited(), 1)
  for (const action of ['closeall', 'handleall'])
    await toldThat(anna.one.post(`/mod/reports/${report}/${action}?basedOn=${seen.version}`), new RegExp(`${ben.username} has closed`))
  await toldThat(
    anna.one.post(`/mod/microblog/${id}/setstate/quarantined?basedOn=${seen.version}`),
    new RegExp(`${ben.username} has closed`),
  )
  assert.equal((await body(anna.one.get(`/mod/microblog/${id}`))).moderationStatus, 'normal')
  assert.equal(await audited(), 1)
  // The apps of today say nothing of what they have seen: what the reference says holds for them.
  await body(anna.one.post(`/mod/reports/${report}/closeall`))
  await body(anna.one.post(`/mod/microblog/${id}/setstate/locked`))
  // Closed: who did it, and what it is by now.
  const closed = await groupOf(id, '&state=closed')
  assert.deepEqual([closed.lastAct?.action, closed.lastAct?.moderator.userID, closed.moderationStatus], ['setState', anna.id, 'locked'])
  const { acts } = await body(ben.one.get(`/mod/microblog/${id}`))
  assert.deepEqual(
    acts.map(({ action, state, moderator }: { action: string; state?: string; moderator: { userID: string } }) => [
      action,
      state,
      moderator.userID,
    ]),
    [
      ['setState', 'locked', anna.id],
      ['closeReports', undefined, anna.id],
      ['closeReports', undefined, ben.id],
    ],
  )
})

test('reports on a private event are about one thing, by whichever address they come', async () => {
  const [owner, ...guests] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const id = await createChat(owner.one, { fezType: 'privateEvent', initialUsers: guests.map((guest) => guest.id) })
  await body(guests[0].one.post(`/personalevents/${id}/report`, { message: 'Rude' }), 201)
  const { version, reports } = await groupOf(id)
  await body(guests[1].one.post(`/fez/${id}/report`, { message: 'Rude' }), 201)
  await toldThat(anna.one.post(`/mod/reports/${reports[0]!.id}/closeall?basedOn=${version}`), /new report/)
})

test('of what was done to something the newest twenty are shown', async () => {
  const id = await reportedPost('Back and forth')
  for (let times = 0; times < 12; times++)
    for (const state of ['locked', 'normal']) await body(anna.one.post(`/mod/microblog/${id}/setstate/${state}`))
  const { acts } = await body(ben.one.get(`/mod/microblog/${id}`))
  assert.deepEqual(
    acts.map(({ state }: { state: string }) => state),
    Array.from({ length: 10 }, () => ['normal', 'locked']).flat(),
  )
  await body(ben.one.post(`/mod/reports/${(await groupOf(id)).reports[0]!.id}/closeall`))
})

test("one's own actions are no news; a new report is, to whoever closes, and not to whoever hides", async () => {
  const id = await reportedPost('Rude as well')
  const { version, reports } = await groupOf(id)
  const report = reports[0]!.id
  await body(anna.one.post(`/mod/reports/${report}/handleall?basedOn=${version}`))
  await body(anna.two.post(`/mod/microblog/${id}/setstate/quarantined?basedOn=${version}`))
  const [late] = (await people(nodes, {})) as [Person]
  await body(anna.one.post(`/mod/microblog/${id}/setstate/normal?basedOn=${version}`))
  await body(late.one.post(`/microblog/${id}/report`, { message: 'Me too' }), 201)
  await body(anna.one.post(`/mod/microblog/${id}/setstate/quarantined?basedOn=${version}`))
  await toldThat(anna.one.post(`/mod/reports/${report}/closeall?basedOn=${version}`), /a new report/)
  const next = await groupOf(id)
  assert.equal(next.state, 'open')
  await body(anna.one.post(`/mod/reports/${report}/closeall?basedOn=${next.version}`))
  await refused(anna.one.post(`/mod/reports/${report}/closeall?basedOn=nonsense`), 400)
})

test('of many who take or close at once, with what all have seen, exactly one does', async () => {
  for (const action of ['handleall', 'closeall']) {
    const id = await reportedPost(`All at once: ${action}`, 3)
    const { version, reports } = await groupOf(id)
    const tries = await Promise.all(
      [anna, ben, host].flatMap((who) =>
        who.clients.map((client) => client.post(`/mod/reports/${reports[0]!.id}/${action}?basedOn=${version}`)),
      ),
    )
    const by = [anna, ben, host].map((_, index) => tries.slice(index * 2, index * 2 + 2).map(({ status }) => status))
    assert.equal(by.filter((statuses) => statuses.includes(200)).length, 1, JSON.stringify(by))
    assert.ok(tries.every(({ status }) => status === 200 || status === 409))
  }
})

test('POST /mod/…/setstate: of every kind of content, another state that somebody has set in between is told', async () => {
  const [owner, reporter] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createChat(owner.one)
  const postID = await say(owner.one, chat, 'Words')
  const { forumID } = await startForum(owner.one, 'A forum')
  const { posts } = await body(owner.one.get(`/forum/${forumID}`))
  const twarrt = await write(owner.one, 'A post')
  for (const path of [
    `/mod/fez/${chat}`,
    `/mod/fezpost/${postID}`,
    `/mod/forum/${forumID}`,
    `/mod/forumpost/${posts[0].postID}`,
    `/mod/microblog/${twarrt}`,
    `/mod/profile/${reporter.id}`,
  ]) {
    const { version } = await body(anna.one.get(path))
    await body(ben.two.post(`${path}/setstate/reviewed?basedOn=${(await body(ben.one.get(path))).version}`))
    await toldThat(
      anna.one.post(`${path}/setstate/quarantined?basedOn=${version}`),
      new RegExp(`${ben.username} has set the state to modReviewed`),
    )
    const now = await body(anna.two.get(path))
    assert.equal(now.moderationStatus, 'modReviewed', path)
    await body(anna.two.post(`${path}/setstate/locked?basedOn=${now.version}`))
  }
})

test('GET /mod/reports/queue: says what each thing is and where it stands; by kind, by whose it is, in three orders', async () => {
  const [owner, member, reporter] = (await people(nodes, { displayName: 'Rudi' }, {}, {})) as [Person, Person, Person]
  const report = (path: string, by = reporter) => body(by.one.post(path, { message: '' }), 201)
  const group = await body(owner.one.post('/fez/create', lfg({ title: 'Chess at nine', info: 'Bring a board' })), 201)
  const groupPost = await say(owner.one, group.fezID, 'Knights are horses')
  const { forumID } = await startForum(owner.one, 'Lost and found')
  const { posts } = await body(owner.one.get(`/forum/${forumID}`))
  const twarrt = await write(owner.one, 'x'.repeat(600))
  await report(`/fez/${group.fezID}/report`)
  await report(`/fez/post/${groupPost}/report`)
  await report(`/forum/${forumID}/report`)
  await report(`/forum/post/${posts[0].postID}/report`)
  await report(`/microblog/${twarrt}/report`)
  await report(`/microblog/${twarrt}/report`, member)
  await report(`/users/${owner.id}/report`)
  const shown = async (id: string | number) => {
    const { excerpt, place, moderationStatus, isDeleted } = await groupOf(id)
    return [excerpt, place, moderationStatus, isDeleted]
  }
  assert.deepEqual(await shown(group.fezID), ['Chess at nine\nBring a board', { kind: 'lfg', title: 'Chess at nine' }, 'normal', false])
  assert.deepEqual(await shown(groupPost), ['Knights are horses', { kind: 'lfg', title: 'Chess at nine' }, 'normal', false])
  assert.deepEqual(await shown(forumID), ['Lost and found', undefined, 'normal', false])
  const [, forum] = await shown(posts[0].postID)
  assert.deepEqual(forum, { kind: 'forum', title: 'Lost and found' })
  assert.equal((await groupOf(twarrt)).excerpt?.length, 240)
  assert.equal((await groupOf(owner.id)).excerpt, 'Rudi')

  // Filters.
  assert.deepEqual(new Set((await queue('&type=fezPost')).map(({ type }) => type)), new Set(['fezPost']))
  await refused(anna.one.get('/mod/reports/queue?type=nonsense'), 400)
  // In pages: none is left out, and none comes twice.
  const page = async (start: number): Promise<Group[]> =>
    (await body(anna.one.get(`/mod/reports/queue?state=open&limit=2&start=${start}`))).groups
  const pages = [await page(0), await page(2), await page(4)]
  assert.deepEqual(
    pages.map(({ length }) => length),
    [2, 2, 2],
  )
  assert.equal(new Set(pages.flat().map(({ reportedID }) => reportedID)).size, 6)
  await body(ben.one.post(`/mod/reports/${(await groupOf(groupPost)).reports[0]!.id}/handleall`))
  assert.deepEqual(
    (await queue('&mine=true', ben)).filter(({ reportedID }) => reportedID === String(groupPost)).map(({ type }) => type),
    ['fezPost'],
  )
  assert.ok((await queue('&mine=true')).every(({ reports }) => reports.some(({ handledBy }) => handledBy?.userID === anna.id)))
  const { paginator, groups } = await body(anna.one.get('/mod/reports/queue?type=userProfile&limit=1'))
  assert.deepEqual([groups.length, paginator.total], [1, (await queue('&type=userProfile')).length])

  // Orders.
  const counts = (await queue('&sort=reports')).map(({ reports }) => reports.length)
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  )
  const [newest] = await queue('&sort=newest')
  assert.equal(newest?.reportedID, owner.id)
  // A deleted one says so.
  await body(owner.one.post(`/microblog/${twarrt}/delete`), 204)
  await until(async () => (await groupOf(twarrt)).isDeleted, 'the queue says that it is deleted')
})

test('what hosts change: whoever comes second is told, and what the first wrote stays', async () => {
  const [other] = (await people(nodes, { level: 'admin' })) as [Person]
  const inADay = new Date(Date.now() + 24 * 60 * 60_000).toISOString()

  // Announcements.
  await body(host.one.post('/notification/announcement/create', { text: 'Boat drill at four', displayUntil: inADay }), 201)
  const [announcement] = await body(host.one.get('/notification/announcements?inactives=true'))
  const edit = (who: Person, text: string, basedOn?: string) =>
    who.one.post(`/notification/announcement/${announcement.id}/edit`, { text, displayUntil: inADay, ...(basedOn && { basedOn }) })
  const edited = await body(edit(other, 'Boat drill at five', announcement.updatedAt))
  assert.notEqual(edited.updatedAt, announcement.updatedAt)
  await toldThat(edit(host, 'Boat drill at six', announcement.updatedAt), /this announcement/)
  await toldThat(host.one.delete(`/notification/announcement/${announcement.id}?basedOn=${announcement.updatedAt}`), /this announcement/)
  await body(other.one.delete(`/notification/announcement/${announcement.id}?basedOn=${edited.updatedAt}`), 204)
  // Taken back in between: an edit would show it again.
  await toldThat(edit(host, 'Boat drill at seven', edited.updatedAt), /this announcement/)
  assert.equal((await body(host.one.get(`/notification/announcement/${announcement.id}`))).text, 'Boat drill at five')
  await body(edit(host, 'As the apps of today'))

  // Themes.
  const themes = () => body(host.one.get('/notification/dailythemes'))
  await body(host.one.post('/admin/dailytheme/create', { title: 'Pirates', info: 'Arr', cruiseDay: 3 }), 201)
  const [theme] = await themes()
  const change = (who: Person, title: string, basedOn?: string) =>
    who.one.post(`/admin/dailytheme/${theme.themeID}/edit`, { title, info: 'Arr', cruiseDay: 3, ...(basedOn && { basedOn }) })
  await body(change(other, 'Ninjas', theme.updatedAt), 201)
  await toldThat(change(host, 'Robots', theme.updatedAt), /this theme/)
  await toldThat(host.one.delete(`/admin/dailytheme/${theme.themeID}?basedOn=${theme.updatedAt}`), /this theme/)
  assert.deepEqual(
    (await themes()).map(({ title }: { title: string }) => title),
    ['Ninjas'],
  )

  // Letters.
  const letter = await body(anna.one.post('/mod/templates', { title: 'A warning', content: 'Please' }), 201)
  const save = (who: Person, basedOn: string) =>
    who.one.post(`/mod/templates/${letter.templateID}`, { title: 'A warning', content: who.id, basedOn })
  await body(save(ben, letter.changedAt))
  await toldThat(save(anna, letter.changedAt), /this letter/)
  await toldThat(anna.one.delete(`/mod/templates/${letter.templateID}?basedOn=${letter.changedAt}`), /this letter/)
  const [kept] = await body(anna.one.get('/mod/templates'))
  assert.equal(kept.content, ben.id)

  // Settings.
  const set = (who: Person, maxForumPostImages: number, value: string) =>
    who.one.post('/admin/serversettings/update', {
      maxForumPostImages,
      enableFeatures: [],
      disableFeatures: [],
      basedOn: [{ name: 'maxForumPostImages', value }],
    })
  const stateOf = async (name: string) =>
    ((await body(host.two.get('/admin/settings'))) as { name: string; value: string }[]).find((each) => each.name === name)?.value as string
  const before = await stateOf('maxForumPostImages')
  await body(set(other, 5, before))
  await toldThat(set(host, 6, before), /maxForumPostImages/)
  await toldThat(host.one.post(`/admin/settings/maxForumPostImages/reset?basedOn=${before}`), /maxForumPostImages/)
  assert.equal(await stateOf('maxForumPostImages'), '5')
  await body(host.one.post('/admin/settings/maxForumPostImages/reset?basedOn=5'))
  await refused(
    host.one.post('/admin/serversettings/update', { enableFeatures: [], disableFeatures: [], basedOn: [{ name: 'nonsense', value: '1' }] }),
    400,
  )

  // The event.
  const { trip } = await body(host.one.get('/admin/event'))
  const rename = (who: Person, eventName: string) => who.one.post('/admin/event/trip', { ...trip, eventName, basedOn: trip })
  await body(rename(other, 'Sea days'))
  await toldThat(rename(host, 'Sea weeks'), /the event/)
  assert.equal((await body(host.one.get('/admin/event'))).trip.eventName, 'Sea days')

  // Slow mode.
  const { forumID } = await startForum(other.one, 'Fast')
  await body(anna.one.post(`/mod/forum/${forumID}/slowmode?basedOn=0`, { seconds: 30 }))
  await toldThat(ben.one.post(`/mod/forum/${forumID}/slowmode?basedOn=0`, { seconds: 60 }), /slow mode/)
  await body(anna.one.post('/mod/microblog/slowmode?basedOn=0', { seconds: 30 }))
  await toldThat(ben.one.post('/mod/microblog/slowmode?basedOn=0', { seconds: 60 }), /slow mode/)
  await body(ben.one.post('/mod/microblog/slowmode?basedOn=30', { seconds: 0 }))
})

test('levels, pauses and bans: whoever comes second is told', async () => {
  const [other, user] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
  const levelOf = async () => (await body(host.one.get(`/admin/users/${user.id}`))).accessLevel
  await body(other.one.post(`/admin/moderator/promote/${user.id}?basedOn=verified`))
  await toldThat(host.one.post(`/admin/serviceteam/promote/${user.id}?basedOn=verified`), /the level/)
  await toldThat(host.one.post(`/admin/user/demote/${user.id}?basedOn=serviceteam`), /the level/)
  assert.equal(await levelOf(), 'moderator')
  await body(host.one.post(`/admin/user/demote/${user.id}?basedOn=moderator`))
  await body(anna.one.post(`/mod/user/${user.id}/tempquarantine/6?basedOn=none`))
  await toldThat(ben.one.post(`/mod/user/${user.id}/tempquarantine/1?basedOn=none`), /the pause/)
  await body(other.one.post(`/mod/user/${user.id}/ban`, { reason: 'First', basedOn: null }))
  await toldThat(host.one.post(`/mod/user/${user.id}/ban`, { reason: 'Second', basedOn: null }), /the ban/)
  const { ban } = await body(anna.one.get(`/mod/user/${user.id}/record`))
  assert.equal(ban.reason, 'First')
  await body(host.one.post(`/mod/user/${user.id}/ban`, { reason: 'Longer', basedOn: ban.createdAt }))
  await toldThat(host.one.post(`/mod/user/${user.id}/setaccesslevel/verified?basedOn=verified`), /the level/)
  assert.equal(await levelOf(), 'banned')
})

test('GET /admin/reach: counts people by level, and who is here', async () => {
  const before = await body(host.one.get('/admin/reach'))
  const [team] = (await people(nodes, { level: 'serviceteam' }, {}, {})) as [Person]
  const after = await body(team.one.get('/admin/reach'))
  assert.equal(after.people, before.people + 3)
  const of = (level: string, from: typeof after) => from.levels.find((each: { level: string }) => each.level === level)?.accounts ?? 0
  assert.equal(of('verified', after), of('verified', before) + 2)
  const [user] = (await people(nodes, {})) as [Person]
  await refused(user.one.get('/admin/reach'), 403)
})
