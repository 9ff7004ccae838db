// The host's own texts in memory on every node: they are read before anybody signs in.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { selectTexts, type TextRow } from './queries.ts'

/** Texts were written, or removed. */
export type TextsEvent = { type: 'changed' }

/** All texts that the host has written. */
export class TextsChannel extends Channel<TextsEvent, TextRow[]> {
  readonly #node: Node
  #texts: ReadonlyMap<string, TextRow> = new Map()

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  /** The host's text of this name. */
  find(name: string): TextRow | undefined {
    return this.#texts.get(name)
  }

  /** It is read again when somebody wants a text. */
  get busy(): boolean {
    return false
  }

  protected override async read(): Promise<TextRow[]> {
    return await selectTexts(this.#node.db.sql)
  }

  protected override install(rows: TextRow[]): void {
    this.#texts = new Map(rows.map((row) => [row.name, row]))
  }

  protected override apply(): 'reload' {
    return 'reload'
  }
}

export const textsKind: Kind<TextsChannel, TextsEvent> = {
  name: 'texts',
  tables: ['public_text'],
  create: (node, id) => new TextsChannel(node, id),
}

/** The one channel of texts has this id. */
export const textsId = 'all'

/** The host's texts as they are now: at once unless they have to be read. */
export function textsOf(node: Node): TextsChannel | Promise<TextsChannel> {
  return node.channels.sole(textsKind, textsId)
}
