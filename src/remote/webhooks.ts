// Webhooks, by their names.
import { ConfigError } from '../core/base/config.ts'
import type { Client } from '../sdk/client.ts'
import { done, wordOf, type Given, type Outcome, type Run } from './command.ts'
import { shownTime } from './times.ts'

/** All of them, and how they do. */
export async function webhooks(client: Client): Promise<Outcome> {
  const raw = await client.admin.webhooks()
  const rows = raw.endpoints.map(({ name, host, isPaused, waiting, failed, lastSentAt, kinds }) => ({
    name,
    host,
    state: isPaused ? 'paused' : 'on',
    waiting,
    failed,
    taken: lastSentAt === undefined ? 'never' : shownTime(lastSentAt),
    kinds: kinds.join(', '),
  }))
  return { raw, table: rows }
}

/** By its name. */
async function webhookOf(client: Client, given: Given): Promise<{ endpoint_id: string }> {
  const name = wordOf(given)
  const [found, another] = (await client.admin.webhooks()).endpoints.filter((each) => each.name === name)
  if (!found || another) throw new ConfigError(found ? `Several webhooks are named ${name}.` : `No webhook is named ${name}.`)
  return { endpoint_id: found.endpointID }
}

/** Shows its secret, this once. */
export async function makeWebhook(client: Client, { words: [name = '', url = '', ...kinds] }: Given): Promise<Outcome> {
  // The server says which kinds there are.
  const raw = await client.admin.webhooksCreate({ name, url, kinds } as Parameters<Client['admin']['webhooksCreate']>[0])
  return { raw, lines: [`Its key, shown this once: ${raw.secret}`] }
}

/** Sends it something at once. */
export async function testWebhook(client: Client, given: Given): Promise<Outcome> {
  await client.admin.webhooksTest(await webhookOf(client, given))
  return { raw: { done: true }, lines: ['It is on its way. webhooks log says whether it was taken.'] }
}

/** What it was told lately. */
export async function webhookLog(client: Client, given: Given): Promise<Outcome> {
  const raw = await client.admin.webhooksDeliveries(await webhookOf(client, given))
  const rows = raw.deliveries.map(({ createdAt, kind, state, attempts, status, reason }) => ({
    noted: shownTime(createdAt),
    kind,
    state,
    attempts,
    answer: status ?? reason,
  }))
  return { raw, table: rows }
}

/** Lets it wait, or go on. */
export function pauseWebhook(isPaused: boolean): Run {
  return async (client, given) => {
    await client.admin.setWebhooks({ ...(await webhookOf(client, given)), isPaused })
    return done
  }
}

/** With its log. */
export async function deleteWebhook(client: Client, given: Given): Promise<Outcome> {
  await client.admin.removeWebhooks(await webhookOf(client, given))
  return done
}
