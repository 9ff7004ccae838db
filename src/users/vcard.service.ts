// GET /users/:user_id/vcard.
import type { Ctx } from '../core/work/ctx.ts'
import { notAvailable } from '../core/base/errors.ts'
import { Reply } from '../core/http/route.ts'
import { blocked, isModerator } from '../core/base/viewer.ts'
import { imagePath } from '../image/names.ts'
import { selectProfileChange, selectProfileFor } from './profile.queries.ts'
import { isWithheld } from './views.ts'
import { vcardOf, type Card } from './vcard.ts'

/** A profile as a card for the contacts of a phone, with as much of it as the caller may see. */
export async function getVcard(ctx: Ctx, accountId: string): Promise<Reply> {
  const row = await selectProfileFor(ctx.sql, accountId, ctx.viewer.id)
  if (!row || blocked(ctx.viewer, row) || (row.level === 'banned' && !isModerator(ctx.viewer))) throw notAvailable('profile')
  const isShown = !isWithheld(ctx.viewer, row)
  const text = (of: string | null) => (isShown ? (of ?? '') : '')
  const card = vcardOf({
    id: row.id,
    username: row.username,
    changedAt: (await selectProfileChange(ctx.sql, row.id)) ?? new Date(0),
    displayName: text(row.displayName),
    realName: text(row.realName),
    email: text(row.email),
    homeLocation: text(row.homeLocation),
    discordUsername: text(row.discordUsername),
    pronouns: text(row.preferredPronoun),
    about: text(row.about),
    photo: isShown && row.userImage ? await photoOf(ctx, row.userImage) : undefined,
  })
  return new Reply(200, Buffer.from(card), {
    'Content-Type': 'text/vcard; charset=utf-8',
    'Content-Disposition': `attachment; filename="${row.username.replace(/[^\w.+-]/g, '_')}.vcf"`,
  })
}

/** The thumbnail, if it can be read and contacts know its kind. */
async function photoOf({ node }: Ctx, name: string): Promise<Card['photo']> {
  const type = ({ jpg: 'JPEG', jpeg: 'JPEG', png: 'PNG', gif: 'GIF' } as const)[name.split('.').at(-1)?.toLowerCase() ?? '']
  if (!type) return undefined
  const bytes = await node.files.store.read(imagePath('thumb', name)).catch(() => undefined)
  return bytes && { type, bytes }
}
