// The client package as people install it: dist/sdk/quarterdeck-client.tgz, made of src/sdk.
import { spawnSync } from 'node:child_process'
import { copyFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

export const clientArchive = (root) => join(root, 'dist', 'sdk', 'quarterdeck-client.tgz')

/** Compiles for every runtime, with declarations, and packs. */
export async function packClient(root) {
  const source = join(root, 'src', 'sdk')
  const folder = join(root, 'dist', 'sdk', 'package')
  rmSync(join(root, 'dist', 'sdk'), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '--project', source], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('The client package does not compile.')
  // The compiler writes the names of sources into declarations, and they are not in the package.
  for (const name of filesIn(folder, '.d.ts')) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'))
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const description = {
    name: 'quarterdeck-client',
    version,
    description: 'Client of a Quarterdeck server, for browsers, Node and React Native',
    license,
    type: 'module',
    sideEffects: false,
    main: './client.js',
    types: './client.d.ts',
    exports: {
      '.': { types: './client.d.ts', default: './client.js' },
      './upload': { types: './upload.d.ts', default: './upload.js' },
    },
    engines,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
  await pack(folder, clientArchive(root))
}

async function pack(folder, archive) {
  // Only there once the packages are installed.
  const { pack: newArchive } = await import('tar-stream')
  const tar = newArchive()
  const written = pipeline(tar, createGzip({ level: 9 }), createWriteStream(archive))
  // The same bytes for the same sources.
  for (const name of filesIn(folder, '')) tar.entry({ name: `package/${name}`, mtime: new Date(0) }, readFileSync(join(folder, name)))
  tar.finalize()
  await written
}

const filesIn = (folder, end) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(end))
        .sort()
    : []
