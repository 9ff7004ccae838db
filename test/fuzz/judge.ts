// What no answer may be, whatever was asked.
import assert from 'node:assert/strict'
import type { Route } from '../../src/core/http/route.ts'
import { frameErrorCodes } from '../../src/core/base/errors.ts'
import { errorCodes } from '../../src/features.ts'
import type { Answer } from '../support/client.ts'

/** What a store, a runtime or a file system would say. */
export const leaks = [
  /\n\s+at .+:\d+:\d+/,
  /node_modules|\/dist\/src\//,
  /\$argon2/,
  /syntax error at|violates|duplicate key|invalid input syntax|operator does not exist|(relation|column) "/,
  /\b(insert into|select .{1,200} from|update \w+ set|delete from)\b/,
  /ENOENT|ECONN|EACCES/,
  /Cannot read propert|is not a function|undefined \(/,
]
/** These answer with a token, or with everything of all users. */
const giveSecrets = /^\/(auth\/(login|recovery)|user\/create|admin\/bulkuserfile\/download)/

const isKnownCode = (code = ''): boolean => Object.hasOwn(frameErrorCodes, code) || Object.hasOwn(errorCodes, code)

/** @throws AssertionError when an answer says too much, too little, or that the server has failed. */
export function judge(route: Route, path: string, { status, headers, body }: Answer<unknown>, secrets: readonly string[]): void {
  const said = JSON.stringify([headers, body])
  if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/)
  assert.ok(status < 500 || (status === 503 && mayBeBusy(route)), `${status} ${said.slice(0, 1000)}`)
  if (status === 404)
    assert.ok(
      path
        .split('?')[0]
        ?.split('/')
        .slice(1)
        .some((segment) => segment === '' || segment.startsWith('.') || segment.startsWith('%2e')),
      `404 on a path that exists: ${said.slice(0, 500)}`,
    )
  if (status >= 400) {
    assert.ok(isKnownCode((body as { code?: string } | undefined)?.code), `a refusal without a known code: ${said.slice(0, 500)}`)
    assert.ok(((body as { reason?: string } | undefined)?.reason?.length ?? 0) > 0, `a refusal without a reason: ${said.slice(0, 500)}`)
  }
  assert.equal(headers['x-content-type-options'], 'nosniff')
  for (const leak of leaks) assert.doesNotMatch(said, leak)
  if (giveSecrets.test(path)) return
  for (const secret of secrets) assert.ok(!said.includes(secret), `the answer holds ${secret}`)
}

/** 503 is meant where pictures and passwords queue. */
const mayBeBusy = ({ access, body, path }: Route): boolean =>
  access === 'basic' ||
  access === 'either' ||
  access === 'service' ||
  (/image|create|reply|update|edit|recovery|password|post/.test(path) && body !== undefined)
