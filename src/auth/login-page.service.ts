// POST /login: the form with which web views of apps sign in. The session is that of every other browser.
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
  async run(node, _params, head, address, body) {
    // Browsers name the origin of every form; apps do not.
    if (head.origin === '' ? !mayRead(node.config, head) : !isFromOwnPage(node.config, head))
      throw forbidden('origin_foreign', 'This form does not come from a page of this server.')
    const { username, password } = await fieldsOf(body, head.contentType)
    if (typeof username !== 'string' || typeof password !== 'string')
      throw badRequest('field_invalid', 'The form needs a username and a password.')
    const viewer = await node.authenticator.basic(node, username, password, address)
    const ctx = new Ctx(node, viewer, { requestId: head.requestId, log: node.log, address, head })
    const cookie = await beginBrowserSession(ctx)
    return replyWithCookie(ctx, 303, cookie, undefined, { Location: './' })
  },
}

async function fieldsOf(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  if (contentType.toLowerCase().startsWith('multipart/form-data'))
    return (await parseMultipart(body, contentType)) as Record<string, unknown>
  return Object.fromEntries(new URLSearchParams(body.toString()))
}
