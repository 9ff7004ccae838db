// Polls as pages show them, and votes that wait for the network.
import { signal } from '@preact/signals'
import type { PollContentData, PollData } from '../../sdk/client.ts'
import { client, isRefusal, sentenceOf } from '../client.ts'
import { delMany, getMany, keys, setMany } from '../device.ts'
import { toast } from '../kit/toast.tsx'
import { whenNoticed } from '../live.ts'
import { addLetterKind } from '../outbox.ts'
import { queries, refresh, useQuery } from '../store.ts'

/** As many as the server gives at once. */
const mostAtOnce = 50
const retryAfterMs = 10_000

/** The poll that the text of a post leads to: its last line is the address. */
export const pollIn = (text: string): string | undefined =>
  /\nhttps?:\/\/[^\s/]+\/poll\/([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/.exec(text)?.[1]

const keyOf = (id: string) => ['poll', id]

/** A poll; null when it is not there for the viewer. */
export const usePoll = (id: string) => useQuery<PollData | null>({ queryKey: keyOf(id), queryFn: () => ask(id) })

/** Ids that are about to be asked for together, and who wants to know. */
let wanted = new Map<string, ((polls: Promise<PollData[]>) => void)[]>()

/** All polls of a page are one question. */
async function ask(id: string): Promise<PollData | null> {
  if (wanted.size === 0) setTimeout(askAll)
  const polls = await new Promise<Promise<PollData[]>>((resolve) => {
    wanted.set(id, [...(wanted.get(id) ?? []), (all) => resolve(Promise.resolve(all) as never)])
  })
  return polls.find(({ pollID }) => pollID === id) ?? null
}

function askAll(): void {
  const all = [...wanted]
  wanted = new Map()
  for (let from = 0; from < all.length; from += mostAtOnce) {
    const part = all.slice(from, from + mostAtOnce)
    const polls = client.poll.list({ id: part.map(([id]) => id) })
    for (const [, resolves] of part) for (const resolve of resolves) resolve(polls)
  }
}

whenNoticed(({ type, contentID }) => {
  if (type === 'pollChanged') void queries.invalidateQueries({ queryKey: keyOf(contentID) })
})

/** Letters with a question, whose posts the server makes of it. */
export const pollLetters = addLetterKind({
  name: 'poll',
  send: (
    poll: Pick<PollContentData, 'question' | 'choices' | 'several' | 'anonymous' | 'endsAt'>,
    { place, id, team },
    options,
  ): Promise<PollData> =>
    client.poll.create({ ...poll, ...team, place: place as PollData['place'], ...(id !== '' && { placeID: id }) }, options),
  arrived: (poll) => {
    queries.setQueryData(keyOf(poll.pollID), poll)
    refresh({ fez: 'chat', forum: 'forum', microblog: 'microblog' }[poll.place])
  },
})

/** Votes that the server has not taken yet, by poll. */
export const waiting = signal<Readonly<Record<string, readonly number[]>>>({})
const prefix = 'vote '
let delivering: Promise<void> | undefined
let timer: number | undefined

/** Votes at once on the screen, and on the server as soon as it can be reached: the last choice counts, however often it is sent. */
export function vote(pollID: string, choices: readonly number[]): void {
  waiting.value = { ...waiting.value, [pollID]: choices }
  void setMany([[prefix + pollID, choices]]).catch(() => undefined)
  void deliverVotes()
}

function deliverVotes(): Promise<void> {
  return (delivering ??= deliverAll().finally(() => (delivering = undefined)))
}

async function deliverAll(): Promise<void> {
  clearTimeout(timer)
  for (let [next] = Object.entries(waiting.value); next; [next] = Object.entries(waiting.value)) {
    const [pollID, choices] = next
    try {
      const poll = await client.poll.vote({ poll_id: pollID, choices: [...choices] })
      // Whoever has changed their mind meanwhile votes once more.
      if (waiting.value[pollID] === choices) settle(pollID)
      queries.setQueryData(keyOf(pollID), poll)
    } catch (error) {
      if (!isRefusal(error)) {
        timer = window.setTimeout(() => void deliverVotes(), retryAfterMs)
        return
      }
      settle(pollID)
      toast(sentenceOf(error))
      void queries.invalidateQueries({ queryKey: keyOf(pollID) })
    }
  }
}

function settle(pollID: string): void {
  const { [pollID]: _gone, ...rest } = waiting.value
  waiting.value = rest
  void delMany([prefix + pollID]).catch(() => undefined)
}

/** Brings back votes that earlier pages left. */
async function findVotes(): Promise<void> {
  const names = (await keys<string>().catch(() => [])).filter((name) => name.startsWith(prefix))
  const kept = await getMany<readonly number[]>(names).catch(() => [])
  waiting.value = { ...Object.fromEntries(names.map((name, index) => [name.slice(prefix.length), kept[index] ?? []])), ...waiting.value }
  await deliverVotes()
}
addEventListener('online', () => void deliverVotes())
void findVotes()

/** A poll with the votes that wait: as it will be. */
export function withWaiting(poll: PollData, choices: readonly number[] | undefined): PollData {
  if (!choices) return poll
  const hadVoted = poll.choices.some(({ isChosen }) => isChosen)
  return {
    ...poll,
    choices: poll.choices.map((choice, index) => {
      const isChosen = choices.includes(index)
      return { ...choice, isChosen, votes: choice.votes + Number(isChosen) - Number(choice.isChosen) }
    }),
    voterCount: poll.voterCount + Number(choices.length > 0) - Number(hadVoted),
  }
}
