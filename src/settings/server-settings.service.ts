// The settings as admins see and change them.
import type { Ctx } from '../core/ctx.ts'
import { inDialect } from '../text/dialect.ts'
import { settingsOf } from './channel.ts'
import { selectSettingChanges } from './queries.ts'
import type { SettingsAdminData, SettingStateData, SettingsUpdateData } from './schemas.ts'
import { changeSettings } from './update.service.ts'
import { serviceFeatures } from './features.ts'
import { defaultSettings, serviceClientApps, settingNames, settingRanges } from './values.ts'

/** The settings in force. */
export function serverSettings(ctx: Ctx): SettingsAdminData {
  // The trip and the backups of the night are on pages of their own.
  const {
    shipWifiSSID,
    disabledFeatures,
    nightlyBackups: _nightly,
    nightlyBackupHour: _hour,
    nightlyBackupsKept: _kept,
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
  { minUserAccessLevel, enableFeatures, disableFeatures, ...values }: SettingsUpdateData,
): Promise<void> {
  await changeSettings(ctx, {
    values: { ...values, ...(minUserAccessLevel ? { minAccessUserLevel: minUserAccessLevel } : {}) },
    enable: enableFeatures,
    disable: disableFeatures,
  })
}

const appsOfGrid = ['all', ...serviceClientApps.filter((app) => app !== 'all')]

/** Each setting with its default, and who changed it last. */
export async function settingStates(ctx: Ctx): Promise<SettingStateData[]> {
  const { accounts, config } = ctx.node
  const { values } = settingsOf(ctx.node)
  const changes = new Map((await selectSettingChanges(ctx.sql)).map((change) => [change.name, change]))
  await accounts.load(new Set(Array.from(changes.values(), ({ actorId }) => actorId)))
  return settingNames.map((name) => {
    const worded = (value: unknown) => JSON.stringify(name === 'minAccessUserLevel' ? inDialect(config, String(value)) : value)
    const change = changes.get(name)
    const [lowest, highest] = (settingRanges as Partial<Record<string, readonly [number, number]>>)[name] ?? []
    return {
      name,
      value: worded(values[name]),
      defaultValue: worded(defaultSettings[name]),
      ...(lowest !== undefined && highest !== undefined ? { lowest, highest } : {}),
      ...(name === 'disabledFeatures' ? { features: [...serviceFeatures], apps: appsOfGrid } : {}),
      ...(change ? { changedAt: change.createdAt, changedBy: accounts.get(change.actorId).header } : {}),
    }
  })
}
