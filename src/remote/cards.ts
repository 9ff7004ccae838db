// Registration codes as a page of cards that a browser prints.
import { renderSVG } from 'uqr'

const style = `
body { margin: 0; font: 10pt/1.3 system-ui, sans-serif; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 3mm; }
div { display: flex; gap: 4mm; align-items: center; box-sizing: border-box; height: 50mm; padding: 4mm; border: 1px dashed #777; break-inside: avoid; }
div:nth-child(10n) { break-after: page; }
svg { flex: none; width: 32mm; height: 32mm; }
p { margin: 0; overflow-wrap: anywhere; }
b { display: block; font: 700 18pt/1.4 ui-monospace, monospace; }
@page { size: auto; margin: 10mm; }`

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Lines of HTML: ten cards on a page, each with a code, where to use it, and both as a QR code. */
export function pageOfCards(codes: readonly string[], address: string): string[] {
  const place = address.replace(/\/$/, '')
  const card = (code: string) =>
    `<div>${renderSVG(`${place}/createAccount?code=${encodeURIComponent(code)}`, { border: 2 })}` +
    `<p>${escaped(place.replace(/^https?:\/\//, ''))}<b>${escaped(`${code.slice(0, 3)} ${code.slice(3)}`.toUpperCase())}</b></p></div>`
  return [
    '<!doctype html>',
    `<meta charset="utf-8"><title>${escaped(place)}</title><style>${style}</style>`,
    '<main>',
    ...codes.map(card),
    '</main>',
  ]
}
