// Finds the regular expressions of sources, and those that can take more than linear time.
import { CharSet, DFA, ENFA, isDisjointWith, JS, NFA, type Concatenation, type Element, type NoParent, type Quantifier } from 'refa'
import { analyse } from 'scslre'

export interface Literal {
  source: string
  flags: string
}

/** The literals in JavaScript. It needs no more than to know where a slash divides. */
export function literalsIn(code: string): Literal[] {
  const found: Literal[] = []
  /** Of each template that is open: the braces that are, within its last hole. */
  const holes: number[] = []
  let before = ''
  let at = 0
  const pass = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [text] = pattern.exec(code) ?? ['']
    at += text.length
    return text
  }
  const passTemplate = () => {
    const text = pass(/(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y)
    if (text.endsWith('{')) holes.push(0)
    before = text.endsWith('{') ? '(' : 'x'
  }
  while (at < code.length) {
    if (pass(/\s+|\/\/.*|\/\*[^]*?\*\//y) !== '') continue
    const next = code[at] as string
    if (next === '"' || next === "'") {
      pass(next === '"' ? /"(?:[^"\\]|\\[^])*"/y : /'(?:[^'\\]|\\[^])*'/y)
      before = 'x'
    } else if (next === '`') {
      at++
      passTemplate()
    } else if (next === '}' && holes.at(-1) === 0) {
      holes.pop()
      at++
      passTemplate()
    } else if (
      next === '/' &&
      (/^(return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)?$/.test(before) || !/[\w$)\]]$/.test(before))
    ) {
      const text = pass(/\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y)
      if (text === '') throw new Error(`A slash that nobody understands: ${code.slice(at, at + 60)}`)
      const end = text.lastIndexOf('/')
      found.push({ source: text.slice(1, end), flags: text.slice(end + 1) })
      before = 'x'
    } else {
      before = pass(/[\w$]+|[^]/y)
      if (holes.length > 0 && before === '{') holes.push((holes.pop() as number) + 1)
      if (holes.length > 0 && before === '}') holes.push((holes.pop() as number) - 1)
    }
  }
  return found
}

/** Why an expression may take more than linear time; empty when it cannot. */
export function slownessOf({ source, flags }: Literal): string[] {
  const backtracks = analyse(new RegExp(source, flags)).reports.map(({ type, character }) => `${type}: ${character.pick} again and again`)
  return [...backtracks, ...restartsOf(source, flags)]
}

type Node = NoParent<Element>

const inOrder = (elements: readonly Node[]): NoParent<Concatenation> => ({ type: 'Concatenation', elements: [...elements] })

/**
 * Loops that the engine enters again and again: where a match can begin within what the loop has passed already, and
 * what follows the loop does not come. `<[^>]*>` is one: of a thousand `<`, each looks at all later ones.
 */
function restartsOf(source: string, flags: string): string[] {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags: flags.replace('d', '') }).parse({
    maxBackreferenceWords: 0,
    backreferences: 'unknown',
  })
  const options = { maxCharacter }
  /** All that could pass as these; too much where something looks around. */
  const atMost = (elements: readonly Node[]) => NFA.fromRegex([inOrder(elements.map(withoutUnknown))], options, { assertions: 'ignore' })
  /** What passes for sure. */
  const atLeast = (elements: readonly Node[]) => NFA.fromRegex([inOrder(elements)], options, { assertions: 'disable', unknowns: 'disable' })
  const anything: Node = {
    type: 'Quantifier',
    min: 0,
    max: Infinity,
    lazy: false,
    alternatives: [inOrder([{ type: 'CharacterClass', characters: CharSet.all(maxCharacter) }])],
  }

  /** Nothing is known of what a group has taken when it is referred to. */
  const withoutUnknown = (element: Node): Node =>
    element.type === 'Unknown'
      ? anything
      : 'alternatives' in element
        ? { ...element, alternatives: element.alternatives.map(({ elements }) => inOrder(elements.map(withoutUnknown))) }
        : element

  function isEnteredAgain(before: readonly Node[], loop: NoParent<Quantifier>, after: readonly Node[]): boolean {
    let again = NFA.fromIntersection(atMost([...before, loop]), atMost([{ ...loop, min: 0 }]))
    const notAfter = before[0] && characterNotBefore(before[0])
    if (notAfter) again = NFA.fromIntersection(again, atMost([anything, { type: 'CharacterClass', characters: notAfter.negate() }]))
    if (again.isEmpty) return false
    const many = ENFA.fromFA(again)
    many.quantify(4, 4)
    // What it looks behind for is there, or the match would not begin.
    const unmatched = DFA.fromFA(atLeast([...(notAfter ? before.slice(1) : before), loop, ...after, anything]))
    unmatched.complement()
    return !isDisjointWith(NFA.fromFA(many), unmatched)
  }

  const found: string[] = []
  function visit(alternatives: readonly NoParent<Concatenation>[], before: readonly Node[], after: readonly Node[]): void {
    for (const { elements } of alternatives) {
      if (before.length === 0 && elements[0] && characterNotBefore(elements[0])?.isAll) continue
      for (const [index, element] of elements.entries()) {
        const [left, right] = [
          [...before, ...elements.slice(0, index)],
          [...elements.slice(index + 1), ...after],
        ]
        if (element.type === 'Quantifier') {
          if (element.max === Infinity && isEnteredAgain(left, element, right))
            found.push(`entered again: ${JS.toLiteral([inOrder([element])]).source}`)
          const others: Node[] = element.max > 1 ? [{ ...element, min: 0 }] : []
          visit(element.alternatives, [...left, ...others], [...others, ...right])
        } else if (element.type === 'Alternation') visit(element.alternatives, left, right)
        else if (element.type === 'Assertion' && element.kind === 'ahead') visit(element.alternatives, left, [])
        else if (element.type === 'Assertion' && hasLoop(element)) found.push('a loop that looks behind')
      }
    }
  }
  if (!flags.includes('y')) visit(expression.alternatives, [], [])
  return found
}

/** Of `(?<!x)`: x. The beginning of a text is one, too: no character stands before it. */
function characterNotBefore(element: Node): CharSet | undefined {
  if (element.type !== 'Assertion' || element.kind !== 'behind' || !element.negate || element.alternatives.length !== 1) return undefined
  const [only, ...more] = element.alternatives[0]?.elements ?? []
  return only?.type === 'CharacterClass' && more.length === 0 ? only.characters : undefined
}

const hasLoop = (element: Node): boolean =>
  (element.type === 'Quantifier' && element.max === Infinity) ||
  ('alternatives' in element && element.alternatives.some(({ elements }) => elements.some(hasLoop)))
