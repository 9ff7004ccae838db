// Names of stored images and where they lie. Pure: nothing a client sends gets into a path except
// through `imageNameOf`.

/** `thumb` holds a small copy of each image in `full`; `archive` the small copies of images that were taken away. */
export type ImageSize = 'full' | 'thumb' | 'archive'

const contentTypes: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  png: 'image/png',
  tiff: 'image/tiff',
  wbmp: 'image/vnd.wap.wbmp',
  webp: 'image/webp',
}

const pattern = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\.([^.]*))?$/i

/**
 * The name under which an image is stored: a UUID in upper case and one of the known extensions, `jpg`
 * in place of all others. Undefined when it is no such name.
 */
export function imageNameOf(filename: string): string | undefined {
  const [, name, extension = ''] = pattern.exec(filename) ?? []
  if (name === undefined) return undefined
  const lower = extension.toLowerCase()
  return `${name.toUpperCase()}.${Object.hasOwn(contentTypes, lower) ? lower : 'jpg'}`
}

/** Below the root of stored images; `name` comes from `imageNameOf`. */
export function imagePath(size: ImageSize, name: string): string {
  return `${size}/${name.slice(0, 2)}/${name}`
}

/** Media type by the extension of a name from `imageNameOf`. */
export function contentTypeOf(name: string): string {
  return contentTypes[name.slice(name.indexOf('.') + 1)] ?? 'image/jpeg'
}
