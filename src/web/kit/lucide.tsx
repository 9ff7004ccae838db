// Draws the pictures of the package lucide, whose own component knows more ways than are used here and is three times as large.
import { h, type VNode } from 'preact'

type Line = readonly [tag: string, attributes: Record<string, string>]

interface IconProps {
  /** Width and height, in pixels. */
  size?: number
  class?: string
  /** What it says to those who do not see it; without one it is decoration. */
  'aria-label'?: string
}

const line = { fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } as const

/** A component that draws these lines; the build puts it in the place of the package's function of this name. */
export default function createLucideIcon(lines: readonly Line[]): (props: IconProps) => VNode {
  return ({ size = 24, ...rest }) => {
    const spoken = rest['aria-label'] === undefined ? ({ 'aria-hidden': 'true' } as const) : ({ role: 'img' } as const)
    return (
      <svg {...line} width={size} height={size} viewBox="0 0 24 24" {...spoken} {...rest}>
        {lines.map(([tag, attributes]) => h(tag, attributes))}
      </svg>
    )
  }
}
