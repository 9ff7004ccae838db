// The client package as somebody aboard installs it: from a server, outside of this project.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { projectRoot } from '../../src/core/base/config.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let folder: string
before(async () => {
  nodes = await startTestNodes()
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-stranger-'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await install(join(folder, 'node_modules', 'quarterdeck-client'))
})
after(async () => {
  await nodes.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What npm does with an archive that has no dependencies. */
async function install(target: string): Promise<void> {
  const { status, headers, bytes } = await nodes.client().file('//sdk/quarterdeck-client.tgz')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/gzip')
  mkdirSync(target, { recursive: true })
  const tar = extract()
  tar.end(gunzipSync(bytes))
  for await (const entry of tar) {
    const [, name = ''] = /^package\/([\w.-]+)$/.exec(entry.header.name) ?? []
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    writeFileSync(join(target, name), Buffer.concat(chunks))
  }
}

const program = `import { createClient, QuarterdeckError, type Client, type FezData } from 'quarterdeck-client'
import { fetchWithProgress } from 'quarterdeck-client/upload'
const client: Client = createClient({ baseUrl: 'http://ship.example', token: 'a token', fetch: fetchWithProgress })
const chat: FezData = await client.fez.join({ fezID: 'an id' })
for await (const frame of client.fez.socket({ fezID: chat.fezID })) if ('postID' in frame) console.log(frame.text.length)
// @ts-expect-error -- the chat is not named
await client.fez.join({}).catch((error) => console.log(error instanceof QuarterdeckError))
`

test('its types compile in a strict project of somebody else, for a bundler and for Node, and need no others', () => {
  writeFileSync(join(folder, 'program.ts'), program)
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const compiler = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc')
    const settings = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2022,dom']
    const { status, stdout } = spawnSync(
      process.execPath,
      [compiler, ...settings, '--module', module, '--moduleResolution', resolution, 'program.ts'],
      { cwd: folder, encoding: 'utf8' },
    )
    assert.equal(status, 0, stdout)
  }
})

async function openSockets(): Promise<number> {
  const metrics = (await nodes.client().get<string>('//metrics')).body
  return Array.from(metrics.matchAll(/^sockets_open\S* (\d+)$/gm), ([, open]) => Number(open)).reduce((sum, open) => sum + open, 0)
}

/** Runs a bot of the README, by its place there, as somebody. */
async function runBot(t: TestContext, place: number, robot: Person, env: Record<string, string> = {}): Promise<void> {
  const readme = readFileSync(join(folder, 'node_modules', 'quarterdeck-client', 'README.md'), 'utf8')
  const bot = Array.from(readme.matchAll(/```js\n(import .*?)```/gs), ([, program]) => program as string)[place] ?? ''
  assert.ok(bot !== '' && bot.trim().split('\n').length <= 20)
  const file = `bot${place}.js`
  writeFileSync(join(folder, file), bot)
  await until(async () => (await openSockets()) === 0, 'the sockets of others are closed')
  const { token } = await body(robot.one.post('/auth/tokens', { name: 'bot', scope: 'all', days: 1 }), 201)
  const child = spawn(process.execPath, ['--experimental-websocket', file], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SERVER: nodes.urls[0], BOT_TOKEN: token, ...env },
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await ended
  })
  await Promise.race([
    until(async () => (await openSockets()) === 1, 'the bot listens'),
    ended.then(() => assert.fail('the bot has ended')),
  ])
}

test('the bot of its README answers, each message once', async (t) => {
  const [ann, robot] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createSeamail(ann.one, [robot])
  await runBot(t, 0, robot)
  const socket = await ann.one.socket(`/fez/${fezID}/socket`)
  await say(ann.one, fezID, '!roll 1')
  const roll = await socket.until((frame) => frame.author?.userID === robot.id, 'answer of the bot')
  assert.equal(roll.text, `@${ann.username} rolled 1.`)
  // What it has answered it has read: the next message brings no second answer to the first.
  await say(ann.one, fezID, 'thank you')
  await say(ann.one, fezID, '!roll 1')
  const rolls = () => socket.frames.filter((frame) => frame.author?.userID === robot.id)
  await until(() => rolls().length >= 2, 'the second answer')
  await say(ann.one, fezID, '!roll 1')
  await until(() => rolls().length >= 3, 'the third answer')
  assert.equal(rolls().length, 3)
  socket.terminate()
  await socket.closed
})

test('another writes on the displays what is said to it', async (t) => {
  const [ann, robot] = (await people(nodes, {}, { level: 'serviceteam' })) as [Person, Person]
  const fezID = await createSeamail(ann.one, [robot])
  await runBot(t, 1, robot, { CHAT: fezID })
  const socket = await ann.one.socket(`/fez/${fezID}/socket`)
  await say(ann.one, fezID, 'Is it open?')
  await say(ann.one, fezID, '!wall Pizza on deck 9')
  await socket.until((frame) => frame.text === 'It is on the wall.', 'answer of the bot')
  const shown = await body<{ text: string }[]>(ann.two.get('/notification/announcements'))
  assert.deepEqual(
    shown.map(({ text }) => text),
    ['Pizza on deck 9'],
  )
})
