// One install and build at a time in this folder.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 200
// The holder's process id may have gone to another process; no install takes this long.
const abandonedAfterMs = 15 * 60_000

/** Runs `work` while this process alone holds the lock file in `folder`; waits for another holder. */
export async function withLock(folder, say, work) {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, '.launch-lock')
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) say('Waiting for another start to install and compile ...')
    await sleep(pollMs)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isAbandoned(lock)) return false
    rmSync(lock, { force: true })
    return take(lock)
  }
}

function isAbandoned(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > abandonedAfterMs) return true
    const holder = Number(readFileSync(lock, 'utf8'))
    // Empty: made this instant, its holder has not written yet.
    if (holder === 0) return false
    process.kill(holder, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
