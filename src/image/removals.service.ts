// When images may be removed.
import type { Ctx } from '../core/work/ctx.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { tryImages } from './queries.ts'

/**
 * False while a backup looks for images: one that a row referred to when it began must still be there.
 * To be asked after the commit of what gave an image up: a backup that begins later has no such row.
 */
export const mayRemoveImages = ({ sql }: Ctx<Viewer | undefined>): Promise<boolean> => tryImages(sql)
