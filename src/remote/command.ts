// What a command over the network is given, and what it answers.
import type { Client } from '../sdk/client.ts'

/** What a command was given after its name. */
export interface Given {
  words: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  nowMs: number
}

/** What came of it: for programs as the server sent it, for people as a table or as lines. */
export interface Outcome {
  raw: unknown
  table?: readonly Readonly<Record<string, string | number | undefined>>[]
  lines?: readonly string[]
  /** Something is so wrong that a program should look. */
  isBad?: boolean
  /** In place of all that: what comes one after the other until somebody ends it; for programs a line of JSON each. */
  later?: AsyncIterable<{ raw: unknown; line: string }>
}

/** Does it. */
export type Run = (client: Client, given: Given) => Promise<Outcome>

/** A command, and what it takes. */
export interface RemoteCommand {
  /** The words after the name, as people are told; those in brackets may be left out. */
  takes: string
  /** How many of them there have to be; 0 when absent. */
  least?: number
  /** The names of options, and whether each has a value. */
  options?: Readonly<Record<string, 'string' | 'boolean'>>
  run: Run
}

/** Where there is nothing to show. */
export const done: Outcome = { raw: { done: true }, lines: ['Done.'] }
/** `--limit`, as queries take it. */
export const limitOf = ({ options: { limit } }: Given) => (typeof limit === 'string' ? { limit: Number(limit) } : {})
/** One of the words; empty when it is not there. */
export const wordOf = ({ words }: Given, index = 0): string => words[index] ?? ''
/** The value of an option. */
export const textOf = ({ options }: Given, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** Says that a list has more than was asked for. */
export const more = (shown: number, total: number): string[] => (total > shown ? [`${shown} of ${total}; --limit shows more.`] : [])
