// Settings of the server and the ship's time zones.
import { route } from '../core/http/route.ts'
import { Text, Type } from '../core/schema/schema.ts'
import { SettingName, SettingsAdminData, SettingStateData, SettingsUpdateData, TimeZoneChangeData, TimeZoneReloadData } from './schemas.ts'
import { resetServerSetting, serverSettings, settingStates, updateServerSettings } from './server-settings.service.ts'
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
    path: '/admin/settings',
    access: 'serviceteam',
    reply: Type.Array(SettingStateData),
    summary: 'Each setting with its default, and who changed it last.',
    shared: true,
    run: (ctx) => settingStates(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/settings/:setting_name/reset',
    access: 'admin',
    params: { setting_name: SettingName },
    query: { basedOn: Type.Optional(Text({ max: 20_000 })) },
    summary: 'Puts one setting back to its default, in force on all servers when it is answered.',
    run: (ctx, { params, query }) => resetServerSetting(ctx, params.setting_name, query.basedOn),
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
