// Parts of files. Pure.

/**
 * The range that a Range header asks for: from `start` up to, not including, `end`. `none` when the file has
 * nothing of it; undefined when it is to be ignored, several ranges included.
 */
export function rangeOf(header: string, size: number): { start: number; end: number } | 'none' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.replaceAll(' ', '')) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return start < end ? { start, end } : 'none'
}
