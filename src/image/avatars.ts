// Addresses of users' pictures that an older site had; texts of people still lead there.
import { noSuchRoute } from '../core/base/errors.ts'
import type { Page } from '../core/http/http.ts'
import { apiPrefix, Reply } from '../core/http/route.ts'
import { isUuid } from '../core/schema/decode.ts'

export const avatarPages: Page[] = (['full', 'thumb'] as const).map((size) => ({
  path: `/avatar/${size}/:user_id`,
  about: {
    summary: 'The picture of a user, by the address that an older site had for it.',
    type: 'image/*',
    redirects: 302,
    refusals: [404],
  },
  run(_node, [userId = '']) {
    if (!isUuid(userId)) throw noSuchRoute()
    return new Reply(302, undefined, { Location: `${apiPrefix}/image/user/${size}/${userId}` })
  },
}))
