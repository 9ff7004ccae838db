// Every setting with a sentence about it, and the features as a grid.
import { useState } from 'preact/hooks'
import type { SettingsAdminData, SettingsUpdateData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice, errorOf, Field, FormError } from '../kit/field.tsx'
import { Answer } from '../kit/states.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { apps, features } from './features.ts'
import { ConsolePage, levelName } from './parts.tsx'
import { mayDo, type Level } from './rights.ts'
import { c, type ConsoleText } from './texts.ts'

type Name = Exclude<keyof SettingsAdminData, 'disabledFeatures'>

const reminders = ['disabled', 'cruiseWeek', 'current'] as const
const groups: readonly (readonly [title: ConsoleText, names: readonly Name[]])[] = [
  ['group.doors', ['minAccessUserLevel', 'enablePreregistration', 'maxAlternateAccounts']],
  ['group.moderation', ['forumAutoQuarantineThreshold', 'postAutoQuarantineThreshold', 'userAutoQuarantineThreshold']],
  [
    'group.schedule',
    ['scheduleUpdateURL', 'upcomingEventNotificationSetting', 'upcomingLFGNotificationSetting', 'upcomingEventNotificationSeconds'],
  ],
  ['group.ship', ['shipWifiSSID']],
  [
    'group.limits',
    [
      'maxImageSize',
      'allowAnimatedImages',
      'maxForumPostImages',
      'maximumTwarrts',
      'maximumForums',
      'maximumForumPosts',
      'enableSiteNotificationDataCaching',
    ],
  ],
]
const doors = ['banned', 'moderator', 'serviceteam', 'tho', 'admin'] as const

/** The setting is called differently where it is changed. */
const sentName = (name: Name) => (name === 'minAccessUserLevel' ? 'minUserAccessLevel' : name)

async function change(part: Partial<SettingsUpdateData>): Promise<void> {
  await client.admin.serversettingsUpdate({ enableFeatures: [], disableFeatures: [], ...part })
  refresh('console settings', 'settings', 'numbers')
}

export function Settings() {
  const settings = useQuery({ queryKey: ['console settings'], queryFn: () => client.admin.serversettings() })
  const mayChange = mayDo('admin')
  return (
    <ConsolePage title={c('settings')}>
      {!mayChange && <p class="quiet after-tabs">{c('readOnly')}</p>}
      <Answer of={settings}>
        {(known) => (
          <div class="stack after-tabs">
            {groups.map(([title, names]) => (
              <section key={title} class="card pad">
                <h2>{c(title)}</h2>
                {names.map((name) => (
                  <Setting key={`${name} ${String(known[name])}`} name={name} value={known[name]} mayChange={mayChange} />
                ))}
              </section>
            ))}
            <Features disabled={known.disabledFeatures} mayChange={mayChange} />
          </div>
        )}
      </Answer>
    </ConsolePage>
  )
}

interface SettingProps {
  name: Name
  value: SettingsAdminData[Name]
  mayChange: boolean
}

function Setting({ name, value, mayChange }: SettingProps) {
  const [draft, setDraft] = useState(String(value ?? ''))
  const [error, setError] = useState<unknown>()
  const label = c(`set.${name}` as ConsoleText)
  const hint = c(`hint.${name}` as ConsoleText)
  const save = async (next: string | boolean) => {
    setError(undefined)
    try {
      await change({ [sentName(name)]: typeof value === 'number' ? Number(next) : next })
      toast(c('saved'))
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
        <FormError error={error} fields={[]} />
      </div>
    )
  const options =
    name === 'minAccessUserLevel'
      ? doors.map((level) => [level, level === 'banned' ? c('value.everybody') : levelName(level as Level)] as const)
      : name.endsWith('Setting')
        ? reminders.map((each) => [each, c(`value.${each}`)] as const)
        : undefined
  if (options)
    return (
      <fieldset class="setting" disabled={!mayChange}>
        <Choice label={label} value={String(value)} options={options} change={(next) => void save(next)} />
        <small>{hint}</small>
        <FormError error={error} fields={[]} />
      </fieldset>
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
        change={setDraft}
        hint={hint}
        error={errorOf(error, sentName(name))}
        input={{ disabled: !mayChange, ...(typeof value === 'number' && { type: 'number', inputMode: 'numeric' }) }}
      />
      {draft !== String(value ?? '') && (
        <button type="submit" class="btn">
          {c('save')}
        </button>
      )}
      <FormError error={error} fields={[sentName(name)]} />
    </form>
  )
}

function Features({ disabled, mayChange }: { disabled: SettingsAdminData['disabledFeatures']; mayChange: boolean }) {
  const isOff = (app: string, feature: string) => disabled.some((each) => each.app === app && each.feature === feature)
  const turn = (app: string, feature: string, on: boolean) =>
    attempt(() => change(on ? { enableFeatures: [{ app, feature }] } : { disableFeatures: [{ app, feature }] }))
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
                  {app === 'all' ? c('app.all') : app}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {features.map((feature) => (
              <tr key={feature}>
                <th scope="row">{c(`feature.${feature}`)}</th>
                {apps.map((app) => (
                  <td key={app}>
                    <label class="tick">
                      <input
                        type="checkbox"
                        checked={!isOff(app, feature)}
                        disabled={!mayChange}
                        aria-label={c('switchOn', { feature: c(`feature.${feature}`), app: app === 'all' ? c('app.all') : app })}
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
    </section>
  )
}
