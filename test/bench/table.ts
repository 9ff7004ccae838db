// Ratios of alternating runs, and how they are shown.

/** One line of the result. */
export interface Row {
  work: string
  unit: string
  /** Medians. */
  ours: number
  limit: number
  ratio: number
  /** Lowest and highest ratio of a pair of runs. */
  spread: [low: number, high: number]
}

/** Runs the two in turn, `pairs` times after one warm-up, and takes the ratio pair by pair: the machine's speed drifts. */
export async function compare(
  work: string,
  unit: string,
  pairs: number,
  ours: () => Promise<number>,
  limit: () => Promise<number>,
): Promise<Row> {
  await ours()
  await limit()
  const measured: { ours: number; limit: number }[] = []
  for (let pair = 0; pair < pairs; pair++) measured.push({ ours: await ours(), limit: await limit() })
  return rowOf(work, unit, measured)
}

/** The line of pairs that were measured at the same time or in turn. */
export function rowOf(work: string, unit: string, measured: readonly { ours: number; limit: number }[]): Row {
  const ratios = measured.map((each) => each.ours / each.limit).toSorted((a, b) => a - b)
  return {
    work,
    unit,
    ours: median(measured.map((each) => each.ours)),
    limit: median(measured.map((each) => each.limit)),
    ratio: median(ratios),
    spread: [ratios[0] ?? NaN, ratios.at(-1) ?? NaN],
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

/** The value below which this share of all lies; 1 for the greatest. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** Three digits, and no part of a whole. */
export const shown = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3))

/** Lowest, median and highest of several runs. */
export const shownSpread = (values: readonly number[]): string =>
  `${shown(median(values))} (${shown(Math.min(...values))}-${shown(Math.max(...values))})`

/** Markdown, so that it can go into the README as it is. Columns after the first `texts` hold numbers. */
export function markdown(headings: readonly string[], lines: readonly (readonly string[])[], texts = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(headings), `|${headings.map((_, column) => (column < texts ? '---' : '---:')).join('|')}|`, ...lines.map(line)].join('\n')
}

export function tableOf(rows: readonly Row[]): string {
  return markdown(
    ['Work', 'Unit', 'Quarterdeck', 'Limit', 'Ratio', 'Spread'],
    rows.map(({ work, unit, ours, limit, ratio, spread }) => [
      work,
      unit,
      shown(ours),
      shown(limit),
      ratio.toFixed(2),
      `${spread[0].toFixed(2)}-${spread[1].toFixed(2)}`,
    ]),
    2,
  )
}
