// From some measured days to any number of people.

/** Where a process has room for an hour that is busier than others. */
export const shareAtHalfLoad = 0.5
/** Cores of the largest machine for Postgres that hosts are told to rent. */
const postgresCoresAtMost = 32

/** A day of people at one server, while others may live at a second one. Times are seconds of processor time in a second. */
export interface MeasuredDay {
  people: number
  /** How many lived at the other server. */
  elsewhere: number
  /** What a server takes by itself. */
  idle: number
  /** What the server takes for each person of its own. */
  server: number
  /** What each person anywhere costs. */
  postgres: number
  redis: number
  worker: number
  p50Ms: number
  p99Ms: number
}

/** With more and more people at one server alone; with more and more people elsewhere. */
export interface MeasuredDays {
  alone: MeasuredDay[]
  beside: MeasuredDay[]
}

/** Of days at one server, the one with the most people that took no more than half of its core, or else the first. */
export function atHalfLoad(alone: readonly MeasuredDay[]): MeasuredDay {
  const first = alone[0] as MeasuredDay
  return alone.findLast(({ idle, server, people }) => idle + server * people <= shareAtHalfLoad) ?? first
}

/** What a person costs all processes. */
export const costOf = ({ server, postgres, redis, worker }: MeasuredDay): number => server + postgres + redis + worker

/** What so many people need, with each process at half of its cores. */
export interface Machine {
  /** Absent where no number of servers is enough. */
  needs?: { nodes: number; postgresCores: number; redisShare: number; workerCores: number; memoryGb: number }
  fullFirst: string
}

/**
 * The fewest servers that carry so many people. What a server takes grows with its own people, and, beside others, evenly with those
 * elsewhere.
 */
export function machineFor(
  people: number,
  days: MeasuredDays,
  person: { serverBytes: number; kernelBytes: number; restBytes: number },
): Machine {
  const alone = atHalfLoad(days.alone)
  const [fewest, last] = [days.beside[0], days.beside.at(-1)] as [MeasuredDay, MeasuredDay]
  /** What a server takes to hear of a person elsewhere. */
  const heard = Math.max(0, ((last.server - fewest.server) * last.people) / (last.elsewhere - fewest.elsewhere))
  const own = fewest.server - (heard * fewest.elsewhere) / fewest.people
  const shareOf = (nodes: number) => {
    const here = people / nodes
    return alone.idle + (nodes === 1 ? here * alone.server : here * own + (people - here) * heard)
  }
  const most = Math.ceil(people / 100)
  let nodes = 1
  while (nodes <= most && shareOf(nodes) > shareAtHalfLoad) nodes++
  if (nodes > most) return { fullFirst: `each server: ${(people * heard).toFixed(1)} cores to hear of the others` }
  const costs = nodes === 1 ? alone : last
  const [redisShare, postgresCores] = [people * costs.redis, (people * costs.postgres) / shareAtHalfLoad]
  const full = {
    servers: shareOf(nodes) / shareAtHalfLoad,
    Redis: redisShare / shareAtHalfLoad,
    Postgres: postgresCores / postgresCoresAtMost,
  }
  const [name, share] = Object.entries(full).reduce((fullest, each) => (each[1] > fullest[1] ? each : fullest))
  return {
    needs: {
      nodes,
      postgresCores,
      redisShare,
      workerCores: (people * costs.worker) / shareAtHalfLoad,
      memoryGb: (nodes * person.restBytes + people * (person.serverBytes + person.kernelBytes)) / 1e9,
    },
    fullFirst: share > 1 ? `${name}, ${share.toFixed(1)} times what it carries` : name,
  }
}
