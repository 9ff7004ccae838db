// Settings of the server and the ship's time zones.
import { route } from '../core/http/route.ts'
import { SettingsAdminData, SettingsUpdateData, TimeZoneChangeData, TimeZoneReloadData } from './schemas.ts'
import { serverSettings, updateServerSettings } from './server-settings.service.ts'
import { timeZoneChanges } from './timezones.service.ts'
import { reloadZoneChanges } from './zones.service.ts'

export const settingsRoutes = [
  route({
    method: 'GET',
    path: '/admin/serversettings',
    access: 'serviceteam',
    reply: SettingsAdminData,
    summary: 'The settings in force.',
    run: (ctx) => serverSettings(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/serversettings/update',
    access: 'admin',
    body: SettingsUpdateData,
    summary: 'Changes settings, in force on all servers when it is answered.',
    run: (ctx, { body }) => updateServerSettings(ctx, body),
  }),

  route({
    method: 'GET',
    path: '/admin/timezonechanges',
    access: 'none',
    reply: TimeZoneChangeData,
    conditional: true,
    summary: 'When the ship changes its time zone, and the zone in force.',
    run: (ctx) => timeZoneChanges(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/timezonechanges/reloadtzdata',
    access: 'admin',
    reply: TimeZoneReloadData,
    summary: 'Reads the file of zone changes again.',
    run: (ctx) => reloadZoneChanges(ctx),
  }),
]
