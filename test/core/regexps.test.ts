// Every regular expression takes time in proportion to its text: what people and hosts write is hostile now and then. Nothing
// here is timed; the expressions themselves are looked at.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { transform } from 'esbuild'
import { projectRoot } from '../../src/core/base/config.ts'
import { literalsIn, slownessOf } from '../support/regexps.ts'

/** Slow ones that are meant, and why nobody can make use of them. One that is not needed any more fails the test, too. */
const meant: Record<string, string> = {
  'src/core/db/written.ts': 'Looks at statements of the program, of which none holds a text of anybody.',
  'src/launch/web.mjs': 'Looks at sources of the program, at build.',
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))

async function codeOf(file: string): Promise<string> {
  const loader = extname(file) === '.mjs' ? 'js' : (extname(file).slice(1) as 'ts' | 'tsx')
  return (await transform(readFileSync(join(projectRoot, file), 'utf8'), { loader, jsx: 'automatic', charset: 'utf8' })).code
}

test('every regular expression of the product is linear', async () => {
  const slow: Record<string, string[]> = {}
  let [expressions, made] = [0, 0]
  for (const file of ['src', 'workers', 'seeds'].flatMap(filesOf)) {
    const code = await codeOf(file)
    for (const literal of literalsIn(code)) {
      expressions++
      const why = slownessOf(literal)
      if (why.length > 0) (slow[file] ??= []).push(`/${literal.source}/${literal.flags} ${why.join('; ')}`)
    }
    made += code.split(/\bRegExp\(/).length - 1
  }
  const unmeant = Object.entries(slow).filter(([file]) => !(file in meant))
  assert.deepEqual(unmeant, [])
  assert.deepEqual(Object.keys(slow).toSorted(), Object.keys(meant).toSorted())
  assert.ok(expressions > 300, `only ${expressions} were found`)
  // Those that are put together cannot be looked at. The one there is has another literal in it.
  assert.equal(made, 1)
})

test('the check knows slow expressions from fast ones', () => {
  const slow = [
    /^(#{1,6})\s+(.*?)\s*#*$/,
    /\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g,
    /<[^>]*>/g,
    /\/+$/,
    /(a+)+$/,
    /^(?:[-*+]|\d{1,9}[.)])\s+(.*)$/,
    /^\s*=(.*)$/m,
    /(?=.*b)a/,
  ]
  for (const expression of slow) assert.notDeepEqual(slownessOf(expression), [], String(expression))
  const fast = [/^(#{1,6})\s(.*)$/s, /\[([^\][]*)\]\(([^\s()]+)\)/g, /"[^"]*"/, /(?<!\/)\/+$/, /https?:\/\/\S*[^\s.,]/g, /a{1,300}b/]
  for (const expression of fast) assert.deepEqual(slownessOf(expression), [], String(expression))
})

test('literals are found among strings, templates, divisions and comments', () => {
  const code =
    'const a = b / c / d // not /this/\n/* nor /this/ */ x("/no/", `/no/${ f(/in a hole/g) }/no/`) || /[/"]\\/`/.test(y) ; z = (1) / 2 / g'
  assert.deepEqual(
    literalsIn(code).map(({ source, flags }) => `${source} ${flags}`),
    ['in a hole g', '[/"]\\/` '],
  )
})
