// TypeScript to dist/: only when a source changed since the last build.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { clientArchive, packClient } from './client-package.mjs'

export const sourceFolders = ['src', 'workers', 'seeds', 'test']

/** True when dist/ was built from the sources as they are now. */
export function isBuilt(root) {
  const stamp = stampFile(root)
  return existsSync(stamp) && existsSync(clientArchive(root)) && readFileSync(stamp, 'utf8') === fingerprint(root)
}

/** Compiles, packs the browser app, and removes the output of sources that are gone. */
export async function build(root, say) {
  say('Compiling ...')
  mkdirSync(join(root, 'dist'), { recursive: true })
  rmSync(stampFile(root), { force: true })
  // Taken first: a file saved while the compiler runs must not count as built.
  const before = fingerprint(root)
  removeStaleOutput(root)
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  for (const project of [root, join(root, 'src', 'web')]) {
    const { status } = spawnSync(process.execPath, [compiler, '--project', project], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    if (status !== 0) throw new Error('The sources do not compile.')
  }
  // Loaded here: its packages may just have been installed.
  const { buildWeb } = await import('./web.mjs')
  await buildWeb(root)
  await packClient(root)
  writeFileSync(stampFile(root), before)
}

/** The next start compiles, whatever is there. */
export const forgetBuild = (root) => rmSync(stampFile(root), { force: true })

function removeStaleOutput(root) {
  for (const folder of sourceFolders) {
    for (const output of filesIn(join(root, 'dist', folder), /\.js(\.map)?$/)) {
      const source = join(root, relative(join(root, 'dist'), output)).replace(/\.js(\.map)?$/, '.ts')
      if (!existsSync(source)) rmSync(output)
    }
  }
}

function fingerprint(root) {
  const sources = sourceFolders.flatMap((folder) => filesIn(join(root, folder), /\.(tsx?|mjs|json|md|css|html|svg|webmanifest)$/)).sort()
  const hash = createHash('sha256')
  for (const path of [...sources, join(root, 'tsconfig.json'), join(root, 'package-lock.json')]) {
    if (!existsSync(path)) continue
    const { mtimeMs, size } = statSync(path)
    hash.update(`${relative(root, path)} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

function filesIn(folder, pattern) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
}

function stampFile(root) {
  return join(root, 'dist', '.sources')
}
