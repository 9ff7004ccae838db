// /admin/serversettings: settings that are changed while the servers run. Two nodes on one database.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startApp } from '../../src/app.ts'
import { projectRoot } from '../../src/core/base/config.ts'
import { serviceFeatures } from '../../src/settings/features.ts'
import { serviceClientApps } from '../../src/settings/values.ts'
import { createAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Client, type Answer } from '../support/client.ts'
import { body, createChat, people, refused, type Person } from '../support/fez.ts'
import { content, startForum } from '../support/forum.ts'
import { onlySettings } from '../support/settings.ts'

let nodes: TestNodes
let admin: Person
let tho: Person
let team: Person
let user: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[admin, tho, team, user] = (await people(nodes, { level: 'admin' }, { level: 'tho' }, { level: 'serviceteam' }, {})) as [
    Person,
    Person,
    Person,
    Person,
  ]
  // They keep their rights whatever the setting says.
  for (const { id } of [admin, tho, team])
    await nodes.sql`insert into second_factor (account_id, secret, confirmed_at) values (${id}, '', now())`
})
after(() => nodes.stop())
beforeEach(async () => {
  await onlySettings(nodes)
})

const mebibyte = 1_048_576
const defaults = {
  minAccessUserLevel: 'banned',
  enablePreregistration: false,
  verifiedReading: false,
  moderatorsMayStop: false,
  maxAlternateAccounts: 6,
  maximumTwarrts: 200,
  maximumForums: 200,
  maximumForumPosts: 200,
  maxImageSize: 20 * mebibyte,
  maxForumPostImages: 4,
  maxPersonMegabytes: 1000,
  maxStoredMegabytes: 0,
  minFreeDiskMegabytes: 1000,
  forumAutoQuarantineThreshold: 3,
  postAutoQuarantineThreshold: 3,
  userAutoQuarantineThreshold: 5,
  allowAnimatedImages: true,
  disabledFeatures: [],
  scheduleUpdateURL: '',
  upcomingEventNotificationSeconds: 600,
  upcomingEventNotificationSetting: 'cruiseWeek',
  upcomingLFGNotificationSetting: 'current',
  enableSiteNotificationDataCaching: true,
  pushTexts: false,
  microblogSlowSeconds: 0,
  photostreamUploadRateLimit: 300,
  allowAccountDeletion: false,
  strictPasswords: false,
  newPasswordSignsOutApps: false,
  teamSecondFactor: false,
  browserSessionDays: 90,
}
const everything = {
  minUserAccessLevel: 'moderator',
  enablePreregistration: true,
  verifiedReading: true,
  moderatorsMayStop: true,
  maxAlternateAccounts: 0,
  maximumTwarrts: 1000,
  maximumForums: 1,
  maximumForumPosts: 7,
  maxImageSize: 1000 * mebibyte,
  maxForumPostImages: 8,
  maxPersonMegabytes: 0,
  maxStoredMegabytes: 100_000_000,
  minFreeDiskMegabytes: 1,
  forumAutoQuarantineThreshold: 1000,
  postAutoQuarantineThreshold: 1,
  userAutoQuarantineThreshold: 2,
  allowAnimatedImages: false,
  shipWifiSSID: 'Ship 🚢',
  scheduleUpdateURL: 'https://example.org/all.ics',
  upcomingEventNotificationSeconds: 0,
  upcomingEventNotificationSetting: 'disabled',
  upcomingLFGNotificationSetting: 'cruiseWeek',
  enableSiteNotificationDataCaching: false,
  pushTexts: true,
  microblogSlowSeconds: 3600,
  photostreamUploadRateLimit: 60,
  allowAccountDeletion: true,
  strictPasswords: true,
  newPasswordSignsOutApps: true,
  teamSecondFactor: true,
  browserSessionDays: 400,
}
const pair = (app: string, feature: string) => ({ app, feature })
const read = (client: Client) => body(client.get('/admin/serversettings'))
const update = (client: Client, change: object): Promise<Answer> =>
  client.post('/admin/serversettings/update', { enableFeatures: [], disableFeatures: [], ...change })
const disable = (...pairs: object[]) => body(update(admin.one, { disableFeatures: pairs }))
const enable = (...pairs: object[]) => body(update(admin.two, { enableFeatures: pairs }))
const pairsOf = async (client: Client): Promise<string[]> =>
  (await read(client)).disabledFeatures.map(({ app, feature }: { app: string; feature: string }) => `${app}/${feature}`).toSorted()

describe('GET /admin/serversettings', () => {
  it('shows every setting, to the service team and above', async () => {
    for (const { clients } of [team, tho, admin]) for (const client of clients) assert.deepEqual(await read(client), defaults)
    const [moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
    for (const [client, status] of [
      [nodes.client(), 401],
      [user.one, 403],
      [moderator.one, 403],
    ] as const)
      await refused(client.get('/admin/serversettings'), status)
  })
})

describe('GET /admin/settings, POST /admin/settings/:setting_name/reset', () => {
  const state = async (name: string, client = team.two) =>
    (await body(client.get('/admin/settings'))).find((each: { name: string }) => each.name === name)

  it('says the default of each, its range, and who changed it last', async () => {
    await body(update(admin.one, { maxForumPostImages: 5, shipWifiSSID: 'Ship' }))
    const [other] = (await people(nodes, { level: 'admin' })) as [Person]
    await body(update(other.two, { shipWifiSSID: 'Ship 2' }))
    const images = await state('maxForumPostImages')
    assert.deepEqual([images.value, images.defaultValue, images.lowest, images.highest], ['5', '4', 0, 8])
    assert.equal(images.changedBy.userID, admin.id)
    assert.ok(Math.abs(Date.now() - Date.parse(images.changedAt)) < 60_000)
    const name = await state('shipWifiSSID')
    assert.deepEqual([name.value, name.defaultValue, name.lowest, name.changedBy.userID], ['"Ship 2"', '""', undefined, other.id])
    // Those of the event and of its backups, which no app knows.
    const setElsewhere = [
      'eventName',
      'tripStartDate',
      'tripLengthInDays',
      'nightlyBackups',
      'nightlyBackupHour',
      'nightlyBackupsKept',
      'retention',
    ]
    const all = await body(team.one.get('/admin/settings'))
    assert.deepEqual(
      all.map((each: { name: string }) => each.name).toSorted(),
      [...Object.keys(defaults), ...setElsewhere, 'shipWifiSSID'].toSorted(),
      'every setting is there',
    )
    for (const person of [user]) await refused(person.one.get('/admin/settings'), 403)
  })

  it('puts one back, on both nodes, and leaves the others', async () => {
    await body(update(admin.one, { maxForumPostImages: 5, maximumForums: 7 }))
    await disable(pair('all', 'karaoke'))
    await refused(tho.one.post('/admin/settings/maxForumPostImages/reset'), 403)
    await body(admin.one.post('/admin/settings/maxForumPostImages/reset'))
    await body(admin.one.post('/admin/settings/disabledFeatures/reset'))
    for (const client of [team.one, team.two]) {
      const { maxForumPostImages, maximumForums, disabledFeatures } = await read(client)
      assert.deepEqual([maxForumPostImages, maximumForums, disabledFeatures], [4, 7, []])
    }
    assert.equal((await state('maxForumPostImages')).changedBy.userID, admin.id)
    await refused(admin.one.post('/admin/settings/nothing/reset'), 400)
  })

  it('loses nothing when features are reset and switched off at the same time', async () => {
    await disable(pair('all', 'karaoke'))
    await Promise.all([
      body(admin.one.post('/admin/settings/disabledFeatures/reset')),
      disable(pair('all', 'hunts')),
      body(update(admin.two, { disableFeatures: [pair('all', 'phone')] })),
    ])
    await disable(pair('all', 'seamail'))
    const [one, two] = [await read(team.one), await read(team.two)]
    assert.deepEqual(one, two)
    assert.ok(one.disabledFeatures.some(({ feature }: { feature: string }) => feature === 'seamail'))
  })
})

describe('POST /admin/serversettings/update', () => {
  it('changes everything that is given, on all nodes before it answers', async () => {
    const { minUserAccessLevel, ...others } = everything
    assert.equal(await body(update(admin.two, everything)), undefined)
    for (const client of team.clients)
      assert.deepEqual(await read(client), { ...defaults, ...others, minAccessUserLevel: minUserAccessLevel })
  })

  it('leaves alone what is absent', async () => {
    let expected: object = defaults
    for (const [key, value] of Object.entries(everything)) {
      await body(update(admin.one, { [key]: value, [`${key}x`]: 1, disabledFeatures: [pair('all', 'forums')] }))
      expected = { ...expected, [key === 'minUserAccessLevel' ? 'minAccessUserLevel' : key]: value }
      assert.deepEqual(await read(team.two), expected, key)
    }
    await body(update(admin.one, { shipWifiSSID: '', scheduleUpdateURL: '', minUserAccessLevel: 'Banned', maxAlternateAccounts: null }))
    const { shipWifiSSID: _ssid, ...rest } = expected as typeof everything
    assert.deepEqual(await read(team.two), { ...rest, scheduleUpdateURL: '', minAccessUserLevel: 'banned' })
  })

  it('keeps settings for a server that is started later', async () => {
    await body(update(admin.one, { ...everything, disableFeatures: [pair('kraken', 'phone')] }))
    const expected = await read(team.one)
    const { node } = nodes.apps[0]!
    const later = await startApp({
      config: node.config,
      databaseUrl: nodes.database.url,
      redisUrl: process.env['TEST_REDIS_URL'] ?? '',
      redisPrefix: 'another',
      source: 'later',
      log: node.log,
    })
    try {
      assert.deepEqual(await read(new Client(`http://127.0.0.1:${later.port}`, team.token)), expected)
    } finally {
      await later.stop(0)
    }
  })

  it('refuses numbers out of range all at once, with their fields, and changes nothing', async () => {
    const ranges = {
      maxAlternateAccounts: [0, 40],
      maximumTwarrts: [1, 1000],
      maximumForums: [1, 1000],
      maximumForumPosts: [1, 1000],
      maxImageSize: [mebibyte, 1000 * mebibyte],
      maxForumPostImages: [0, 8],
      forumAutoQuarantineThreshold: [1, 1000],
      postAutoQuarantineThreshold: [1, 1000],
      userAutoQuarantineThreshold: [1, 1000],
      upcomingEventNotificationSeconds: [0, 1800],
    } as const
    const each = (value: (min: number, max: number) => number) =>
      Object.fromEntries(Object.entries(ranges).map(([key, [min, max]]) => [key, value(min, max)]))
    for (const wrong of [each((min) => min - 1), each((_min, max) => max + 1)]) {
      const { fieldErrors, reason } = await body(
        update(admin.one, { ...wrong, shipWifiSSID: 'not this', disableFeatures: [pair('all', 'all')] }),
        400,
      )
      assert.deepEqual(Object.keys(fieldErrors).toSorted(), Object.keys(ranges).toSorted())
      assert.equal(reason.split('; ').length, Object.keys(ranges).length)
    }
    assert.deepEqual(await read(team.one), defaults)
    for (const right of [each((min) => min), each((_min, max) => max)]) {
      await body(update(admin.one, right))
      assert.deepEqual(await read(team.two), { ...defaults, ...right })
    }
  })

  it('refuses wrong shapes: both lists are needed, words are from closed lists', async () => {
    for (const wrong of [
      {},
      { enableFeatures: [] },
      { disableFeatures: [] },
      { enableFeatures: [{ app: 'all' }], disableFeatures: [] },
      { enableFeatures: 'all', disableFeatures: [] },
    ]) {
      const answer = await body(admin.one.post('/admin/serversettings/update', wrong), 400)
      assert.ok(!answer.fieldErrors)
    }
    for (const wrong of [
      { minUserAccessLevel: 'nonsense' },
      { minUserAccessLevel: 'verified' },
      { upcomingEventNotificationSetting: 'Current' },
      { maximumTwarrts: 1.5 },
      { maximumTwarrts: '5' },
      { allowAnimatedImages: 1 },
      { shipWifiSSID: 1 },
      { maximumTwarrts: 3e9 },
    ])
      await refused(update(admin.one, wrong), 400)
    await refused(admin.one.post('/admin/serversettings/update'), 422)
    assert.deepEqual(await read(team.one), defaults)
  })

  it('is for admins', async () => {
    for (const [client, status] of [
      [nodes.client(), 401],
      [user.one, 403],
      [team.one, 403],
      [tho.two, 403],
    ] as const)
      await refused(update(client, { maximumTwarrts: 5 }), status)
    assert.deepEqual(await read(team.one), defaults)
  })

  it('leaves an entry in the audit trail, with what was before; none when nothing changes', async () => {
    await nodes.sql`delete from audit`
    await body(update(admin.one, { maximumTwarrts: 5, maximumForums: 200, disableFeatures: [pair('all', 'phone')] }))
    await body(update(admin.one, { maximumTwarrts: 5, enableFeatures: [pair('all', 'karaoke')] }))
    const [entry, ...more] = await nodes.sql`select actor_id, action, subject_type, user_id, details from audit`
    assert.deepEqual(more, [])
    const disabled = [{ appName: 'all', featureName: 'phone' }]
    assert.deepEqual(entry, {
      actorId: admin.id,
      action: 'updateSettings',
      subjectType: 'settings',
      userId: null,
      details: { from: { maximumTwarrts: 200, disabledFeatures: [] }, to: { maximumTwarrts: 5, disabledFeatures: disabled } },
    })
  })
})

describe('settings take effect at once, on all nodes', () => {
  it('maxAlternateAccounts', async () => {
    const [someone] = (await people(nodes, {})) as [Person]
    const add = (name: string) => someone.two.post('/user/add', { username: `${name}-${someone.id.slice(0, 8)}`, password: 'password' })
    await body(update(admin.one, { maxAlternateAccounts: 1 }))
    await body(add('one'), 201)
    await refused(add('two'), 400)
    await body(update(admin.one, { maxAlternateAccounts: 2 }))
    await body(add('two'), 201)
  })

  it('maximumTwarrts', async () => {
    for (let i = 0; i < 3; i++) await createChat(user.one)
    await body(update(admin.one, { maximumTwarrts: 2 }))
    const { paginator, fezzes } = await body(user.two.get('/fez/owner?limit=50'))
    assert.deepEqual([paginator.limit, fezzes.length], [2, 2])
  })

  it('userAutoQuarantineThreshold', async () => {
    const [reported] = (await people(nodes, {})) as [Person]
    await body(update(admin.one, { userAutoQuarantineThreshold: 1 }))
    await body(user.two.post(`/users/${reported.id}/report`, { message: '' }), 201)
    assert.match((await body(user.one.get(`/users/${reported.id}/profile`))).message, /review/)
  })

  it('forumAutoQuarantineThreshold and postAutoQuarantineThreshold', async () => {
    const [author, a, b] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const { forumID, postID } = await startForum(author.one, 'Reported')
    const { twarrtID } = await body(author.one.post('/microblog/create', content('reported')), 201)
    const seen = async (client: Client) =>
      [
        (await body(client.get(`/forum/${forumID}?start=0`))).title,
        (await body(client.get(`/forum/post/${postID}`))).text,
        (await body(client.get(`/microblog/${twarrtID}`))).text,
      ].map((text: string) => /review/.test(text))
    const report = async (reporter: Person) => {
      for (const path of [`/forum/${forumID}`, `/forum/post/${postID}`, `/microblog/${twarrtID}`])
        await body(reporter.two.post(`${path}/report`, { message: '' }), 201)
    }
    await body(update(admin.one, { forumAutoQuarantineThreshold: 1, postAutoQuarantineThreshold: 2 }))
    await report(a)
    assert.deepEqual(await seen(author.one), [true, false, false])
    await report(b)
    assert.deepEqual(await seen(author.two), [true, true, true])
  })

  it('maximumForums, maximumForumPosts and maxForumPostImages', async () => {
    const { forumID } = await startForum(user.one, 'Limits')
    await body(update(admin.one, { maximumForums: 3, maximumForumPosts: 4, maxForumPostImages: 0 }))
    for (const client of user.clients) {
      assert.equal((await body(client.get('/forum/owner?limit=50'))).paginator.limit, 3)
      assert.equal((await body(client.get(`/forum/${forumID}?limit=50`))).paginator.limit, 4)
      await refused(
        client.post(`/forum/${forumID}/create`, content('x', { images: [{ filename: '00000000-0000-4000-8000-000000000000.jpg' }] })),
        400,
      )
    }
    await body(update(admin.two, { maximumForums: 200, maximumForumPosts: 200, maxForumPostImages: 4 }))
    for (const client of user.clients) assert.equal((await body(client.get('/forum/owner?limit=50'))).paginator.limit, 50)
  })

  it('shipWifiSSID', async () => {
    await body(update(admin.one, { shipWifiSSID: 'Deck 5' }))
    for (const client of user.clients) assert.equal((await body(client.get('/notification/user'))).shipWifiSSID, 'Deck 5')
    await body(update(admin.two, { shipWifiSSID: '' }))
    for (const client of user.clients) assert.ok(!('shipWifiSSID' in (await body(client.get('/notification/user')))))
  })
})

describe('features', () => {
  const status = async (client: Client, path: string) => (await client.get(path)).status

  it('are enabled before others are disabled; pairs are added once and taken away exactly', async () => {
    await disable(pair('all', 'forums'), pair('all', 'forums'), pair('kraken', 'phone'))
    await disable(pair('all', 'forums'))
    assert.deepEqual(await pairsOf(team.two), ['all/forums', 'kraken/phone'])
    await body(
      update(admin.one, {
        enableFeatures: [pair('all', 'forums'), pair('kraken', 'forums'), pair('all', 'phone')],
        disableFeatures: [pair('all', 'forums'), pair('all', 'all')],
      }),
    )
    assert.deepEqual(await pairsOf(team.two), ['all/all', 'all/forums', 'kraken/phone'])
    await enable(pair('all', 'forums'), pair('all', 'all'), pair('kraken', 'phone'))
    assert.deepEqual(await pairsOf(team.one), [])
  })

  it('that are not known are ignored, and so are unknown apps', async () => {
    await disable(
      pair('all', 'unknown'),
      pair('unknown', 'forums'),
      pair('all', 'Forums'),
      pair('', ''),
      pair('__proto__', 'constructor'),
      pair('tricordarr', 'karaoke'),
    )
    assert.deepEqual(await pairsOf(team.one), ['tricordarr/karaoke'])
    const all = serviceClientApps.flatMap((app) => serviceFeatures.map((feature) => pair(app, feature)))
    await disable(...all)
    assert.equal((await pairsOf(team.two)).length, all.length)
    assert.deepEqual((await body(user.two.get('/notification/user'))).disabledFeatures.length, all.length)
    await enable(...all)
    assert.deepEqual(await pairsOf(team.two), [])
  })

  it('disabled by several admins at once are all disabled', async () => {
    await Promise.all(
      serviceFeatures.map((feature, index) =>
        body(update(admin.clients[index % 2] as Client, { disableFeatures: [pair('cruisemonkey', feature)] })),
      ),
    )
    assert.equal((await pairsOf(team.one)).length, serviceFeatures.length)
  })

  it('answer 451 on all nodes, but not to tho and admins; other apps do not count', async () => {
    await disable(pair('kraken', 'friendlyfez'), pair('swiftarr', 'all'))
    assert.equal(await status(user.two, '/fez/joined'), 200)
    await disable(pair('all', 'friendlyfez'))
    for (const client of user.clients) {
      assert.equal(await status(client, '/fez/joined'), 451)
      assert.equal(await status(client, '/users/blocks'), 200)
      const { disabledFeatures } = await body(client.get('/notification/user'))
      assert.ok(
        disabledFeatures.some(({ appName, featureName }: Record<string, string>) => appName === 'all' && featureName === 'friendlyfez'),
      )
    }
    assert.equal(await status(team.one, '/fez/joined'), 451)
    for (const { clients } of [tho, admin]) for (const client of clients) assert.equal(await status(client, '/fez/joined'), 200)
    assert.equal(await status(nodes.client(), '/fez/joined'), 401)
    await enable(pair('all', 'friendlyfez'))
    for (const client of user.clients) assert.equal(await status(client, '/fez/joined'), 200)
  })

  it('all of them: enabling one makes no hole', async () => {
    await disable(pair('all', 'all'))
    await enable(pair('all', 'users'), pair('all', 'friendlyfez'))
    for (const path of ['/users/blocks', '/fez/joined']) assert.equal(await status(user.two, path), 451)
    const fresh = { username: `fresh-${user.id.slice(0, 8)}`, password: 'password' }
    await refused(nodes.client().post('/user/create', fresh), 451)
    for (const path of ['/user/whoami', '/notification/user', `/users/${user.id}`, `/users/${user.id}/profile`, '/client/health'])
      assert.equal(await status(user.one, path), 200, path)
    await assert.rejects(user.one.socket(`/fez/${user.id}/socket`), { status: 451 })
    await (await user.two.socket('/notification/socket')).flushed()
    await enable(pair('all', 'all'))
    await body(nodes.client().post('/user/create', fresh), 201)
    const { token } = await createAccount(nodes.sql, {})
    assert.equal(await status(nodes.client(token, 1), '/users/blocks'), 200)
  })
})

it('GET /admin/settings says what can be switched off and for which apps, and the console has words for each', async () => {
  const { features, apps } = (await body(admin.two.get('/admin/settings'))).find(
    ({ name }: { name: string }) => name === 'disabledFeatures',
  )
  assert.deepEqual(features, serviceFeatures)
  assert.equal(apps[0], 'all')
  assert.deepEqual([...apps].sort(), [...serviceClientApps].sort())
  const words: object = JSON.parse(readFileSync(join(projectRoot, 'src/web/texts/admin.en.json'), 'utf8'))
  for (const feature of serviceFeatures) assert.ok(`feature.${feature}` in words, feature)
})
