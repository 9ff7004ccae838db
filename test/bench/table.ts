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
export async function compare(work: string, unit: string, pairs: number, ours: () => Promise<number>, limit: () => Promise<number>): Promise<Row> {
  await ours()
  await limit()
  const measured: { ours: number, limit: number }[] = []
  for (let pair = 0; pair < pairs; pair++) measured.push({ ours: await ours(), limit: await limit() })
  const ratios = measured.map((each) => each.ours / each.limit).toSorted((a, b) => a - b)
  return {
    work, unit, ours: median(measured.map((each) => each.ours)), limit: median(measured.map((each) => each.limit)),
    ratio: median(ratios), spread: [ratios[0] ?? NaN, ratios.at(-1) ?? NaN],
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

/** Markdown, so that it can go into the README as it is. */
export function tableOf(rows: readonly Row[]): string {
  const number = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3))
  return [
    '| Work | Unit | Quarterdeck | Limit | Ratio | Spread |',
    '|---|---|---:|---:|---:|---:|',
    ...rows.map(({ work, unit, ours, limit, ratio, spread }) => `| ${work} | ${unit} | ${number(ours)} | ${number(limit)} | ${ratio.toFixed(2)} | ${spread[0].toFixed(2)}-${spread[1].toFixed(2)} |`),
  ].join('\n')
}
