// A QR code as a picture to print.
import { encode } from 'uqr'

export function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={text} shape-rendering="crispEdges">
      <path d={path} />
    </svg>
  )
}
