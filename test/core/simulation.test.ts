// Some evenings of the simulation, in a process of its own: its time is not that of this one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../src/core/base/config.ts'

const evenings = 60

/** Plays these seeds. Returns what was printed, and the exit code. */
async function play(...args: string[]): Promise<{ printed: string; code: number }> {
  const child = spawn(process.execPath, ['--enable-source-maps', join(projectRoot, 'dist', 'test', 'simulation', 'run.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>])
  return { printed, code }
}

test(`in ${evenings} evenings of failing servers, what is answered and sent is right`, async () => {
  const { printed, code } = await play('--seed', '1', '--runs', String(evenings))
  assert.equal(code, 0, printed)
})

test('a seed plays the same evening again', async () => {
  const [one, other] = await Promise.all([play('--seed', '7', '--runs', '1'), play('--seed', '7', '--runs', '1')])
  const withoutTime = ({ printed }: { printed: string }) => printed.replace(/in [\d.]+ s/, '')
  assert.equal(withoutTime(one), withoutTime(other))
})
