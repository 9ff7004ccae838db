// Where in a JSON text something stands: for people who mend files by hand. Pure.

/** The line at which a text stops being JSON, from 1. */
export function lineOfSyntaxError(json: string): number {
  const lines = json.split('\n')
  // All that stands before the mistake only lacks an end.
  let [good, bad] = [0, lines.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (lacksOnlyAnEnd(lines.slice(0, middle).join('\n'))) good = middle
    else bad = middle
  }
  return bad
}

function lacksOnlyAnEnd(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    return position === undefined
      ? /end of JSON input/.test(message)
      : Number(position) >= json.trimEnd().length || /Unterminated/.test(message)
  }
}

/** The line at which an item of the list begins that a text is, from 1. */
export function lineOfItem(json: string, index: number): number {
  let [line, depth, item] = [1, 0, 0]
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at] as string
    if (character === '\n') line++
    if (inText) {
      if (character === '\\') at++
      else if (character === '"') inText = false
      continue
    }
    if (depth === 1 && item === index && !/[\s,]/.test(character)) return line
    if (depth === 1 && character === ',') item++
    if (character === '"') inText = true
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
  }
  return line
}
