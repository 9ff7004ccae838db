// Changing settings while the server runs.
import { userTopic } from '../accounts/events.ts'
import { validationFailed } from '../core/base/errors.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { serviceFeatures } from './features.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsId, settingsKind } from './channel.ts'
import { deleteSetting, lockSettings, selectHasSecondFactor, selectSettings, selectTeam, upsertSettings } from './queries.ts'
import { defaultSettings, serviceClientApps, type DisabledFeature, type Settings } from './values.ts'

/** A pair of names as a client gives them: either may be unknown. */
export interface FeaturePair {
  app: string
  feature: string
}

export interface SettingsChange {
  /** Absent settings stay as they are. */
  values: Partial<Omit<Settings, 'disabledFeatures'>>
  /** Comes before `disable`. */
  enable: readonly FeaturePair[]
  disable: readonly FeaturePair[]
  /** Refuses by throwing, with the settings as they are, before anything is written. */
  check?(before: Settings): void
}

/** Stores what is given; in force on all nodes when the promise resolves. */
export async function changeSettings(ctx: Ctx, { values, enable, disable, check }: SettingsChange): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockSettings(tx.sql)
    const before = { ...defaultSettings, ...(await selectSettings(tx.sql)) }
    check?.(before)
    const disabledFeatures = withPairs(withoutPairs(before.disabledFeatures, known(enable)), known(disable))
    const wanted = { ...values, disabledFeatures }
    const changed = Object.fromEntries(
      Object.entries(wanted).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Settings])),
    )
    if (Object.keys(changed).length === 0) return
    if (changed['teamSecondFactor'] === true) await requireOwnSecondFactor(tx)
    await upsertSettings(tx.sql, changed, tx.now)
    await emitChanged(tx, changed)
    const from = Object.fromEntries(Object.keys(changed).map((key) => [key, before[key as keyof Settings]]))
    await audit(tx, { action: 'updateSettings', subject: { type: 'settings', id: settingsId }, details: { from, to: changed } })
  })
}

/** Puts one setting back to its default, in force on all nodes when the promise resolves. */
export async function resetSetting(ctx: Ctx, name: keyof Settings, check?: (before: Settings) => void): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockSettings(tx.sql)
    const all = { ...defaultSettings, ...(await selectSettings(tx.sql)) }
    check?.(all)
    const before = all[name]
    await deleteSetting(tx.sql, name, tx.now)
    if (JSON.stringify(before) === JSON.stringify(defaultSettings[name])) return
    await emitChanged(tx, { [name]: before })
    const details = { from: { [name]: before }, to: { [name]: defaultSettings[name] } }
    await audit(tx, { action: 'updateSettings', subject: { type: 'settings', id: settingsId }, details })
  })
}

async function emitChanged(tx: Tx, changed: Readonly<Record<string, unknown>>): Promise<void> {
  tx.emitConfirmed(settingsKind, settingsId, { type: 'changed' })
  // The rights of the team depend on it.
  if ('teamSecondFactor' in changed) for (const id of await selectTeam(tx.sql)) tx.emitConfirmed(userTopic, id, { type: 'sessionsChanged' })
}

/** Whoever wants it of the team would lose the right to say that it is not wanted any more. */
async function requireOwnSecondFactor({ sql, viewer }: Tx): Promise<void> {
  if (!(await selectHasSecondFactor(sql, viewer.id)))
    throw validationFailed(new Map([['teamSecondFactor', ['Set up a second factor for your own account first']]]))
}

/** Pairs with a name that this server does not know mean nothing to it. */
function known(pairs: readonly FeaturePair[]): DisabledFeature[] {
  return pairs.flatMap(({ app, feature }) => {
    const [appName, featureName] = [serviceClientApps.find((name) => name === app), serviceFeatures.find((name) => name === feature)]
    return appName && featureName ? [{ appName, featureName }] : []
  })
}

const isSame =
  (a: DisabledFeature) =>
  (b: DisabledFeature): boolean =>
    a.appName === b.appName && a.featureName === b.featureName

function withoutPairs(pairs: readonly DisabledFeature[], gone: readonly DisabledFeature[]): DisabledFeature[] {
  return pairs.filter((pair) => !gone.some(isSame(pair)))
}

function withPairs(pairs: readonly DisabledFeature[], added: readonly DisabledFeature[]): DisabledFeature[] {
  return added.reduce<DisabledFeature[]>((all, pair) => (all.some(isSame(pair)) ? all : [...all, pair]), [...pairs])
}
