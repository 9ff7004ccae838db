// Every setting with a sentence about it, and the features as a grid.
import { useReducer, useState } from 'preact/hooks'
import type { SettingsAdminData, SettingStateData, SettingsUpdateData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { useForm } from '../kit/form.ts'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { queries, refresh, useQuery } from '../store.ts'
import { locale } from '../texts.ts'
import { ConsolePage, levelName } from '../team/parts.tsx'
import { Everybody, whomDoorTouches } from '../team/reach.tsx'
import { levelOf, mayDo, type Level } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'

type Name = Exclude<keyof SettingsAdminData, 'disabledFeatures'>

const reminders = ['disabled', 'cruiseWeek', 'current'] as const
const groups: readonly (readonly [title: ConsoleText, names: readonly Name[]])[] = [
  [
    'group.doors',
    [
      'minAccessUserLevel',
      'enablePreregistration',
      'verifiedReading',
      'moderatorsMayStop',
      'maxAlternateAccounts',
      'allowAccountDeletion',
      'strictPasswords',
      'newPasswordSignsOutApps',
      'teamSecondFactor',
      'browserSessionDays',
    ],
  ],
  [
    'group.moderation',
    [
      'microblogSlowSeconds',
      'photostreamUploadRateLimit',
      'forumAutoQuarantineThreshold',
      'postAutoQuarantineThreshold',
      'userAutoQuarantineThreshold',
    ],
  ],
  [
    'group.schedule',
    ['scheduleUpdateURL', 'upcomingEventNotificationSetting', 'upcomingLFGNotificationSetting', 'upcomingEventNotificationSeconds'],
  ],
  ['group.ship', ['shipWifiSSID', 'pushTexts']],
  [
    'group.limits',
    [
      'maxImageSize',
      'allowAnimatedImages',
      'maxForumPostImages',
      'maxPersonMegabytes',
      'maxStoredMegabytes',
      'minFreeDiskMegabytes',
      'maximumTwarrts',
      'maximumForums',
      'maximumForumPosts',
      'enableSiteNotificationDataCaching',
    ],
  ],
]
const doors = ['banned', 'moderator', 'serviceteam', 'tho', 'admin'] as const

/** Settings that the server counts in other units than people do: how many of its own make one of theirs. */
const units: Partial<Record<string, { factor: number; inWords: (n: number) => string }>> = {
  maxImageSize: {
    factor: 1024 * 1024,
    inWords: (n) => c('unit.megabytes', { n: n.toLocaleString(locale(), { maximumFractionDigits: 2 }) }),
  },
  photostreamUploadRateLimit: {
    factor: 60,
    inWords: (n) => c('unit.minutes', { n: n.toLocaleString(locale(), { maximumFractionDigits: 2 }) }),
  },
  upcomingEventNotificationSeconds: {
    factor: 60,
    inWords: (n) => c('unit.minutes', { n: n.toLocaleString(locale(), { maximumFractionDigits: 2 }) }),
  },
}
const factorOf = (name: string): number => units[name]?.factor ?? 1

/** As a field for numbers has it: no more digits than somebody would type. */
const typedOf = (name: string, value: Value): string =>
  typeof value === 'number' ? String(Math.round((value / factorOf(name)) * 100) / 100) : String(value)

/** The setting is called differently where it is changed. */
const sentName = (name: Name) => (name === 'minAccessUserLevel' ? 'minUserAccessLevel' : name)

const statesKey = ['console setting states']

/** Resolves when the new values are on the screen. */
async function outdated(): Promise<void> {
  refresh('console settings', 'settings', 'numbers')
  await queries.invalidateQueries({ queryKey: statesKey })
}

/** Is refused when a setting is no longer what this page has shown: then the page shows it as it is. */
async function change(part: Partial<SettingsUpdateData>): Promise<void> {
  try {
    await client.admin.serversettingsUpdate({ enableFeatures: [], disableFeatures: [], ...part })
  } finally {
    await outdated()
  }
}

/** Asks, and changes one setting to a value, or to its default when there is none; it can be undone. */
function changeOne(name: Name, { label, from, to, isDefault }: OneChange): Promise<boolean> {
  const [before, after] = [valueOf(name, from), valueOf(name, to)]
  const set = (json: string, seen: string) =>
    change({ [sentName(name)]: JSON.parse(json) as Value, basedOn: [{ name, value: seen }] } as Partial<SettingsUpdateData>)
  const reset = async () => {
    try {
      await client.admin.settingsReset({ setting_name: name, basedOn: from })
    } finally {
      await outdated()
    }
  }
  return forAll({
    title: c('askSetting', { label }),
    Whom: name === 'minAccessUserLevel' ? whomDoorTouches(before as Level, after as Level) : Everybody,
    text: <p>{c('askSettingChange', { from: inWords(name, before), to: inWords(name, after) })}</p>,
    label: c('changeIt'),
    run: () => (isDefault ? reset() : set(to, from)),
    said: c('settingNow', { label, value: inWords(name, after) }),
    undo: () => set(from, to),
  })
}

interface OneChange {
  label: string
  /** JSON, as the server gives it. */
  from: string
  to: string
  /** It goes back to its default. */
  isDefault: boolean
}

type Value = string | number | boolean

/** What a setting can be set to, with words for people; undefined where anything can be typed. */
function optionsOf(name: string): (readonly [string, string])[] | undefined {
  if (name === 'minAccessUserLevel')
    return doors.map((level) => [level, level === 'banned' ? c('value.everybody') : levelName(level as Level)] as const)
  return name.endsWith('Setting') ? reminders.map((each) => [each, c(`value.${each}`)] as const) : undefined
}

/** A value in words. */
function inWords(name: string, value: Value): string {
  if (typeof value === 'boolean') return c(value ? 'value.on' : 'value.off')
  if (typeof value === 'number' && units[name]) return units[name].inWords(value / factorOf(name))
  return optionsOf(name)?.find(([option]) => option === value)?.[1] ?? (String(value) || c('value.empty'))
}

const valueOf = (name: string, json: string): Value => {
  const value = JSON.parse(json) as Value
  return name === 'minAccessUserLevel' ? levelOf(String(value)) : value
}

export function Settings() {
  const settings = useQuery({ queryKey: statesKey, queryFn: () => client.admin.settings() })
  const mayChange = mayDo('admin')
  const [words, setWords] = useSearchWords()
  const isWanted = (text: string) => text.toLowerCase().includes(words.toLowerCase())
  return (
    <ConsolePage title={c('settings')}>
      <SearchField label={c('searchSettings')} change={setWords} start={words} />
      {!mayChange && <p class="quiet after-tabs">{c('readOnly')}</p>}
      <Answer of={settings}>
        {(all) => {
          const known = new Map(all.map((state) => [state.name, state]))
          const shown = (name: string) => known.get(name) as SettingStateData
          return (
            <div class="stack after-tabs">
              {groups.map(([title, names]) => {
                const found = isWanted(c(title))
                  ? names
                  : names.filter((name) => isWanted(`${c(`set.${name}` as ConsoleText)} ${c(`hint.${name}` as ConsoleText)} ${name}`))
                return (
                  found.length > 0 && (
                    <section key={title} class="card pad">
                      <h2>{c(title)}</h2>
                      {found.map((name) => (
                        <Setting key={name} name={name} state={shown(name)} mayChange={mayChange} />
                      ))}
                    </section>
                  )
                )
              })}
              {isWanted([c('group.features'), ...(shown('disabledFeatures').features ?? []).map(featureName)].join(' ')) && (
                <Features state={shown('disabledFeatures')} mayChange={mayChange} />
              )}
            </div>
          )
        }}
      </Answer>
    </ConsolePage>
  )
}

interface SettingProps {
  name: Name
  state: SettingStateData
  mayChange: boolean
}

/** The default, who changed it, and the way back. */
function Origin({ state, mayChange, label }: { state: SettingStateData; mayChange: boolean; label: string }) {
  const { name, value, defaultValue, changedAt, changedBy } = state
  const isDefault = value === defaultValue
  const reset = () =>
    attempt(() =>
      name === 'disabledFeatures' ? switchAll(state) : changeOne(name as Name, { label, from: value, to: defaultValue, isDefault: true }),
    )
  return (
    <p class="origin">
      <span>
        {name === 'disabledFeatures'
          ? isDefault && c('allSwitchedOn')
          : isDefault
            ? c('isDefault')
            : c('defaultIs', { value: inWords(name, valueOf(name, defaultValue)) })}
        {changedAt && changedBy && <> {c('changedBy', { name: nameOf(changedBy), time: `${fullDay(changedAt)}, ${clock(changedAt)}` })}</>}
      </span>
      {!isDefault && mayChange && (
        <button type="button" class="btn quiet" aria-label={c('resetNamed', { name: label })} onClick={() => void reset()}>
          {c('reset')}
        </button>
      )}
    </p>
  )
}

function Setting({ name, state, mayChange }: SettingProps) {
  const value = valueOf(name, state.value)
  const { values, set, clear } = useForm({ draft: typedOf(name, value) })
  const { draft } = values
  const [error, setError] = useState<unknown>()
  // A tick or a choice shows what is in force while it is asked about.
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const label = c(`set.${name}` as ConsoleText)
  const { lowest, highest } = state
  const hint =
    c(`hint.${name}` as ConsoleText) +
    (lowest === undefined || highest === undefined
      ? ''
      : ` ${c('between', { lowest: typedOf(name, lowest), highest: typedOf(name, highest) })}`)
  const origin = <Origin state={state} mayChange={mayChange} label={label} />
  const save = async (next: string | boolean) => {
    setError(undefined)
    redraw(undefined)
    const to = JSON.stringify(typeof value === 'number' ? Math.round(Number(next) * factorOf(name)) : next)
    try {
      if (await changeOne(name, { label, from: state.value, to, isDefault: false })) clear()
    } catch (refused) {
      setError(refused)
    }
  }
  if (typeof value === 'boolean')
    return (
      <div class="setting">
        <label class="tick">
          <input type="checkbox" checked={value} disabled={!mayChange} onChange={({ currentTarget }) => void save(currentTarget.checked)} />
          <span>
            {label} <small>{hint}</small>
          </span>
        </label>
        {origin}
        <FormError error={error} fields={[]} />
      </div>
    )
  const options = optionsOf(name)
  if (options)
    return (
      <div class="setting">
        <fieldset disabled={!mayChange}>
          <Choice label={label} value={String(value)} options={options} change={(next) => void save(next)} />
        </fieldset>
        <small>{hint}</small>
        {origin}
        <FormError error={error} fields={[]} />
      </div>
    )
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault()
        void save(draft)
      }}
    >
      <Field
        label={label}
        value={draft}
        change={set('draft')}
        hint={hint}
        error={errorOf(error, sentName(name))}
        input={{
          disabled: !mayChange,
          ...(typeof value === 'number' && { type: 'number', inputMode: 'decimal', step: factorOf(name) === 1 ? 1 : 'any' }),
        }}
      />
      {draft !== typedOf(name, value) && (
        <button type="submit" class="btn">
          {c('save')}
        </button>
      )}
      {origin}
      <FormError error={error} fields={[sentName(name)]} />
    </form>
  )
}

/** What a feature is called; by its own name where it is newer than these words. */
function featureName(feature: string): string {
  const key = `feature.${feature}`
  const name = c(key as ConsoleText)
  return name === key ? feature : name
}

const appName = (app: string) => (app === 'all' ? c('app.all') : app)

/** Switches everything on that is off. */
function switchAll({ value }: SettingStateData): Promise<boolean> {
  const off = (JSON.parse(value) as { appName: string; featureName: string }[]).map((each) => ({
    app: each.appName,
    feature: each.featureName,
  }))
  return forAll({
    title: c('askFeaturesOn'),
    Whom: Everybody,
    text: <p>{off.map(({ app, feature }) => `${featureName(feature)} (${appName(app)})`).join(', ')}</p>,
    label: c('switchItOn'),
    run: () => change({ enableFeatures: off }),
    said: c('allSwitchedOn'),
    undo: () => change({ disableFeatures: off }),
  })
}

function Features({ state, mayChange }: { state: SettingStateData; mayChange: boolean }) {
  const { features = [], apps = [] } = state
  const disabled = JSON.parse(state.value) as { appName: string; featureName: string }[]
  const isOff = (app: string, feature: string) => disabled.some((each) => each.appName === app && each.featureName === feature)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const turn = (app: string, feature: string, on: boolean) => {
    redraw(undefined)
    const set = (wanted: boolean) => change(wanted ? { enableFeatures: [{ app, feature }] } : { disableFeatures: [{ app, feature }] })
    const words = { feature: featureName(feature), app: app === 'all' ? c('app.all') : c('inApp', { app }) }
    return attempt(() =>
      forAll({
        title: c(on ? 'askFeatureOn' : 'askFeatureOff', words),
        Whom: Everybody,
        text: <p>{c(on ? 'featureOnText' : 'featureOffText', words)}</p>,
        label: c(on ? 'switchItOn' : 'switchItOff'),
        grave: !on,
        run: () => set(on),
        said: c(on ? 'featureIsOn' : 'featureIsOff', words),
        undo: () => set(!on),
      }),
    )
  }
  return (
    <section class="card pad">
      <h2>{c('group.features')}</h2>
      <p class="quiet">{c('featuresText')}</p>
      <div class="scroll" role="region" aria-label={c('group.features')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{c('feature')}</th>
              {apps.map((app) => (
                <th key={app} scope="col">
                  {appName(app)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {features.map((feature) => (
              <tr key={feature}>
                <th scope="row">{featureName(feature)}</th>
                {apps.map((app) => (
                  <td key={app}>
                    <label class="tick">
                      <input
                        type="checkbox"
                        checked={!isOff(app, feature)}
                        disabled={!mayChange}
                        aria-label={c('switchOn', { feature: featureName(feature), app: appName(app) })}
                        onChange={({ currentTarget }) => void turn(app, feature, currentTarget.checked)}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Origin state={state} mayChange={mayChange} label={c('group.features')} />
    </section>
  )
}
