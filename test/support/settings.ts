// Settings as an admin would change them.
import type { ServiceFeature } from '../../src/core/http/route.ts'
import { settingsId, settingsKind } from '../../src/settings/channel.ts'
import type { TestNodes } from './app.ts'

/** Switches exactly these features off, on all nodes. */
export async function disable(nodes: TestNodes, ...features: ServiceFeature[]): Promise<void> {
  const value = features.map((featureName) => ({ appName: 'all', featureName }))
  await nodes.sql`
    insert into setting (name, value) values ('settings.disabledFeatures', ${nodes.sql.json(value)})
    on conflict (name) do update set value = excluded.value`
  await nodes.apps[0]?.node.channels.publishConfirmed(settingsKind.name, settingsId, { type: 'changed' })
}

/** Puts every setting to its default but for these, on all nodes. */
export async function onlySettings(nodes: TestNodes, values: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await nodes.sql`delete from setting where name like 'settings.%'`
  for (const [name, value] of Object.entries(values))
    await nodes.sql`insert into setting (name, value) values (${`settings.${name}`}, ${nodes.sql.json(value as never)})`
  await nodes.apps[0]?.node.channels.publishConfirmed(settingsKind.name, settingsId, { type: 'changed' })
}
