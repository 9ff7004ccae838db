// Profiles as cards for the contacts of a phone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { block, body, people, refused, type Person } from '../support/fez.ts'
import { knownImage, storedImage } from '../support/images.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const profile = {
  displayName: 'Mara; the "bird" lady',
  realName: 'Mara Ann Vance',
  preferredPronoun: 'she/her',
  homeLocation: 'Bergen, Norway',
  roomNumber: '7102',
  email: 'mara@ship.example',
  about: 'Birds, maps\nand lemon tart. '.repeat(9),
  message: 'On the aft deck',
  discordUsername: 'marabird',
  dinnerTeam: null,
}

/** The properties of a card, unfolded. */
async function cardOf(reader: Person, of: Person): Promise<{ lines: string[]; raw: string; headers: Record<string, unknown> }> {
  const { status, bytes, headers } = await reader.two.file(`/users/${of.id}/vcard`)
  assert.equal(status, 200)
  const raw = bytes.toString()
  return { raw, headers, lines: raw.replaceAll('\r\n ', '').trimEnd().split('\r\n') }
}

test('GET /users/:user_id/vcard has what contacts know, escaped and folded, and nothing of the cabin', async () => {
  const [mara, reader] = (await people(nodes, {}, {})) as [Person, Person]
  storedImage(nodes, knownImage)
  await body(mara.one.post('/user/profile', profile))
  await nodes.sql`update account set user_image = ${knownImage} where id = ${mara.id}`
  const { raw, lines, headers } = await cardOf(reader, mara)
  assert.equal(headers['content-type'], 'text/vcard; charset=utf-8')
  assert.equal(headers['content-disposition'], `attachment; filename="${mara.username}.vcf"`)
  assert.deepEqual(lines.slice(0, 2), ['BEGIN:VCARD', 'VERSION:3.0'])
  assert.equal(lines.at(-1), 'END:VCARD')
  for (const line of [
    `UID:urn:uuid:${mara.id}`,
    'FN:Mara\\; the "bird" lady',
    'N:Vance;Mara Ann;;;',
    `NICKNAME:${mara.username}`,
    'EMAIL;TYPE=INTERNET:mara@ship.example',
    'ADR;TYPE=HOME:;;;Bergen\\, Norway;;;',
  ])
    assert.ok(lines.includes(line), `${line} in ${raw}`)
  assert.match(lines.find((line) => line.startsWith('IMPP')) ?? '', /marabird$/)
  assert.match(lines.find((line) => line.startsWith('NOTE:')) ?? '', /^NOTE:she\/her\\nBirds\\, maps\\nand lemon tart/)
  assert.match(lines.find((line) => line.startsWith('REV:')) ?? '', /^REV:\d{4}-\d\d-\d\dT/)
  for (const hidden of ['7102', 'aft deck']) assert.ok(!raw.includes(hidden), hidden)
  for (const line of raw.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
})

test('GET /users/:user_id/vcard without names is that of the username; under review, of the username alone', async () => {
  const [plain, judged, reader, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const { lines } = await cardOf(reader, plain)
  assert.ok(lines.includes(`FN:${plain.username}`) && lines.includes(`N:;${plain.username};;;`))
  await body(judged.one.post('/user/profile', profile))
  await nodes.sql`update account set moderation_status = 'quarantined' where id = ${judged.id}`
  const names = (all: string[]) => all.map((line) => line.split(/[:;]/)[0])
  assert.deepEqual(names((await cardOf(reader, judged)).lines), ['BEGIN', 'VERSION', 'PRODID', 'UID', 'FN', 'N', 'NICKNAME', 'REV', 'END'])
  assert.ok(names((await cardOf(moderator, judged)).lines).includes('EMAIL'))
})

test('GET /users/:user_id/vcard is not there for whoever is in a block, nor that of a banned person but for moderators', async () => {
  const [blocker, banned, reader, moderator] = (await people(nodes, {}, { level: 'banned' }, {}, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
    Person,
  ]
  await block(blocker, reader)
  const missing = await refused(reader.one.get('/users/7c9e6679-7425-40de-944b-e07fc1f90ae7/vcard'), 400)
  for (const { id } of [blocker, banned]) assert.equal(await refused(reader.one.get(`/users/${id}/vcard`), 400), missing)
  await cardOf(moderator, banned)
})
