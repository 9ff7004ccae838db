// The check that every test's answers go through must itself find what it looks for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertReply } from '../support/reply-schemas.ts'

const refusal = { error: true, status: 400, code: 'not_available', reason: 'No.' }
const owner = { userID: '00000000-0000-4000-8000-00000000000a', username: 'sam' }
const fez = {
  fezID: '00000000-0000-4000-8000-0000000000ff',
  owner,
  fezType: 'gaming',
  title: 'Cards',
  info: '',
  participantCount: 1,
  minParticipants: 0,
  maxParticipants: 0,
  cancelled: false,
  visibility: 'public',
  lastModificationTime: '2024-02-27T18:03:04.120Z',
}
const path = `/fez/${fez.fezID}?limit=1`

test('assertReply takes what the API declares', () => {
  assertReply('GET', path, 200, fez)
  assertReply('GET', `/api/v3${path}`, 200, fez)
  assertReply('GET', '/fez/types', 200, ['Gaming'])
  assertReply('DELETE', `/fez/${fez.fezID}`, 204, undefined)
  assertReply('GET', '/events', 304, undefined)
  assertReply('GET', path, 400, refusal)
  assertReply('POST', '/fez/create', 400, { ...refusal, fieldErrors: { title: 'too short' } })
  assertReply('GET', '/nothing/here', 404, { ...refusal, status: 404 })
  assertReply('GET', '//health/ready', 200, { anything: 1 })
})

test('assertReply refuses everything else', () => {
  const cases: Record<string, [path: string, status: number, body: unknown]> = {
    'an additional key': [path, 200, { ...fez, extra: 1 }],
    'an additional key further in': [path, 200, { ...fez, owner: { ...owner, extra: 1 } }],
    'a missing key': [path, 200, { ...fez, title: undefined }],
    'a null': [path, 200, { ...fez, location: null }],
    'a date without milliseconds': [path, 200, { ...fez, startTime: '2024-02-27T18:03:04Z' }],
    'a UUID in upper case': [path, 200, { ...fez, fezID: fez.fezID.toUpperCase() }],
    'no body': [path, 200, undefined],
    'a path that is not declared': ['/nothing/here', 200, {}],
    'the schema of a parameter where a constant matches': ['/fez/types', 200, fez],
    'a refusal without a body': [path, 400, undefined],
    'a refusal with another status inside': [path, 403, refusal],
    'a refusal with another key': [path, 400, { ...refusal, cause: 'x' }],
    'a refusal that is none': [path, 400, { ...refusal, error: false }],
  }
  for (const [name, [path, status, body]] of Object.entries(cases)) {
    assert.throws(() => assertReply('GET', path, status, body), { name: 'AssertionError' }, name)
  }
  assert.throws(() => assertReply('DELETE', `/fez/${fez.fezID}`, 204, fez), { name: 'AssertionError' })
})
