// One performance: the ship, its people, faults one after another, and a check after each of them.
import { setTimeout as pause } from 'node:timers/promises'
import { noJobIsLeft } from '../support/jobs.ts'
import { until } from '../support/until.ts'
import { Checker } from './checker.ts'
import { Dice } from './dice.ts'
import { faults, lasting, type Fault, type FaultName } from './faults.ts'
import { launch } from './ship.ts'
import { Town } from './town.ts'

export interface Script {
  seed: number
  /** Users at work. */
  people: number
  /** Between two things that one of them does. */
  paceMs: number
  /** Asked before each fault; undefined ends the performance. */
  next(dice: Dice): FaultName | undefined
  /** Of the time that faults last at most. */
  part: number
  /** Undisturbed work before and after each fault. */
  quietMs: number
  /** Pictures lie on a small file system, if one can be mounted. */
  smallDisk: boolean
  /** Postgres has a standby. */
  standby: boolean
  say(line: string): void
}

/** How one fault went. */
export interface Act {
  fault: string
  lastedMs: number
  /** From the end of the fault until everything worked again. */
  recoveryMs: number
  answered: number
  refused: number
  slowestMs: number
}

export interface Outcome {
  acts: Act[]
  /** What was wrong after which fault. */
  wrong: string[]
  posts: number
  /** Requests without an answer that were carried out. */
  lateDeeds: number
  manner: string
}

/** Plays it to the end, whatever the checker finds wrong after a fault. */
export async function play({ seed, people, paceMs, next, part, quietMs, smallDisk, standby, say }: Script): Promise<Outcome> {
  const cleanups: (() => unknown)[] = []
  const suite = {
    after: (cleanup: () => unknown) => {
      cleanups.unshift(cleanup)
    },
  } as Parameters<typeof launch>[0]
  const dice = new Dice(seed)
  const acts: Act[] = []
  try {
    const ship = await launch(suite, { smallDisk, standby })
    const town = await Town.settle(ship, dice, people, paceMs)
    suite.after(() => town.leave())
    const checker = new Checker(town)
    await town.served()
    await town.calm()
    const wrong = await checker.check()
    say(`${people} people have moved in`)
    for (let name = next(dice); name !== undefined; name = next(dice)) {
      const act = await playAct(town, faults[name], dice, { part, quietMs, say })
      acts.push(act)
      await town.calm()
      const { refusals }: Fault = faults[name]
      const found = [...(await checker.check()), ...errorsOf(town, faults[name])].filter((each) => !refusals?.test(each))
      wrong.push(...found.map((each) => `${act.fault}: ${each}`))
      say(
        `${act.fault}: lasted ${seconds(act.lastedMs)}, full service after ${seconds(act.recoveryMs)}, ${act.answered} requests answered, ${act.refused} not; ${['all is well', ...found].slice(Math.sign(found.length), shownAtOnce).join('\n  ')}`,
      )
    }
    await everybodyIsTold(town)
    wrong.push(...(await checker.check()))
    return { acts, wrong, posts: town.log.posts.size, lateDeeds: checker.lateDeeds, manner: ship.images.manner }
  } finally {
    for (const cleanup of cleanups) await cleanup()
  }
}

async function playAct(
  town: Town,
  fault: Fault,
  dice: Dice,
  { part, quietMs, say }: Pick<Script, 'part' | 'quietMs' | 'say'>,
): Promise<Act> {
  const { tally } = town.around
  Object.assign(tally, { refused: 0, slowestMs: 0, answered: 0 })
  say(`${fault.name} ...`)
  town.begin()
  try {
    await town.remind()
    await Promise.all([pause(quietMs), fault.prepare?.(town.ship)])
    const beganMs = performance.now()
    const lasts = lasting(part, 500)
    await fault.run(town.ship, dice, lasts)
    const endedMs = performance.now()
    await town.served()
    const servedMs = performance.now()
    await fault.after?.(town.ship, lasts)
    await pause(quietMs)
    return { fault: fault.name, lastedMs: endedMs - beganMs, recoveryMs: servedMs - endedMs, ...tally }
  } finally {
    await town.rest()
  }
}

/** Servers and workers may complain only of what they were told to be wrong. */
function errorsOf({ ship }: Town, { errors }: Fault): string[] {
  const said = [...ship.servers, ...ship.workers].flatMap((process) => process.errors.splice(0))
  return said.filter((line) => !errors?.test(line)).map((line) => `logged: ${line}`)
}

const shownAtOnce = 25

const reminderWithinMs = 60_000

/** Every group that was about to start has been noticed, and its members told. */
async function everybodyIsTold({ ship, reminders }: Town): Promise<void> {
  await until(
    async () => {
      const [row] = await ship.sql<
        { count: number }[]
      >`select count(*)::int from notice_sent where subject_id = any(${reminders.map(({ id }) => id)})`
      return row?.count === reminders.length && (await noJobIsLeft(ship.sql))
    },
    'the start of every group is announced',
    reminderWithinMs,
  )
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
