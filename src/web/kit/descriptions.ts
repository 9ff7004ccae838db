// What is to be seen in pictures, asked for together: those of all posts that are drawn at once in one request.
import { client } from '../client.ts'
import { useQuery } from '../store.ts'

const mostAtOnce = 50
const staleMs = 10 * 60_000

let wanted = new Set<string>()
let answer: Promise<ReadonlyMap<string, string>> | undefined

/** Of one picture; empty when nobody has described it. */
async function read(name: string): Promise<string> {
  wanted.add(name)
  answer ??= new Promise<void>((resolve) => {
    setTimeout(resolve)
  }).then(readWanted)
  return (await answer).get(name) ?? ''
}

async function readWanted(): Promise<ReadonlyMap<string, string>> {
  const names = [...wanted]
  wanted = new Set()
  answer = undefined
  const parts = Array.from({ length: Math.ceil(names.length / mostAtOnce) }, (_, part) =>
    client.image.descriptions({ image: names.slice(part * mostAtOnce, (part + 1) * mostAtOnce) }),
  )
  return new Map((await Promise.all(parts)).flat().map(({ image, description }) => [image, description]))
}

/** Those of these pictures that are described, by their names. */
export function useDescriptions(names: readonly string[]): ReadonlyMap<string, string> {
  const { data = {} } = useQuery({
    queryKey: ['descriptions', ...names],
    queryFn: async () => Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const))),
    staleTime: staleMs,
    enabled: names.length > 0,
  })
  return new Map(Object.entries(data).filter(([, description]) => description !== ''))
}
