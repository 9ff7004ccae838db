// Draws the pictures of the package lucide, whose own component knows more ways than are used here and is three times as large.
import { h, type VNode } from 'preact'

interface Drawing {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

interface IconProps {
  /** Width and height, in pixels. */
  size?: number
  class?: string
  /** What it says to those who do not see it; without one it is decoration. */
  'aria-label'?: string
}

const line = { fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } as const

/** A component that draws one; the package's files of pictures call it by this name. */
export default function createLucideIcon({ node }: Drawing): (props: IconProps) => VNode {
  return ({ size = 24, ...rest }) => {
    const spoken = rest['aria-label'] === undefined ? ({ 'aria-hidden': 'true' } as const) : ({ role: 'img' } as const)
    return (
      <svg {...line} width={size} height={size} viewBox="0 0 24 24" {...spoken} {...rest}>
        {node.map(([tag, attributes]) => h(tag, attributes))}
      </svg>
    )
  }
}
