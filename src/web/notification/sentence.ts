// A notice in its reader's language: for pages, and for the service worker when there is none. Pure.

interface Said {
  type: string
  /** The server's sentence, in English; it names who and what. */
  info: string
}

/** A text with its values filled in; undefined where the language has none, or is English. */
export type Translate = (key: string, values: Readonly<Record<string, string>>) => string | undefined

/** How the server ends what it says of an event that is not any more. */
const takenOff = ' has been taken off the schedule.'

export function sentenceOf({ type, info }: Said, translate: Translate): string {
  const name = /^@(\S+)/.exec(info)?.[1]
  const title = /"(.*?)"[.:]?/s.exec(info)?.[1] ?? /^(.*) is starting soon/s.exec(info)?.[1]
  const text = /^@\S+ wrote[^":]*(?:"[^"]*")?: (.*)$/s.exec(info)?.[1]
  if (type === 'followedEventStarting' && title === undefined) {
    const isGone = info.endsWith(takenOff)
    const key = isGone ? 'notice.eventGone' : 'notice.eventMoved'
    return translate(key, { text: isGone ? info.slice(0, -takenOff.length) : info }) ?? info
  }
  const form = [name !== undefined && 'name', title !== undefined && 'title', text !== undefined && 'text'].filter(Boolean).join('-')
  const values = { name: name ?? '', title: title ?? '', text: text ?? '' }
  return translate(`notice.${type}.${form}`, values) ?? translate(`notice.${type}`, values) ?? info
}
