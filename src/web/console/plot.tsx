// A plot over time with its values under the pointer, and the newest ones as text for those who do not see it.
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { clock, fullDay } from '../kit/time.ts'
import uplotStyle from 'uplot/dist/uPlot.min.css' with { type: 'text' }
import { language, locale } from '../texts.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(uplotStyle)
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]

export interface Line {
  label: string
  /** Custom property of the stylesheet. */
  colour: '--sea' | '--sun' | '--coral' | '--kelp'
  values: readonly (number | undefined)[]
  /** What another place of the page says of it: the same figure stands here. */
  now?: number | undefined
}

interface PlotProps {
  title: string
  at: readonly string[]
  lines: readonly Line[]
  /** Of all lines, where they share one. */
  unit?: string
}

const height = 200

export function Plot({ title, at, lines, unit = '' }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>()
  const data = [at.map((time) => Date.parse(time) / 1000), ...lines.map(({ values }) => values.map((value) => value ?? null))]
  const last = (line: Line) => line.now ?? line.values.findLast((value) => value !== undefined) ?? 0
  useEffect(() => {
    const element = box.current
    if (!element) return
    const night = matchMedia('(prefers-color-scheme: dark)')
    const draw = () => {
      plot.current?.destroy()
      plot.current = new uPlot(optionsOf(element, lines, at, unit), data as uPlot.AlignedData, element)
    }
    draw()
    const sizes = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    night.addEventListener('change', draw)
    const stopLanguage = effect(() => void language.value)
    return () => {
      sizes.disconnect()
      night.removeEventListener('change', draw)
      stopLanguage()
      plot.current?.destroy()
    }
  }, [lines.map(({ label }) => label).join()])
  useEffect(() => plot.current?.setData(data as uPlot.AlignedData), [at.at(-1), at.length, lines.map(({ values }) => values.at(-1)).join()])
  return (
    <section class="card pad plot">
      <div class="plot-top">
        <h3>{title}</h3>
        <ul>
          {lines.map((line) => (
            <li key={line.label}>
              <span class="dot" data-colour={line.colour} aria-hidden="true" /> {line.label} <b>{withUnit(last(line), unit)}</b>
            </li>
          ))}
        </ul>
      </div>
      <div ref={box} aria-hidden="true" />
    </section>
  )
}

const withUnit = (value: number, unit: string): string =>
  `${new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(value)}${unit && ` ${unit}`}`

function optionsOf(element: HTMLElement, lines: readonly Line[], at: readonly string[], unit: string): uPlot.Options {
  const style = getComputedStyle(element)
  // `light-dark()` has no value of its own here: a colour that is in use has.
  const colourOf = (name: string) => {
    const probe = document.createElement('span')
    probe.style.color = `var(${name})`
    element.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
  const [quiet, line] = [colourOf('--quiet'), colourOf('--line')]
  const long = at.length > 1 && Date.parse(at.at(-1) ?? '') - Date.parse(at[0] ?? '') > 25 * 60 * 60_000
  const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: `12px ${style.fontFamily}` }
  const time = (seconds: number) => clock(new Date(seconds * 1000))
  return {
    width: element.clientWidth,
    height,
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    legend: { show: true, live: true },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.15)] } },
    axes: [
      {
        ...axis,
        space: 70,
        // Of a server that has just started there may be several ticks within a minute.
        incrs: [1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1440, 2880, 10_080].map((minutes) => minutes * 60),
        values: (_plot, ticks) => ticks.map((tick) => (long ? fullDay(new Date(tick * 1000)).replace(/^\w+, /, '') : time(tick))),
      },
      { ...axis, size: unit ? 64 : 44, values: (_plot, ticks) => ticks.map((tick) => withUnit(tick, unit)) },
    ],
    series: [
      {
        label: ' ',
        value: (_plot, value) => (value === null ? '' : long ? `${fullDay(new Date(value * 1000))}, ${time(value)}` : time(value)),
      },
      ...lines.map(({ label, colour }): uPlot.Series => ({
        label,
        stroke: colourOf(colour),
        width: 2,
        points: { show: false },
        spanGaps: true,
        value: (_plot, value) => (value === null ? '–' : withUnit(value, unit)),
      })),
    ],
  }
}
