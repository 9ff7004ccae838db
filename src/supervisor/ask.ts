// Questions between a parent process and its child, over the channel that they share.

/** What both `process` and a forked child have. */
interface Channel {
  readonly connected: boolean
  send?(message: unknown, done: (error: Error | null) => void): boolean
  on(event: 'message', hear: (message: unknown) => void): unknown
  off(event: 'message', hear: (message: unknown) => void): unknown
}
interface Question {
  question: string
  id: number
}
interface Answer {
  answerTo: number
  value: unknown
}

let asked = 0

/** The answer of the other side; undefined when it has none, or gives it too late. */
export function ask<T>(to: Channel, question: string, withinMs: number): Promise<T | undefined> {
  const id = ++asked
  return new Promise((resolve) => {
    const settle = (value?: unknown) => {
      clearTimeout(late)
      to.off('message', hear)
      resolve(value as T | undefined)
    }
    const hear = (message: unknown) => {
      if ((message as Partial<Answer>).answerTo === id) settle((message as Answer).value)
    }
    const late = setTimeout(settle, withinMs)
    to.on('message', hear)
    if (!to.connected || !to.send) return settle()
    to.send({ question, id } satisfies Question, (error) => error && settle())
  })
}

/** Answers what the other side asks; what is not among `answers` is answered with undefined. */
export function answer(from: Channel, answers: Readonly<Record<string, () => Promise<unknown>>>): void {
  from.on('message', (message) => {
    const { question, id } = message as Partial<Question>
    if (question === undefined || id === undefined) return
    const reply = (value?: unknown) => {
      if (from.connected) from.send?.({ answerTo: id, value } satisfies Answer, () => undefined)
    }
    void (async () => answers[question]?.())().then(reply, () => reply())
  })
}
