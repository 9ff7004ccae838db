// The last notices, and which of them the device shows while nobody looks at the app.
import { useEffect, useState } from 'preact/hooks'
import { Page, Section } from '../kit/page.tsx'
import { Row } from '../kit/row.tsx'
import { Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { client } from '../client.ts'
import { isModerator } from '../session.ts'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { canClosed, turnOffClosed, turnOnClosed } from './closed.ts'
import { kept, seen, seenAt, sentenceOfNotice, showOutside } from './outside.ts'
import { hrefOf } from './query.ts'
import { kindNames, kindOf, obstacle, wish, wishes, type Kind } from './wishes.ts'

export function Notices() {
  // What was new when one came stays marked while one looks.
  const [before] = useState(seenAt.value)
  useEffect(seen, [kept.value])
  return (
    <Page title={t('notices')} back="/account">
      <Section title={t('notices.last')}>
        {kept.value.length === 0 ? (
          <Empty title={t('notices.none')}>{t('notices.noneText')}</Empty>
        ) : (
          <ul class="card">
            {kept.value.map((notice) => (
              <Row
                key={`${notice.at} ${notice.type} ${notice.contentID}`}
                href={hrefOf(notice) ?? '/'}
                title={sentenceOfNotice(notice)}
                sub={`${t(`notices.of.${kindOf(notice.type) ?? 'announcements'}`)} · ${when(new Date(notice.at).toISOString())}`}
                fresh={notice.at > before}
              />
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('notices.outside')}>
        <Outside />
      </Section>
    </Page>
  )
}

/** Whether and how notices are shown outside of the app. */
export function Outside() {
  const [inTheWay, setInTheWay] = useState(obstacle)
  const { isOn } = wishes.value
  const turnOn = async () => {
    const answer = await Notification.requestPermission()
    setInTheWay(obstacle())
    wish({ isOn: answer === 'granted' })
  }
  if (inTheWay)
    return (
      <div class="card pad about">
        <p>{t(`notices.${inTheWay}`)}</p>
        {inTheWay === 'refused' && (
          <>
            <p>{t(`notices.allow.${browser()}`)}</p>
            <p class="buttons">
              <button type="button" class="btn quiet" onClick={() => setInTheWay(obstacle())}>
                {t('notices.allowed')}
              </button>
            </p>
          </>
        )}
      </div>
    )
  return (
    <div class="card pad about">
      <p class="quiet">{t('notices.how')}</p>
      {isOn && <Wishes />}
      <p class="buttons">
        {isOn ? (
          <>
            <button
              type="button"
              class="btn"
              onClick={() => showOutside({ type: 'announcement', info: t('notices.tryText'), contentID: 'try' })}
            >
              {t('notices.try')}
            </button>
            <button type="button" class="btn quiet" onClick={() => wish({ isOn: false })}>
              {t('notices.turnOff')}
            </button>
          </>
        ) : (
          <button type="button" class="btn" onClick={() => void attempt(turnOn)}>
            {t('notices.turnOn')}
          </button>
        )}
      </p>
    </div>
  )
}

/** Where one allows notices is elsewhere in each of these. */
function browser(): 'ios' | 'android' | 'firefox' | 'safari' | 'chrome' {
  const { userAgent, maxTouchPoints } = navigator
  // A tablet says that it is a Mac.
  if (/iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'ios'
  if (/Android/.test(userAgent)) return 'android'
  if (/Firefox/.test(userAgent)) return 'firefox'
  return /Chrome/.test(userAgent) ? 'chrome' : 'safari'
}

const usualQuiet = { from: '22:00', to: '07:00' }

function Wishes() {
  const { without, sound, vibration, quiet } = wishes.value
  const set = (kind: Kind, isOn: boolean) => wish({ without: isOn ? without.filter((each) => each !== kind) : [...without, kind] })
  return (
    <>
      <fieldset class="plain-set">
        <legend class="headline">{t('notices.which')}</legend>
        {kindNames
          .filter((kind) => kind !== 'incidents' || isModerator.value)
          .map((kind) => (
            <Check key={kind} label={t(`notices.kind.${kind}`)} isOn={!without.includes(kind)} change={(isOn) => set(kind, isOn)} />
          ))}
        <small class="quiet">{t('notices.mutedHint')}</small>
      </fieldset>
      <Closed />
      <Check label={t('notices.sound')} isOn={sound} change={(isOn) => wish({ sound: isOn })} />
      {'vibrate' in navigator && <Check label={t('notices.vibration')} isOn={vibration} change={(isOn) => wish({ vibration: isOn })} />}
      <Check label={t('notices.quiet')} isOn={quiet !== undefined} change={(isOn) => wish({ quiet: isOn ? usualQuiet : undefined })} />
      {quiet && (
        <p class="buttons">
          <Time label={t('notices.quietFrom')} value={quiet.from} change={(from) => wish({ quiet: { ...quiet, from } })} />
          <Time label={t('notices.quietTo')} value={quiet.to} change={(to) => wish({ quiet: { ...quiet, to } })} />
        </p>
      )}
    </>
  )
}

/** Where the host offers it. */
function Closed() {
  const { data: offer } = useQuery({ queryKey: ['push'], queryFn: () => client.notification.push(), enabled: canClosed })
  const { publicKey } = offer ?? {}
  if (!offer || !publicKey) return null
  const change = (isOn: boolean) => void attempt(() => (isOn ? turnOnClosed(publicKey) : turnOffClosed()))
  return (
    <>
      <Check label={t('notices.closed')} isOn={wishes.value.closed ?? false} change={change} />
      <small class="quiet">{t(offer.hasTexts ? 'notices.closedWithTexts' : 'notices.closedHint')}</small>
    </>
  )
}

function Check({ label, isOn, change }: { label: string; isOn: boolean; change: (isOn: boolean) => void }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}

function Time({ label, value, change }: { label: string; value: string; change: (value: string) => void }) {
  return (
    <label class="field">
      {label}
      <input type="time" required value={value} onInput={({ currentTarget }) => currentTarget.value && change(currentTarget.value)} />
    </label>
  )
}
