// What is in a packed product, and under which licences: CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), and all texts.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** JSON with a component for each package, and one for the runtime. */
export function cyclonedx({ version, platform, packages, node }) {
  const components = packages.map(({ name, version: of, integrity, license }) => ({
    type: 'library',
    'bom-ref': `pkg:npm/${purlName(name)}@${of}`,
    name,
    version: of,
    purl: `pkg:npm/${purlName(name)}@${of}`,
    ...(license === undefined ? {} : { licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { name: license } }] }),
    ...(integrity?.startsWith('sha512-')
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
      : {}),
  }))
  const unique = [...new Map(components.map((each) => [each['bom-ref'], each])).values()]
  const runtime = { type: 'platform', 'bom-ref': `pkg:generic/node@${node}`, name: 'node', version: node, purl: `pkg:generic/node@${node}` }
  const product = {
    type: 'application',
    'bom-ref': 'quarterdeck',
    name: 'quarterdeck',
    version,
    properties: [{ name: 'platform', value: platform }],
  }
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: product }, components: [runtime, ...unique] }, null, 1)}\n`
}

const purlName = (name) => name.replace(/^@/, '%40')

/** The licence of each package in its own words, one after the other. */
export function licenceTexts(root, packages, runtime) {
  const parts = packages.map(({ path, name, version, license }) => {
    const files = readdirSync(join(root, path))
      .filter((each) => /^(licen[cs]e|copying|notice)/i.test(each))
      .sort()
    const texts = files
      .map((each) => join(root, path, each))
      .filter((each) => !each.endsWith('.js'))
      .map(textOf)
    return [`${name} ${version} (${license ?? 'no licence is named'})`, ...texts].join('\n\n')
  })
  const ofNode = ['LICENSE', '../LICENSE', '../share/doc/nodejs/LICENSE', '../share/doc/nodejs/copyright']
    .map((each) => join(dirname(runtime), each))
    .find((each) => existsSync(each))
  const node = [
    `Node.js ${process.versions.node} (MIT, and others for its parts)`,
    ofNode ? textOf(ofNode) : `https://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE`,
  ].join('\n\n')
  return `${[node, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

const textOf = (path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim()
