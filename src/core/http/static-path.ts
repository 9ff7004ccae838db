// From the address of a static file to the parts of its path, of which none leads out of its folder.
import { forbidden, noSuchRoute } from '../base/errors.ts'

/**
 * The parts of a path below `root`; hidden files and empty names are not there.
 *
 * @throws AppError 403 for a way upwards, 404 for anything else that names no file.
 */
export function staticPath(url: string, root: string): string[] {
  const path = decoded(url.slice(root.length))
  const segments = path.split(/[/\\]/)
  if (segments.includes('..')) throw forbidden('path_invalid', 'A path must not lead upwards.')
  if (path.includes('\0') || segments.some((segment) => segment === '' || segment.startsWith('.'))) throw noSuchRoute()
  return segments
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw noSuchRoute()
  }
}
