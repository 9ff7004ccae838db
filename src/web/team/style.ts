// The console's own styles come with its code: most people never load them.
import text from './console.css' with { type: 'text' }

const sheet = new CSSStyleSheet()
sheet.replaceSync(text)
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
