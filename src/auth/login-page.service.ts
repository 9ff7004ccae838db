// POST /login: how web views of apps sign in. A form gets the session of every other browser, JSON one under the name that the
// app reads and hands on.
import { Ctx } from '../core/work/ctx.ts'
import { badRequest, forbidden } from '../core/base/errors.ts'
import type { Page } from '../core/http/http.ts'
import { parseMultipart } from '../core/http/multipart.ts'
import { isFromOwnPage, mayRead } from '../core/http/own-page.ts'
import { beginBrowserSession } from './service.ts'
import { replyWithCookie } from './sessions.service.ts'

export const loginPage: Page = {
  method: 'POST',
  path: '/login',
  about: {
    summary:
      'Signs a browser or a web view in, with a cookie. A form gets the session of a browser and leads to the app; JSON one of an app.',
    type: 'application/json',
    takes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    redirects: 303,
    refusals: [400, 401, 403, 408, 413, 429, 503],
  },
  async run(node, _params, head, address, body) {
    // Browsers name the origin of every form; apps do not.
    if (head.origin === '' ? !mayRead(node.config, head) : !isFromOwnPage(node.config, head))
      throw forbidden('origin_foreign', 'This form does not come from a page of this server.')
    const { username, password } = await fieldsOf(body, head.contentType)
    if (typeof username !== 'string' || typeof password !== 'string')
      throw badRequest('field_invalid', 'The form needs a username and a password.')
    const viewer = await node.authenticator.basic(node, username, password, address)
    const ctx = new Ctx(node, viewer, { requestId: head.requestId, log: node.log, address, head })
    // The app follows a redirection without reading the cookie that comes with it.
    if (isJson(head.contentType))
      return replyWithCookie(ctx, 200, await beginBrowserSession(ctx, 'app'), { userID: viewer.id }, { kind: 'app' })
    return replyWithCookie(ctx, 303, await beginBrowserSession(ctx, 'own'), undefined, { more: { Location: './' } })
  },
}

const isJson = (contentType: string): boolean => /^application\/json\b/i.test(contentType.trim())

async function fieldsOf(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  if (isJson(contentType)) return jsonIn(body)
  if (contentType.toLowerCase().startsWith('multipart/form-data'))
    return (await parseMultipart(body, contentType)) as Record<string, unknown>
  return Object.fromEntries(new URLSearchParams(body.toString()))
}

/** No fields where it is no object. */
function jsonIn(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // The words of the error may be those of the password.
    throw badRequest('body_invalid', 'The request body is no JSON.')
  }
}
