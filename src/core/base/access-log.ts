// Lines about access that an operator sees in production: who signed in, and who was refused. In a flood there are as
// many as a person can read, and the number of the others.
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

const minuteMs = 60_000
/** Lines of one kind about one account, or from one address where no account is known. */
const ofOne = 20
/** Lines of one kind in all: less than 200 MB a day of the two together. */
const ofAll = 300

const messages = { refused: 'access refused', signedIn: 'signed in' } as const
type AccessKind = keyof typeof messages

/** What a line says. Never a name that somebody has typed: it may be a password in the wrong field. */
export interface Access {
  requestId: string
  /** Of the account, where it is known whose it is. */
  accountID?: string | undefined
  username?: string | undefined
  address: string
  method?: string
  path?: string
  status?: number
  code?: string
}

interface Minute {
  lines: number
  left: number
  of: Map<string, number>
}

/** Writes these lines. */
export class AccessLog {
  readonly #log: Log
  readonly #clock: Clock
  readonly #minutes = new Map<AccessKind, Minute>()

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  /** One line, unless there were too many in this minute. */
  note(kind: AccessKind, access: Access): void {
    if (!this.#log.isLevelEnabled('notice')) return
    const minute = this.#minutes.get(kind) ?? this.#begin(kind)
    const one = access.accountID ?? access.address
    const known = minute.of.get(one) ?? 0
    if (known >= ofOne || minute.lines >= ofAll) {
      minute.left++
      return
    }
    minute.of.set(one, known + 1)
    minute.lines++
    this.#log.notice(access, messages[kind])
  }

  #begin(kind: AccessKind): Minute {
    const minute: Minute = { lines: 0, left: 0, of: new Map() }
    this.#minutes.set(kind, minute)
    this.#clock.after(minuteMs, () => {
      this.#minutes.delete(kind)
      if (minute.left > 0) this.#log.notice({ left: minute.left }, `${messages[kind]}: more often than is logged in a minute`)
    })
    return minute
  }
}
