// Where code may stand and what may import what. Sources are read as text; the rules are in terms of
// file names, which say what a file is for.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../../src/core/base/config.ts'
import { noteWrittenText, WrittenTables } from '../../src/core/db/written.ts'
import type { Route, SocketRoute } from '../../src/core/http/route.ts'
import { frameErrorCodes } from '../../src/core/base/errors.ts'
import { features as manifests, routes, socketRoutes, tables as declaredTables, webPaths } from '../../src/features.ts'
import { sharedErrors } from '../../src/text/error-codes.ts'

/** Breaks of a rule that are meant. One that is not needed any more fails the test too. */
type Exceptions = Record<string, string>

interface Import {
  from: string
  typeOnly: boolean
}
interface Source {
  path: string
  name: string
  folder: string
  code: string
  imports: Import[]
}

// Below all features: what they are built on, and what runs the product without being part of it.
const isFrame = (folder: string): boolean => /^src\/(core(\/.*)?|embedded|supervisor|terminal|launch)$/.test(folder)

/** Folders of core, each above those that it imports from. */
const coreFloors = ['base', 'schema', 'db', 'bus', 'files', 'outbox', 'live', 'work', 'http', 'docs']

const sources = ['src', 'workers', 'seeds'].flatMap(sourcesIn)
const features = sources.filter(({ folder }) => folder.startsWith('src/') && !isFrame(folder))

const isRoutes = (path: string) => /(^|\/|\.)routes\.ts$/.test(path)
const isQueries = (path: string) => /(^|\/|\.)queries\.ts$/.test(path)
const isService = (path: string) => /(^|\/|\.)service\.ts$/.test(path)

test('routes import services and schemas', () => {
  breaks(
    features.filter(({ name }) => isRoutes(name)),
    importing(
      ({ from, typeOnly }) =>
        !typeOnly && !isService(from) && !/(\/|\.)(schemas|types|cached)\.ts$/.test(from) && !/^src\/(core|text)\//.test(from),
    ),
    {},
  )
})

test('queries import core, types and pure functions', () => {
  breaks(
    features.filter(({ name }) => isQueries(name)),
    importing(
      ({ from, typeOnly }) =>
        !typeOnly && !from.startsWith('src/core/') && /\b(routes|service|queries|channel|events|views)\.ts$/.test(from),
    ),
  )
})

test('channels and views leave services and routes alone', () => {
  breaks(
    features.filter(({ name }) => /(channel|views|events|mailbox|rules)\.ts$/.test(name)),
    importing(({ from }) => isService(from) || from.endsWith('/routes.ts')),
  )
})

test('nobody imports queries or views of another feature', () => {
  breaks(
    [...features, ...sources.filter(({ folder }) => folder === 'workers')],
    importing(({ from }, { folder }) => dirname(from) !== folder && (isQueries(from) || /(^|\.|\/)views\.ts$/.test(from))),
    {
      'src/users/inbox.ts → src/fez/unread.queries.ts': 'a user channel loads what is unread in one go',
      'src/users/channel.ts → src/hits/queries.ts': 'and the numbers of its hits',
      'src/users/hits.channel.ts → src/hits/queries.ts': 'numbers of many users are read in one statement',
      'src/auth/authenticator.ts → src/users/queries.ts': 'a token is looked up where its account is',
    },
  )
})

test('a code of a refusal stands in one place, and something is refused with it', () => {
  const lists = [sharedErrors, frameErrorCodes, ...manifests.map(({ errorCodes: own = {} }) => own)]
  const codes = lists.flatMap((list) => Object.keys(list))
  assert.deepEqual(codes, [...new Set(codes)])
  const code = sources.filter(({ path }) => !path.startsWith('src/web/') && !path.startsWith('src/sdk/')).map((source) => source.code)
  const unused = codes.filter((word) => !code.some((text) => text.includes(`'${word}'`)))
  assert.deepEqual(unused, [])
})

test('each page of the browser app has a path that the server answers, and each such path a page', () => {
  const web = sources.filter(({ path }) => path.startsWith('src/web/'))
  const drawn = web.flatMap(({ code }) => [...code.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path as string))
  assert.deepEqual(drawn.filter((path) => !webPaths.includes(path)).sort(), ['/admin/hunts/new'], '/admin/hunts/:id answers for it')
  assert.deepEqual(
    webPaths.filter((path) => !drawn.includes(path)),
    [],
  )
})

test('core knows no feature', () => {
  breaks(
    sources.filter(({ folder }) => isFrame(folder)),
    importing(({ from }) => from.startsWith('src/') && !isFrame(dirname(from))),
  )
})

test('SQL stands in queries', () => {
  const allowed = /^(src\/core|src\/embedded|seeds)\//
  breaks(
    sources.filter(({ path, name }) => !isQueries(name) && !allowed.test(path)),
    ({ code }) => (/\bsql(<[^`]*>)?`/.test(code) ? ['SQL'] : []),
    {},
  )
})

test('uWebSockets.js, ioredis and BullMQ stay in core and where processes are put together', () => {
  breaks(
    sources.filter(({ path, folder }) => !folder.startsWith('src/core') && path !== 'src/app.ts' && path !== 'workers/main.ts'),
    importing(({ from }) => ['uWebSockets.js', 'ioredis', 'bullmq'].includes(from)),
  )
})

test('the environment is read in one place', () => {
  const allowed = /^src\/(core\/base\/config\.ts|embedded\/|supervisor\/|terminal\/|commands\/(start|upgrade|remote|load)\.ts|launch)/
  breaks(
    sources.filter(({ path }) => !allowed.test(path)),
    ({ code }) => (code.includes('process.env') ? ['process.env'] : []),
  )
})

test('in which form an answer goes to its client is for the edge to decide', () => {
  breaks(
    sources.filter(({ path, folder }) => !isFrame(folder) && !path.startsWith('src/web/')),
    ({ code }) => code.match(/\b(ifNoneMatch|ifRange|acceptEncoding|head\??\.range|Content-Encoding|Content-Range)\b/g) ?? [],
  )
})

test('a transaction uses no other connection', () => {
  breaks(sources, ({ code }) => [
    ...callsOf(code, /\b(transaction|markSeen)\(\s*async/g).flatMap((call) => call.match(/\b(ctx|db)\.sql\b/g) ?? []),
    ...(code.match(/\btx\.ctx\.(node\.db\.)?sql\b/g) ?? []),
  ])
})

test('statements outside of a transaction write no table that answers in memory are made of', () => {
  const written = new Map<string, Set<string>>()
  for (const { code } of sources.filter(({ name }) => isQueries(name) || name === 'jobs.ts' || name === 'idempotency.ts'))
    for (const [text, name] of code.matchAll(/^(?:export )?(?:async )?function (\w+)\([^]*?\n}\n/gm)) {
      const tables = new Set<string>()
      noteWrittenText(text.replaceAll(/update \$\{|insert into \$\{|delete from \$\{/g, 'update unknown_table '), tables)
      if (tables.size > 0) written.set(name as string, tables)
    }
  assert.ok(written.size > 150, `${written.size} functions that write were found`)
  const strays = sources.flatMap(({ path, code }) => {
    // Also by another name: `const sql = ctx.sql`, and a parameter `{ sql }: Ctx`.
    const isNamed =
      /\bsql = (?:[^\n;]*\.)?(?!tx\.)(?:ctx|db|new Ctx\([^\n]*\))\.sql\b|\{[^{}]*\bsql\b[^{}]*\}: (?:Pick<)?(?:Open)?Ctx\b/.test(code)
    const outside = new RegExp(`\\b(\\w+)\\(\\s*((?:[\\w.#]*\\.)?(?:ctx|db)\\.sql${isNamed ? '|sql' : ''})\\b(?!\\.)`, 'g')
    return [...code.matchAll(outside)].flatMap(([, name = '', sql]) => {
      const tables = [...new WrittenTables(declaredTables).shown(written.get(name) ?? [])]
      return tables.length > 0 ? [`${path}: ${name}(${sql}, …) writes ${tables.join(', ')}`] : []
    })
  })
  assert.deepEqual(strays, [])
})

test('files are named for what they hold', () => {
  breaks(sources, ({ name }) => [
    ...(['utils.ts', 'index.ts', 'helpers.ts', 'common.ts'].includes(name) ? ['says nothing'] : []),
    ...(!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)?\.(tsx?|mjs)$/.test(name) ? ['is not kebab-case'] : []),
  ])
})

/** Nouns of features that are words of the frame, too. */
const sharedNouns =
  'accounts|announcements|auth|backup|hits|client|commands|console|core|events|image|launch|notices|notification|oidc|operate|passkey|phone|post|settings|statistics|supervisor|terminal|text|user|users|web|sdk|embedded'

/** What else people meet in the product. */
const furtherWords = 'seamail|lfg|twarrt|tweet|puzzle|barrel|shutternaut|muteword|alertword|favorite|cabin|cruise|ship|sailing|tho'

test('the frame has no word of the product', () => {
  const nouns = manifests.map(({ name }) => name.replaceAll('-', '')).filter((name) => !sharedNouns.split('|').includes(name))
  const words = new Set([...nouns.map((noun) => noun.replace(/s$/, '')), ...furtherWords.split('|')])
  // Names are read word by word: thoPassword, fez_member.
  const wordsIn = (code: string) =>
    code
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  breaks(
    sources.filter(({ folder }) => /^src\/core\b/.test(folder)),
    ({ code }) => [...new Set(wordsIn(code))].filter((word) => words.has(word.replace(/s$/, ''))),
    {
      'src/core/base/viewer.ts: tho': 'the ladder of access levels, which every route names one of',
      'src/core/http/admission.ts: tho': 'the level for which nothing is switched off',
    },
  )
})

test('files begin with what belongs there', () => {
  breaks(sources, ({ code }) => (/^\/[/*]/.test(code) ? [] : ['no comment']))
})

test('manifests join every table of routes', async () => {
  const declared = await declarations()
  const paths = ({ path }: { path: string }) => path
  assert.deepEqual(declared.map(paths).toSorted(), [...routes, ...socketRoutes].map(paths).toSorted())
})

test('polls, which are in chats, forums and the microblog, are known to the lists of features alone', () => {
  const isPoll = (path: string) => /^src\/(web\/)?poll\//.test(path)
  const importers = sources.filter(({ path, imports }) => !isPoll(path) && imports.some(({ from }) => isPoll(from)))
  assert.deepEqual(importers.map(({ path }) => path).sort(), ['src/features.ts', 'src/web/features.ts'])
})

test('folders form a graph without circles, type imports counted', () => {
  assert.deepEqual(circles(folderImports()), [])
  // The test itself can fail.
  assert.deepEqual(
    circles(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['a', 'c'])],
        ['c', new Set()],
      ]),
    ),
    ['a b'],
  )
})

test('src/README.md names every folder, each above all that it imports', () => {
  const floors = readFileSync(join(projectRoot, 'src', 'README.md'), 'utf8')
    .split('\n')
    .flatMap((line) =>
      /^\| \d+ +\|/.test(line) ? [[...(line.split('|')[2] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name]) => name as string)] : [],
    )
  const floorOf = new Map(floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)))
  const imports = folderImports()
  assert.deepEqual([...floorOf.keys()].toSorted(), [...imports.keys()].toSorted())
  const upward = [...imports].flatMap(([folder, used]) =>
    [...used].filter((other) => (floorOf.get(other) as number) >= (floorOf.get(folder) as number)).map((other) => `${folder} → ${other}`),
  )
  assert.deepEqual(upward, [])
})

test('folders of core import from those below them alone, type imports counted', () => {
  const imports = folderImports(/^src\/core\/(?:([^/]+)\/)?./)
  assert.deepEqual([...imports.keys()].toSorted(), coreFloors.toSorted())
  const upward = [...imports].flatMap(([folder, used]) =>
    [...used].filter((other) => coreFloors.indexOf(other) >= coreFloors.indexOf(folder)).map((other) => `${folder} → ${other}`),
  )
  assert.deepEqual(upward, [])
})

test('parts of the browser app form a graph without circles: folders, and files beside them', () => {
  const imports = folderImports(/^src\/web\/([^/]+)/)
  assert.ok(imports.size > 30)
  assert.deepEqual(circles(imports), [])
})

/** For each folder, as the first group of the expression says of a path, the others that it imports from. */
function folderImports(folderPattern = /^src\/([^/]+)\/./): Map<string, Set<string>> {
  const folderOf = (path: string) => folderPattern.exec(path)?.[1]
  const found = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const folder = folderOf(path)
    if (folder === undefined) continue
    const used = found.get(folder) ?? new Set()
    found.set(folder, used)
    for (const { from } of imports) {
      const other = folderOf(from)
      if (other !== undefined && other !== folder) used.add(other)
    }
  }
  return found
}

/** Folders that import each other, directly or over others: each circle once, as a text. */
function circles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = new Map(
    [...graph.keys()].map((start) => {
      const seen = new Set<string>()
      const next = [...(graph.get(start) ?? [])]
      for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
        if (seen.has(folder)) continue
        seen.add(folder)
        next.push(...(graph.get(folder) ?? []))
      }
      return [start, seen] as const
    }),
  )
  const together = [...reached]
    .filter(([folder, seen]) => seen.has(folder))
    .map(([folder, seen]) =>
      [...seen]
        .filter((other) => reached.get(other)?.has(folder))
        .toSorted()
        .join(' '),
    )
  return [...new Set(together)]
}

/** Every route that a routes.ts of a feature exports. */
async function declarations(): Promise<{ path: string }[]> {
  const found = features
    .filter(({ name }) => /(^|\.)routes\.ts$/.test(name))
    .map(async ({ path }) => {
      const module = (await import(pathToFileURL(join(projectRoot, 'dist', path.replace(/ts$/, 'js'))).href)) as Record<string, unknown>
      return Object.values(module)
        .filter(Array.isArray)
        .flat()
        .filter(isRoute)
        .map(({ path }) => ({ path }))
    })
  return (await Promise.all(found)).flat()
}

function isRoute(value: unknown): value is Route | SocketRoute {
  return typeof value === 'object' && value !== null && 'path' in value && ('run' in value || 'open' in value)
}

/** Fails with every place that breaks a rule, as `file: what` or `file → import`. */
function breaks(checked: readonly Source[], find: (source: Source) => string[], exceptions: Exceptions = {}): void {
  assert.ok(checked.length > 0, 'the rule looks at no file')
  const found = new Set(
    checked.flatMap((source) => find(source).map((what) => (what.startsWith('→') ? `${source.path} ${what}` : `${source.path}: ${what}`))),
  )
  assert.deepEqual(
    [...found].filter((place) => !(place in exceptions)),
    [],
  )
  assert.deepEqual(
    Object.keys(exceptions).filter((place) => !found.has(place)),
    [],
    'these exceptions are not needed any more',
  )
}

/** Finds imports that a rule forbids. */
function importing(forbidden: (imported: Import, source: Source) => boolean): (source: Source) => string[] {
  return (source) => source.imports.filter((imported) => forbidden(imported, source)).map(({ from }) => `→ ${from}`)
}

function sourcesIn(top: string): Source[] {
  return readdirSync(join(projectRoot, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
    .map((name) => join(top, name).replaceAll('\\', '/'))
    .map((path) => {
      const code = readFileSync(join(projectRoot, path), 'utf8')
      return { path, name: basename(path), folder: dirname(path), code, imports: importsOf(code, dirname(path)) }
    })
}

/** Relative imports as paths from the project's root, others by name. */
function importsOf(code: string, folder: string): Import[] {
  return [...code.matchAll(/^(?:import|export)\s+(type\s+)?(?:([^'"]*?)\s+from\s+)?'([^']+)'/gm)].map(
    ([, type, names = '', from = '']) => ({
      from: from.startsWith('.') ? join(folder, from).replaceAll('\\', '/') : from,
      typeOnly:
        type !== undefined ||
        (/^\{.*\}$/s.test(names) &&
          names
            .slice(1, -1)
            .split(',')
            .every((name) => /^\s*(type\s.*)?$/s.test(name))),
    }),
  )
}

/** The text of every call that begins with `start`, up to its closing parenthesis. */
function callsOf(code: string, start: RegExp): string[] {
  return [...code.matchAll(start)].map(({ index }) => {
    let depth = 0
    for (let end = code.indexOf('(', index); end < code.length; end++) {
      if (code[end] === '(') depth++
      else if (code[end] === ')' && --depth === 0) return code.slice(index, end)
    }
    return code.slice(index)
  })
}
