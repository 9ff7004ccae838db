// Facts about the server and the trip that apps need before anybody logs in.
import type { OpenCtx } from '../core/work/ctx.ts'
import { settingsOf } from '../settings/channel.ts'
import { inDialect } from '../text/dialect.ts'
import { selectInstallationId } from './queries.ts'
import type { ClientSettingsData } from './schemas.ts'

/** The constants of the trip and of this server. */
export async function clientSettings(ctx: OpenCtx): Promise<ClientSettingsData> {
  const { values, trip } = settingsOf(ctx.node)
  const zone = trip.portZoneAt(new Date(ctx.nowMs))
  return {
    canonicalHostnames: [new URL(ctx.node.config.externalUrl).hostname],
    cruiseStartDate: trip.start,
    cruiseLengthInDays: trip.lengthInDays,
    portTimeZoneID: zone.id,
    portTimeZoneAbbrev: zone.abbreviation,
    portTimeZoneOffset: zone.offsetSeconds,
    scheduleUpdateURL: values.scheduleUpdateURL,
    ...(values.shipWifiSSID === '' ? {} : { shipWifiSSID: values.shipWifiSSID }),
    enablePreregistration: values.enablePreregistration,
    minAccessLevel: inDialect(ctx.node.config, values.minAccessUserLevel),
    maxForumPostImages: values.maxForumPostImages,
    maxImageSize: values.maxImageSize,
    photostreamUploadRateLimit: values.photostreamUploadRateLimit,
    ...(values.newPasswordSignsOutApps ? { newPasswordSignsOutApps: true } : {}),
    ...(ctx.node.config.oidc ? { identityProvider: ctx.node.config.oidc.name } : {}),
    installationID: await selectInstallationId(ctx.sql),
  }
}
