// Asks the operator, on the terminal or in a pipe, one question after the other.
import { createInterface, type Interface } from 'node:readline'
import { ConfigError } from '../core/base/config.ts'
import type { Screen } from '../terminal/screen.ts'

/** One question. `check` returns a sentence about what is wrong with an answer. */
export interface Asked {
  text: string
  /** What an empty line means. */
  fallback: string
  check(answer: string): string | undefined
}

/** Reads answers, from the first question on. Close it after the last one. */
export class Asker {
  readonly #screen: Screen
  readonly #without: string
  #input: Interface | undefined
  #lines: AsyncIterator<string> | undefined

  /** `without` says how to do the same where nobody can answer. */
  constructor(screen: Screen, without: string) {
    this.#screen = screen
    this.#without = without
  }

  /** Asks until there is an answer that will do. @throws ConfigError when nobody answers. */
  async ask({ text, fallback, check }: Asked): Promise<string> {
    this.#input ??= createInterface({ input: process.stdin })
    this.#lines ??= this.#input[Symbol.asyncIterator]()
    for (;;) {
      process.stdout.write(`${text} [${fallback}]: `)
      const { value, done } = await this.#lines.next()
      if (done) throw new ConfigError(`\nThe questions were not answered. Without a terminal: ${this.#without}`)
      const answer = String(value).trim() || fallback
      const complaint = check(answer)
      if (complaint === undefined) return answer
      this.#screen.line(`  ${complaint}`)
    }
  }

  /** A question with two answers. */
  async agrees(text: string, fallback: 'yes' | 'no'): Promise<boolean> {
    const check = (answer: string) => (/^(y|yes|n|no)$/i.test(answer) ? undefined : 'Say yes or no.')
    return /^y/i.test(await this.ask({ text: `${text} (yes or no)`, fallback, check }))
  }

  close(): void {
    this.#input?.close()
  }
}
