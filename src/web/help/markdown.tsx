// Shows Markdown: headings, paragraphs, lists, tables, code, emphasis, links and the app's own pictures, as elements. HTML in it stays text.
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { isOwnPath } from '../kit/words.tsx'

export function Markdown({ text }: { text: string }) {
  const blocks = blocksOf(text.replace(/\r\n?/g, '\n').split('\n'))
  // The page around it has a title: one of the text's own would say it twice.
  const titles = blocks.filter(({ level }) => level === 1)
  const shown = titles.length === 1 ? blocks.filter((block) => block !== titles[0]) : blocks
  return (
    <>
      {shown.map((block, index) => (
        <Shown key={index} block={block} />
      ))}
    </>
  )
}

interface Block {
  kind: 'heading' | 'paragraph' | 'code' | 'quote' | 'list' | 'table' | 'line' | 'picture'
  level?: number
  ordered?: boolean
  /** Of a paragraph one, of a list one for each item, of a table one for each row; of a picture what it shows, and its address. */
  texts: string[]
}

/** Files of the app: what hosts write shows none from elsewhere. */
const picture = /^!\[([^\][]*)\]\((\/web\/[\w.-]+)\)$/
const item = /^\s*(?:[-*+]|(\d+)[.)])\s(.*)$/s

/** Undefined for any other line. It may end with the marks that it begins with. */
function headingOf(line: string): { level: number; texts: [string] } | undefined {
  const [, marks = '', rest = ''] = /^(#{1,6})\s(.*)$/s.exec(line) ?? []
  const text = rest
    .trim()
    .replace(/(?<!#)#+$/, '')
    .trim()
  return text === '' ? undefined : { level: marks.length, texts: [text] }
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let isOpen = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    const last: Block | undefined = isOpen ? blocks.at(-1) : undefined
    const heading = headingOf(line)
    const listed = item.exec(line)
    const pictured = picture.exec(line)
    isOpen = true
    if (/^\s*```/.test(line)) {
      const end = lines.findIndex((other, index) => index > at && /^\s*```/.test(other))
      const stop = end < 0 ? lines.length : end
      blocks.push({ kind: 'code', texts: [lines.slice(at + 1, stop).join('\n')] })
      at = stop
      isOpen = false
    } else if (pictured) {
      blocks.push({ kind: 'picture', texts: pictured.slice(1) })
      isOpen = false
    } else if (line.trim() === '') isOpen = last?.kind === 'list' && item.test(lines[at + 1] ?? '')
    else if (heading) {
      blocks.push({ kind: 'heading', ...heading })
      isOpen = false
    } else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      blocks.push({ kind: 'line', texts: [] })
      isOpen = false
    } else if (listed) {
      const text = listed[2]?.trim() ?? ''
      if (last?.kind === 'list') last.texts.push(text)
      else blocks.push({ kind: 'list', ordered: listed[1] !== undefined, texts: [text] })
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      if (last?.kind === 'table') last.texts.push(line)
      else blocks.push({ kind: 'table', texts: [line] })
    } else if (/^\s*>/.test(line)) {
      const text = line.replace(/^\s*>\s?/, '')
      if (last?.kind === 'quote') last.texts[0] += ` ${text}`
      else blocks.push({ kind: 'quote', texts: [text] })
    } else if (last && (last.kind === 'paragraph' || last.kind === 'list' || last.kind === 'quote')) {
      last.texts[last.texts.length - 1] += ` ${line.trim()}`
    } else blocks.push({ kind: 'paragraph', texts: [line.trim()] })
  }
  return blocks
}

function Shown({ block: { kind, level = 1, ordered, texts } }: { block: Block }) {
  const [text = ''] = texts
  switch (kind) {
    case 'heading':
      return level <= 2 ? <h2>{inline(text)}</h2> : <h3>{inline(text)}</h3>
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      )
    case 'quote':
      return <blockquote>{inline(text)}</blockquote>
    case 'line':
      return <hr />
    case 'picture':
      return <img class="shown" src={texts[1]} alt={text} width={1000} height={640} loading="lazy" />
    case 'table':
      return <Table rows={texts} />
    case 'list': {
      const items = texts.map((each, index) => <li key={index}>{inline(each)}</li>)
      return ordered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    default:
      return <p>{inline(text)}</p>
  }
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

function Table({ rows }: { rows: readonly string[] }) {
  const [head = [], ...body] = rows.map(cellsOf).filter((cells) => !cells.every((cell) => /^:?-+:?$/.test(cell)))
  return (
    <div class="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, column) => (
                <td key={column}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const marks =
  /`([^`]+)`|\*\*(.+?)\*\*|(?<![\w*])[*_]([^*_\s](?:[^*_]*[^*_\s])?)[*_](?![\w*])|!?\[([^\][]*)\]\(([^\s()]+)(?:\s[^()]*)?\)|<(https?:\/\/[^<>\s]+)>|(https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?])/g

/** `inLink`: no link is in another one. */
function inline(text: string, inLink = false): ComponentChildren[] {
  const found: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(marks)) {
    const [whole, code, bold, italic, label, target, pointed, bare] = match
    found.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (code) found.push(<code>{code}</code>)
    else if (bold) found.push(<b>{inline(bold, inLink)}</b>)
    else if (italic) found.push(<em>{inline(italic, inLink)}</em>)
    else if (inLink) found.push(label ?? pointed ?? bare)
    else if (target !== undefined) found.push(<Target href={target}>{inline(honest(label ?? '', target), true)}</Target>)
    else found.push(<Target href={pointed ?? bare ?? ''}>{pointed ?? bare}</Target>)
  }
  found.push(text.slice(end))
  return found
}

/** The words of a link; the address itself where they look like another one. */
function honest(label: string, target: string): string {
  const looksLikeAddress = /^\s*(?:(?:https?:)?\/\/|[\w-]+(?:\.[\w-]+)+(?:\/|\s*$))/i.test(label)
  return looksLikeAddress && /^https?:/i.test(target) && !target.includes(label.trim()) ? target : label
}

/** Only addresses of the web and of the app lead anywhere; files of the repository are not aboard. */
function Target({ href, children }: { href: string; children: ComponentChildren }) {
  if (isOwnPath(href)) return <Link href={href}>{children}</Link>
  if (!/^(https?:|mailto:)/i.test(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
