// The manifest of a folder of the browser app: all that the frame and lower folders have to know of it. `features.ts` lists them.
import type { ComponentChildren, ComponentType } from 'preact'
import type { PostPlace } from '../outbox.ts'
import type { Book, TextKey } from '../texts.ts'

/** What is absent, it has not. */
export interface Feature {
  /** Its pages, as `Route`s: the first that fits a path counts. */
  pages?: ComponentChildren
  /** Those that are there also without a sign-in. */
  openPages?: ComponentChildren
  /** Words that come with the pages. */
  texts?: Book
  /** Words for its addresses in what people write, by how paths begin. The first that fits counts. */
  links?: readonly (readonly [begins: RegExp, word: TextKey])[]
  /** A button beside the field for posts. */
  InCompose?: ComponentType<PostPlace>
  /** What a text leads to, in place of its words, which are the children; these where it leads to nothing of this feature. */
  InPost?: ComponentType<InPostProps>
}

export interface InPostProps {
  text: string
  children: ComponentChildren
}

/** All of them, once the pages are loaded. */
const installed: Feature[] = []

/** Makes features known to what lies below them: posts, the field for them, links. */
export const install = (features: readonly Feature[]): unknown => installed.push(...features)

/** What features offer beside the field for posts. */
export function ComposeButtons(place: PostPlace) {
  return <>{installed.map(({ InCompose }, index) => InCompose && <InCompose key={index} {...place} />)}</>
}

/** The words of a post, or what a feature shows for them. */
export function Shown({ text, children }: InPostProps) {
  return <>{installed.reduce((inner, { InPost }) => (InPost ? <InPost text={text}>{inner}</InPost> : inner), children)}</>
}

/** The word for a path, where a feature has one. */
export const wordOf = (path: string): TextKey | undefined =>
  installed.flatMap(({ links = [] }) => links).find(([begins]) => begins.test(path))?.[1]
