// Addresses of phone apps and of an older site lead to the page that they mean, for whoever is signed in, and after the sign-in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meantBy, otherAddresses } from '../../src/web/addresses.ts'
import { testPassword } from '../support/accounts.ts'
import { body, createChat, people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('no address means one that means another, and each is reached', () => {
  const sample = { unusable: '0', id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }
  for (const [from, to] of otherAddresses) {
    const path = from.replace(/:(\w+)/g, (_, name: string) => (name === 'unusable' ? sample.unusable : sample.id))
    const target = meantBy(path)
    if (from === to) {
      assert.equal(target, undefined, from)
      continue
    }
    assert.ok(target !== undefined && target.startsWith('/'), from)
    assert.doesNotMatch(target, /[{}]/, from)
    assert.equal(meantBy(target.split('?')[0] as string), undefined, `${from} leads to ${target}, which leads on`)
  }
  for (const own of ['/', '/seamail', `/lfg/${sample.id}`, `/forum/${sample.id}`, '/tweets/12', '/nowhere', '/moderate/forumPost/12'])
    assert.equal(meantBy(own), undefined, own)
  assert.equal(meantBy('//forums'), '/forums')
  assert.equal(meantBy(`//fez///${sample.id}`), `/lfg/${sample.id}`)
  assert.equal(meantBy('//tweets', '?hashtag=sea'), '/tweets?hashtag=sea')
  assert.equal(meantBy('/forumpost/search', '?mentionname=sam&hashtag='), '/forums?in=posts&mentionOf=sam')
  assert.equal(meantBy('/seamail/create', '?withuser=1&foruser=moderator'), '/seamail/new?as=moderator&to=1')
  assert.equal(meantBy('/username/%C3%A9t%C3%A9'), '/profile/%C3%A9t%C3%A9')
})

test('what an app opens and shares shows the page', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam Smith' })) as [Person, Person]
  const group = await createChat(sam.one, { title: 'Stargazing' })
  await body(heidi.one.post(`/fez/${group}/join`), 201)
  const { forumID, postID } = await startForum(sam.one, 'Whales')
  const { page } = await web.openAs(heidi.username, { expected: /404/ })
  const shows: [address: string, heading: string | RegExp, at?: string][] = [
    [`/user/${sam.id}`, 'Sam Smith', `/profile/${sam.id}`],
    [`/username/${sam.username}`, 'Sam Smith', `/profile/${sam.username}`],
    [`/fez/${group}`, 'Stargazing', `/lfg/${group}`],
    [`/lfg/${group}/chat`, 'Stargazing', `/lfg/${group}`],
    ['/lfg/joined', 'Groups', '/fez?list=joined'],
    ['/fez/former', 'Groups', '/fez?list=former'],
    ['/karaoke/favorites', 'Karaoke', '/karaoke?list=favorites'],
    ['/karaoke/search?search=abba', 'Karaoke', '/karaoke?search=abba'],
    ['/performers/shadow', 'Performers', '/performers?list=shadow'],
    ['/lfg/undefined', 'Groups', '/fez'],
    [`//forum/${forumID}`, 'Whales', `/forum/${forumID}`],
    [`/forum/containingpost/${postID}`, 'Whales', `/forum/${forumID}#post-${postID}`],
    ['//forums', 'Forums', '/forums'],
    ['/forum/favorites', 'Forums', '/forums?list=favorites'],
    ['/seamail/0', 'Seamail', '/seamail'],
    ['/users', /./, '/directory'],
    ['/home', /./, '/'],
    ['/settings/alerts', /./, '/account'],
    ['/map/4', /./, '/map'],
    ['/nowhere/at/all', /./],
  ]
  for (const [address, heading, at = address] of shows) {
    await page.goto(`${web.url}${address}`)
    await page.getByRole('heading', { name: heading, level: 1 }).first().waitFor()
    await page.waitForURL(`${web.url}${at}`)
  }
  await page.getByText('Nothing is here').or(page.getByText('There is no such page')).first().waitFor()
  await page.getByRole('link', { name: 'Back' }).waitFor()
})

test('lists and songs that an address names are those that show', async () => {
  const [manager, heidi] = (await people(web.nodes, { roles: ['karaokemanager'] }, {})) as [Person, Person]
  const [song] = await web.nodes.sql<[{ id: string; songName: string }]>`select id, song_name from karaoke_song limit 1`
  const { page } = await web.openAs(manager.username)
  const chosen = (name: string) => page.getByRole('button', { name, exact: true, pressed: true }).waitFor()
  await page.goto('/fez/owned')
  await chosen('By me')
  await page.goto('/performers/shadow')
  await chosen('By people aboard')
  await page.goto('/karaoke/log')
  await chosen('Sung')
  await page.goto(`/karaoke/logperformance/${song.id}`)
  await page.getByRole('dialog', { name: new RegExp('Log') }).waitFor()
  const other = (await web.openAs(heidi.username)).page
  await other.goto(`/karaoke/log/${song.id}`)
  await other.getByText(song.songName, { exact: true }).first().waitFor()
  assert.equal(await other.getByRole('dialog').count(), 0)
})

test('somebody who is not signed in comes to the page after the form', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(sam.one, 'Shared')
  const { page } = await web.open()
  await page.goto(`${web.url}//forum/${forumID}/edit`)
  await page.locator('input[name=username]').fill(heidi.username)
  await page.locator('input[name=password]').fill(testPassword)
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: 'Shared' }).waitFor()
  await page.waitForURL(`${web.url}/forum/${forumID}`)
})

test('an address of this server in a text is shown by the name of what it leads to, and stays in the app', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const group = await createChat(sam.one, { title: 'Links', initialUsers: [heidi.id] })
  const { forumID } = await startForum(sam.one, 'Linked forum')
  await say(sam.one, group, `${web.url}/forum/${forumID} and ${web.url}//lfg/${group} and http://elsewhere.example/forum/1`)
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/lfg/${group}`)
  await page.getByRole('link', { name: '[Group]', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'http://elsewhere.example/forum/1' }).getAttribute('target'), '_blank')
  await page.getByRole('link', { name: '[Forum]', exact: true }).click()
  await page.getByRole('heading', { name: 'Linked forum' }).waitFor()
})

test('a moderator comes to what is to be moderated by the words of the app', async () => {
  const [moderator, sam] = (await people(web.nodes, { level: 'moderator' }, {})) as [Person, Person]
  const { postID } = await startForum(sam.one, 'Judged', { text: 'a rude word' })
  const { page } = await web.openAs(moderator.username)
  await page.goto(`/moderate/forumpost/${postID}`)
  await page.getByText('a rude word').first().waitFor()
  await page.waitForURL(`${web.url}/moderate/forumPost/${postID}`)
  await page.goto('/moderator/log')
  await page.waitForURL(`${web.url}/moderator`)
})

test('who is signed in already comes from the ways in to the account', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  for (const path of ['/resetPassword', '/createAccount?code=abc']) {
    await page.goto(path)
    await page.waitForURL(`${web.url}/account`)
  }
  await page.getByRole('button', { name: 'Change password' }).waitFor()
})
