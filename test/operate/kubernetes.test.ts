// The manifests for a cluster, as far as a machine without one can look at them: they agree with themselves, with the image, and
// with the product. That they are of the forms that Kubernetes knows was looked at by hand.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { projectRoot } from '../../src/core/base/config.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const image = read('Dockerfile')
const handbook = read('src/operate/README.md')

interface Container {
  name: string
  image: string
  args: string[]
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  volumeMounts: { name: string; mountPath: string }[]
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined
}
// oxlint-disable-next-line no-explicit-any -- of seven kinds, of which each test looks at a few fields
type Resource = any

const all: Resource[] = parseAllDocuments(read('src/operate/kubernetes/quarterdeck.yaml')).map((document) => {
  assert.deepEqual([document.errors, document.warnings], [[], []])
  return document.toJSON() as Resource
})
const named = (kind: string, name: string): Resource => {
  const [found, ...more] = all.filter((each) => each.kind === kind && each.metadata.name === name)
  assert.ok(found && more.length === 0, `${kind} ${name}`)
  return found
}
const deployments = all.filter(({ kind }) => kind === 'Deployment')
const containerOf = (deployment: Resource): Container => deployment.spec.template.spec.containers[0] as Container

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1)
})
after(() => nodes.stop())

it('servers and workers run what the image has, without root, on a file system that is read alone', () => {
  assert.deepEqual(
    deployments.map((each) => containerOf(each).args),
    [['server'], ['worker']],
  )
  assert.equal(new Set(deployments.map((each) => containerOf(each).image)).size, 1)
  for (const deployment of deployments) {
    const { spec, metadata } = deployment.spec.template
    const { securityContext, volumeMounts } = containerOf(deployment)
    assert.deepEqual(deployment.spec.selector.matchLabels, metadata.labels)
    assert.deepEqual([spec.securityContext.runAsNonRoot, spec.securityContext.runAsUser, spec.enableServiceLinks], [true, 1000, false])
    assert.deepEqual(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    // All that is written.
    assert.deepEqual(
      volumeMounts.map(({ mountPath }) => mountPath),
      [/^VOLUME (\S+)$/m.exec(image)?.[1], '/tmp'],
    )
    const volumes = spec.volumes.map(({ name }: { name: string }) => name)
    assert.deepEqual(
      volumeMounts.map(({ name }) => name),
      volumes,
    )
    named('PersistentVolumeClaim', spec.volumes[0].persistentVolumeClaim.claimName as string)
  }
})

it('settings are those that the handbook knows', () => {
  const { metadata, data } = named('ConfigMap', 'quarterdeck')
  for (const deployment of deployments)
    assert.deepEqual(containerOf(deployment).envFrom, [{ configMapRef: { name: metadata.name } }, { secretRef: { name: metadata.name } }])
  const [, secrets = ''] = /^# with (.+)\.$/m.exec(read('src/operate/kubernetes/quarterdeck.yaml')) ?? []
  const names = [...Object.keys(data as object), ...secrets.split(/, | and /)]
  assert.ok(names.includes('TOKEN_SECRET'))
  for (const name of names) assert.ok(handbook.includes(`\`${name}\``), name)
  for (const value of Object.values(data as object)) assert.equal(typeof value, 'string')
})

it('probes ask for what is answered, by the port that the image opens, and people come to the servers alone', async () => {
  const server = containerOf(named('Deployment', 'server'))
  const [port] = server.ports ?? []
  assert.equal(port?.containerPort, Number(/^EXPOSE (\d+)$/m.exec(image)?.[1]))
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
    const { path = '', port: by } = server[probe]?.httpGet ?? {}
    assert.equal(by, port?.name)
    assert.equal((await fetch(nodes.urls[0] + path)).status, 200, path)
  }
  const service = named('Service', 'quarterdeck')
  assert.deepEqual(service.spec.selector, named('Deployment', 'server').spec.template.metadata.labels)
  assert.equal(service.spec.ports[0].targetPort, port?.name)
  const [rule] = named('Ingress', 'quarterdeck').spec.rules
  assert.deepEqual(rule.http.paths[0].backend.service, { name: 'quarterdeck', port: { name: service.spec.ports[0].name } })
  assert.equal(named('ConfigMap', 'quarterdeck').data.SWIFTARR_EXTERNAL_URL, `https://${rule.host}`)
})
