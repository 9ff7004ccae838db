// GET /public/*: what apps need before anybody has an account, and how an operator replaces it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { FileAnswer } from '../support/client.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { RawConnection } from '../support/raw.ts'
import { seedFolder } from '../support/seeds.ts'

const seeds = seedFolder()
let nodes: TestNodes
before(async () => {
  seeds.write('secret.txt', 'not for everybody')
  nodes = await startTestNodes(2, { env: { ...seeds.env, SERVICE_START_DATE: '2026-02-01', SERVICE_LENGTH_DAYS: '9' } })
})
after(async () => {
  await nodes.stop()
  seeds.drop()
})

const file = (name: string, headers?: Record<string, string>, method?: 'HEAD'): Promise<FileAnswer> =>
  nodes.client().file(`//public/${name}`, headers, method)
const text = async (name: string): Promise<string> => (await file(name)).bytes.toString()
const json = async (name: string) => JSON.parse(await text(name))

describe('GET /public/*', () => {
  it('serves the texts that come with the program, to everybody', async () => {
    for (const name of ['codeofconduct.md', 'faq.md', 'twitarrhelptext.md']) {
      const answer = await file(name)
      assert.equal(answer.status, 200, name)
      assert.equal(answer.headers['content-type'], 'text/markdown; charset=utf-8')
      assert.match(answer.bytes.toString(), /^# \S/)
    }
  })

  it('has ETag and ranges, and answers HEAD', async () => {
    const whole = await file('codeofconduct.md')
    const etag = String(whole.headers['etag'])
    assert.equal((await file('codeofconduct.md', { 'if-none-match': etag })).status, 304)
    const part = await file('codeofconduct.md', { range: 'bytes=2-5' })
    assert.equal(part.status, 206)
    assert.deepEqual(part.bytes, whole.bytes.subarray(2, 6))
    const head = await file('codeofconduct.md', {}, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(whole.bytes.length)])
    const config = await file('clients/tricordarr.json')
    assert.equal((await file('clients/tricordarr.json', { 'if-none-match': String(config.headers['etag']) })).status, 304)
  })

  it('lets the files of the operator lie over those of the program, at once', async () => {
    const own = await text('faq.md')
    const { headers } = await file('faq.md')
    seeds.write('public/faq.md', '# Ours')
    assert.equal((await file('faq.md', { 'if-none-match': String(headers['etag']) })).bytes.toString(), '# Ours')
    seeds.remove('public/faq.md')
    assert.equal(await text('faq.md'), own)
    seeds.write('public/pictures/deck plan.png', Buffer.from([0x89, 0x50]))
    const picture = await file('pictures/deck%20plan.png')
    assert.deepEqual([picture.status, picture.headers['content-type'], picture.bytes.length], [200, 'image/png', 2])
    seeds.write('public/unknown.kind', 'x')
    assert.equal((await file('unknown.kind')).headers['content-type'], 'application/octet-stream')
  })

  it('answers 404 for what is not there', async () => {
    seeds.write('public/.hidden', 'x')
    for (const name of ['nothing.md', 'clients', 'clients/other.json', '', 'faq.md/', '.hidden', 'constructor', '%00', '%zz'])
      assert.equal((await file(name)).status, 404, name)
  })

  it('leads nowhere else', async () => {
    for (const way of [
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      '..%5csecret.txt',
      'clients/../../secret.txt',
      '/etc/passwd',
    ]) {
      const connection = new RawConnection(nodes.urls[0] as string)
      connection.sendLines(`GET /public/${way} HTTP/1.1`, 'Host: x', '', '')
      const [status] = await connection.answers()
      assert.ok(status === 403 || status === 404, `${way}: ${status}`)
      assert.ok(!connection.text.includes('not for everybody'))
      connection.destroy()
    }
  })
})

describe('GET /public/codeofconduct.json', () => {
  it('is made from the Markdown: a document from each first-level heading', async () => {
    const shipped = await json('codeofconduct.json')
    assert.deepEqual(Object.keys(shipped), ['guidelines', 'codeofconduct', 'twitarrconduct'])
    for (const { header, sections } of Object.values<{ header: string; sections: { paragraphs: unknown[] }[] }>(shipped)) {
      assert.ok(header.length > 3)
      assert.ok(sections.length > 1 && sections.every(({ paragraphs }) => paragraphs.length > 0))
    }
    seeds.write(
      'public/codeofconduct.md',
      [
        '# The Code of Conduct',
        'First line,',
        'second with **bold**, *slanted* and [a link](https://example.org/x_y_z).',
        '',
        '- one',
        '- two,',
        '  and more',
        '1. three',
        'after snake_case_word',
        '',
        '## Part ##',
        'Text \\*as it is\\*.',
      ].join('\r\n'),
    )
    assert.deepEqual(await json('codeofconduct.json'), {
      codeofconduct: {
        header: 'The Code of Conduct',
        sections: [
          {
            paragraphs: [
              { text: 'First line, second with bold, slanted and a link (https://example.org/x_y_z).' },
              { list: ['one', 'two, and more', 'three after snake_case_word'] },
            ],
          },
          { header: 'Part', paragraphs: [{ text: 'Text *as it is*.' }] },
        ],
      },
    })
    seeds.write('public/codeofconduct.md', '# A\na\n# Guidelines\nb\n# C\nc\n# D\nd')
    const four = await json('codeofconduct.json')
    assert.deepEqual(
      [four.guidelines, four.codeofconduct, four.twitarrconduct].map(({ header }) => header),
      ['Guidelines', 'A', 'C'],
    )
    assert.deepEqual(four.twitarrconduct.sections, [
      { paragraphs: [{ text: 'c' }] },
      { header: 'D', paragraphs: [] },
      { paragraphs: [{ text: 'd' }] },
    ])
    seeds.write('public/codeofconduct.md', '')
    assert.deepEqual(await json('codeofconduct.json'), {})
    seeds.write('public/codeofconduct.json', { codeofconduct: { header: 'Ours', sections: [] } })
    assert.equal((await json('codeofconduct.json')).codeofconduct.header, 'Ours')
    seeds.remove('public/codeofconduct.json')
    seeds.remove('public/codeofconduct.md')
    assert.deepEqual(await json('codeofconduct.json'), shipped)
  })
})

describe('GET /public/map.json', () => {
  it('names the map of the ship, if there is one', async () => {
    assert.deepEqual(await json('map.json'), {})
    seeds.write('public/map.webp', 'x')
    assert.deepEqual(await json('map.json'), { file: 'map.webp' })
    seeds.write('public/map.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    assert.deepEqual(await json('map.json'), { file: 'map.svg' })
    seeds.remove('public/map.svg')
    seeds.remove('public/map.webp')
  })
})

describe('GET /public/clients/:client.json', () => {
  it('is made from the settings for tricordarr, unless a file says otherwise', async () => {
    const config = await json('clients/tricordarr.json')
    assert.deepEqual(config, {
      apiVersion: 'v1',
      kind: 'SwiftarrClientConfig',
      metadata: { name: 'tricordarr' },
      spec: {
        latestVersion: '0.0.0',
        oobeVersion: 1,
        cruiseStartDate: '2026-02-01',
        cruiseLength: 9,
        portTimeZoneID: 'America/New_York',
        schedBaseUrl: '',
      },
    })
    seeds.write('public/clients/tricordarr.json', { metadata: { name: 'ours' } })
    assert.deepEqual(await json('clients/tricordarr.json'), { metadata: { name: 'ours' } })
    seeds.remove('public/clients/tricordarr.json')
  })
})

describe('/admin/texts', () => {
  const page = (name: string, client = nodes.client(undefined, 1)) => client.file(`//public/${name}`).then(({ bytes }) => bytes.toString())

  it('replaces a text on every node at once, and goes back', async () => {
    const [tho, team, user] = (await people(nodes, { level: 'tho' }, { level: 'serviceteam' }, {})) as [Person, Person, Person]
    const delivered = await page('faq.md')
    await refused(team.one.post('/admin/texts/faq.md', { content: 'x' }), 403)
    await refused(user.one.get('/admin/texts'), 403)
    const changed = await body(tho.one.post('/admin/texts/faq.md', { content: '# Ours\n\nÄÖ', basedOn: null }))
    assert.deepEqual(
      [changed.content, changed.delivered, changed.isOwn, changed.changedBy.userID],
      ['# Ours\n\nÄÖ', delivered, true, tho.id],
    )
    assert.equal(await page('faq.md'), '# Ours\n\nÄÖ')
    const { headers } = await file('faq.md')
    assert.equal((await file('faq.md', { 'if-none-match': String(headers['etag']) })).status, 304)
    assert.equal((await file('faq.md', { range: 'bytes=2-5' })).bytes.toString(), 'Ours')
    const listed = await body(team.two.get('/admin/texts'))
    assert.deepEqual(
      listed.map(({ name, isOwn }: { name: string; isOwn: boolean }) => [name, isOwn]),
      [
        ['codeofconduct.md', false],
        ['faq.md', true],
        ['twitarrhelptext.md', false],
        ['welcome.md', false],
      ],
    )
    const back = await body(tho.two.delete('/admin/texts/faq.md'))
    assert.deepEqual([back.content, back.isOwn, back.changedBy], [delivered, false, undefined])
    assert.equal(await page('faq.md', nodes.client()), delivered)
    await body(tho.two.delete('/admin/texts/faq.md'))
  })

  it('refuses an edit of a text that somebody else has changed since', async () => {
    const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
    const { changedAt } = await body(tho.one.post('/admin/texts/welcome.md', { content: 'One', basedOn: null }))
    const both = await Promise.all([
      tho.one.post('/admin/texts/welcome.md', { content: 'Two', basedOn: changedAt }),
      tho.two.post('/admin/texts/welcome.md', { content: 'Three', basedOn: changedAt }),
    ])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
    const late = await tho.one.post('/admin/texts/welcome.md', { content: 'Four', basedOn: null })
    assert.deepEqual([late.status, late.body.code], [409, 'changed_meanwhile'])
    assert.equal(await page('welcome.md'), both[0].status === 200 ? 'Two' : 'Three')
    await refused(tho.two.delete(`/admin/texts/welcome.md?basedOn=${encodeURIComponent(changedAt)}`), 409)
    assert.equal(await page('welcome.md'), both[0].status === 200 ? 'Two' : 'Three')
    await refused(tho.one.post('/admin/texts/welcome.md', { content: '' }), 400)
    await refused(tho.one.post('/admin/texts/secret.md', { content: 'x' }), 400)
  })

  it('is what the code of conduct for older apps is made of', async () => {
    const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
    await body(tho.one.post('/admin/texts/codeofconduct.md', { content: '# Code of Conduct\n\nBe kind.' }))
    const { codeofconduct } = JSON.parse(await page('codeofconduct.json'))
    assert.deepEqual(codeofconduct.sections[0].paragraphs, [{ text: 'Be kind.' }])
    // A second heading of that name replaces nothing: apps know no other place for it than the next one that is free.
    const content = '# Code of Conduct\n\nBe kind.\n\n# Code of Conduct\n\nAnd quiet.'
    await body(tho.one.post('/admin/texts/codeofconduct.md', { content }))
    const both = JSON.parse(await page('codeofconduct.json'))
    assert.deepEqual(
      [both.codeofconduct, both.guidelines].map(({ sections }) => sections[0].paragraphs[0].text),
      ['Be kind.', 'And quiet.'],
    )
  })
})
