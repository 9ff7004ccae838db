// The settings as admins see and change them.
import type { Ctx } from '../core/ctx.ts'
import { inDialect } from '../text/dialect.ts'
import { settingsOf } from './channel.ts'
import { changeSettings } from './update.service.ts'
import type { SettingsAdminData, SettingsUpdateData } from './schemas.ts'

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
