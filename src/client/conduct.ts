// The code of conduct in the form that older apps want, made from its Markdown. Pure.

/** A text, or a list of texts. */
export interface ConductParagraph {
  text?: string
  list?: string[]
}

export interface ConductSection {
  header?: string
  paragraphs: ConductParagraph[]
}

export interface ConductDocument {
  header: string
  sections: ConductSection[]
}

/** Apps show these one after the other, and know no others. */
const names = ['guidelines', 'codeofconduct', 'twitarrconduct'] as const
export type Conduct = Partial<Record<(typeof names)[number], ConductDocument>>

/** One document from each first-level heading. With more headings than apps know documents, the last one holds the rest. */
export function conductOf(markdown: string): Conduct {
  const conduct: Conduct = {}
  const unnamed = documentsOf(markdown).filter((document) => {
    const name = nameFor(document.header)
    if (!name || conduct[name]) return true
    conduct[name] = document
    return false
  })
  for (const document of unnamed) {
    const name = names.find((each) => !conduct[each])
    if (name) conduct[name] = document
    else conduct.twitarrconduct?.sections.push({ header: document.header, paragraphs: [] }, ...document.sections)
  }
  return conduct
}

function nameFor(header: string): (typeof names)[number] | undefined {
  if (/guideline/i.test(header)) return 'guidelines'
  return /code of conduct/i.test(header) ? 'codeofconduct' : undefined
}

function documentsOf(markdown: string): ConductDocument[] {
  const documents: ConductDocument[] = []
  /** Lines of a paragraph or of the last entry of a list that may still go on. */
  let open: { add(line: string): void } | undefined
  const document = () => documents.at(-1) ?? begin('Code of Conduct')
  const begin = (header: string) => {
    const made: ConductDocument = { header, sections: [] }
    documents.push(made)
    return made
  }
  const section = () => {
    const { sections } = document()
    const last = sections.at(-1) ?? { paragraphs: [] }
    if (sections.length === 0) sections.push(last)
    return last
  }
  for (const raw of markdown.split(/\r?\n/)) {
    const line = raw.trim()
    const [, hashes, heading] = /^(#{1,6})\s(.*)$/s.exec(line) ?? []
    const [, item] = /^(?:[-*+]|\d{1,9}[.)])\s(.*)$/s.exec(line) ?? []
    if (heading !== undefined) {
      open = undefined
      if (hashes === '#') begin(titleOf(heading))
      else document().sections.push({ header: titleOf(heading), paragraphs: [] })
    } else if (line === '' || /^([-*_]\s*){3,}$/.test(line)) {
      open = undefined
    } else if (item !== undefined) {
      const { paragraphs } = section()
      const last = paragraphs.at(-1)
      const list = last?.list ?? []
      if (last?.list === undefined) paragraphs.push({ list })
      const index = list.push(plain(item.trim())) - 1
      open = { add: (more) => (list[index] += ` ${plain(more)}`) }
    } else if (open) {
      open.add(line)
    } else {
      const paragraph = { text: plain(line) }
      section().paragraphs.push(paragraph)
      open = { add: (more) => (paragraph.text += ` ${plain(more)}`) }
    }
  }
  return documents
}

/** Of a heading: it may end with the marks that it begins with. */
const titleOf = (heading: string): string => plain(heading.replace(/(?<!#)#+$/, '').trim())

/** Text without the marks of Markdown; the address of a link stays. */
function plain(text: string): string {
  return text
    .replace(/^>\s?/, '')
    .replace(/!?\[([^\][]{0,1000})\]\(([^\s()]{0,1000})\)/g, (_all, label: string, address: string) =>
      label === address ? label : `${label} (${address})`,
    )
    .replace(/\*\*(\S.*?)\*\*/g, '$1')
    .replace(/__(\S.*?)__/g, '$1')
    .replace(/(^|[^\w*\\])\*(?=\S)([^*]+)\*(?!\w)/g, '$1$2')
    .replace(/(^|\W)_(?=\S)([^_]+)_(?!\w)/g, '$1$2')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!-])/g, '$1')
}
