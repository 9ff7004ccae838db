// Settings, and for how long what is old stays.
import { ConfigError } from '../core/base/config.ts'
import type { Client, RetentionChangeData, SettingsAdminData, SettingsUpdateData } from '../sdk/client.ts'
import { done, type Given, type Outcome } from './command.ts'

/** All of them, with their values. */
export async function settings(client: Client): Promise<Outcome> {
  const raw = await client.admin.serversettings()
  return {
    raw,
    table: Object.entries(raw).map(([name, value]) => ({ name, value: typeof value === 'object' ? JSON.stringify(value) : String(value) })),
  }
}

/** Some of them, as `name=value`. */
export async function setSettings(client: Client, { words }: Given): Promise<Outcome> {
  const known = await client.admin.serversettings()
  const changes = Object.fromEntries(words.map((word) => settingOf(word, known)))
  await client.admin.serversettingsUpdate({ ...changes, enableFeatures: [], disableFeatures: [] } as SettingsUpdateData)
  return done
}

/** `name=value`, as the type that the setting has now. What is not set has no value yet: those are texts. */
function settingOf(word: string, known: SettingsAdminData): [string, unknown] {
  const at = word.indexOf('=')
  const [name, text] = [word.slice(0, at), word.slice(at + 1)]
  if (at <= 0) throw new ConfigError(`A setting is <name>=<value>, not "${word}".`)
  const before: unknown = known[name as keyof SettingsAdminData]
  if (typeof before === 'boolean' && !['true', 'false'].includes(text)) throw new ConfigError(`${name} is true or false.`)
  return [name, typeof before === 'boolean' ? text === 'true' : typeof before === 'number' ? Number(text) : text]
}

const forDays = (days: number): string => (days === 0 ? 'for good' : `${days} days`)

/** What would go with the days in force, or with those that are given. */
export async function retention(client: Client, { words }: Given): Promise<Outcome> {
  const { kinds } = await client.admin.retention()
  const raw = await client.admin.retention(daysIn(words, kinds))
  return { raw, table: raw.kinds.map(({ kind, days, old }) => ({ kind, stays: forDays(days), old })) }
}

/** In force at once. */
export async function setRetention(client: Client, { words }: Given): Promise<Outcome> {
  const { kinds } = await client.admin.retention()
  const before = Object.fromEntries(kinds.map(({ kind, days }) => [kind, days])) as RetentionDays
  const raw = await client.admin.setRetention({ ...before, ...daysIn(words, kinds), basedOn: before })
  return { raw, lines: raw.kinds.map(({ kind, days, old }) => `${kind}: ${forDays(days)}${old > 0 ? `, ${old} go now` : ''}`) }
}

type RetentionDays = Omit<RetentionChangeData, 'basedOn'>

/** The server says which kinds there are. */
function daysIn(words: readonly string[], kinds: readonly { kind: string }[]): Partial<RetentionDays> {
  return Object.fromEntries(
    words.map((word) => {
      const [, kind, days] = /^([a-z]+)=(\d{1,9})$/.exec(word) ?? []
      if (!kinds.some((each) => each.kind === kind))
        throw new ConfigError(`${word} must be one of ${kinds.map((each) => each.kind).join(', ')} and its days, such as deleted=90.`)
      return [kind as string, Number(days)]
    }),
  )
}
