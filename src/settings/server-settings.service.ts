// The settings as admins see and change them.
import type { Ctx } from '../core/work/ctx.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import { inDialect } from '../text/dialect.ts'
import { settingsOf } from './channel.ts'
import { selectSettingChanges } from './queries.ts'
import type { SettingsAdminData, SettingStateData, SettingsUpdateData } from './schemas.ts'
import { changeSettings, resetSetting } from './update.service.ts'
import { serviceFeatures } from './features.ts'
import { defaultSettings, serviceClientApps, settingNames, settingRanges, type Settings } from './values.ts'

/** The settings in force. */
export function serverSettings(ctx: Ctx): SettingsAdminData {
  // The trip, the backups of the night and what grows old are on pages of their own.
  const {
    shipWifiSSID,
    disabledFeatures,
    nightlyBackups: _nightly,
    nightlyBackupHour: _hour,
    nightlyBackupsKept: _kept,
    retention: _retention,
    eventName: _name,
    tripStartDate: _start,
    tripLengthInDays: _length,
    ...values
  } = settingsOf(ctx.node).values
  return {
    ...values,
    minAccessUserLevel: inDialect(ctx.node.config, values.minAccessUserLevel),
    ...(shipWifiSSID ? { shipWifiSSID } : {}),
    disabledFeatures: disabledFeatures.map(({ appName, featureName }) => ({ app: appName, feature: featureName })),
  }
}

/** Changes the settings that are given. */
export async function updateServerSettings(
  ctx: Ctx,
  { minUserAccessLevel, enableFeatures, disableFeatures, basedOn = [], ...values }: SettingsUpdateData,
): Promise<void> {
  await changeSettings(ctx, {
    values: { ...values, ...(minUserAccessLevel ? { minAccessUserLevel: minUserAccessLevel } : {}) },
    enable: enableFeatures,
    disable: disableFeatures,
    check: (before) => requireSeen(ctx, before, basedOn),
  })
}

/** Puts one setting back to its default, unless it is no longer what the caller has seen (JSON). */
export async function resetServerSetting(ctx: Ctx, name: keyof Settings, basedOn?: string): Promise<void> {
  await resetSetting(ctx, name, (before) => requireSeen(ctx, before, basedOn === undefined ? [] : [{ name, value: basedOn }]))
}

function requireSeen(ctx: Ctx, before: Settings, seen: readonly { name: keyof Settings; value: string }[]): void {
  for (const { name, value } of seen)
    if (value !== JSON.stringify(before[name])) requireSame(value, worded(ctx, name, before[name]), `the setting ${name}`)
}

/** A value as it goes over the wire: JSON, in the words of the product. */
const worded = ({ node: { config } }: Ctx, name: string, value: unknown): string =>
  JSON.stringify(name === 'minAccessUserLevel' ? inDialect(config, String(value)) : value)

const appsOfGrid = ['all', ...serviceClientApps.filter((app) => app !== 'all')]

/** Each setting with its default, and who changed it last. */
export async function settingStates(ctx: Ctx): Promise<SettingStateData[]> {
  const { accounts } = ctx.node
  const { values } = settingsOf(ctx.node)
  const changes = new Map((await selectSettingChanges(ctx.sql)).map((change) => [change.name, change]))
  await accounts.load(new Set(Array.from(changes.values(), ({ actorId }) => actorId)))
  return settingNames.map((name) => {
    const change = changes.get(name)
    const [lowest, highest] = (settingRanges as Partial<Record<string, readonly [number, number]>>)[name] ?? []
    return {
      name,
      value: worded(ctx, name, values[name]),
      defaultValue: worded(ctx, name, defaultSettings[name]),
      ...(lowest !== undefined && highest !== undefined ? { lowest, highest } : {}),
      ...(name === 'disabledFeatures' ? { features: [...serviceFeatures], apps: appsOfGrid } : {}),
      ...(change ? { changedAt: change.createdAt, changedBy: accounts.get(change.actorId).header } : {}),
    }
  })
}
