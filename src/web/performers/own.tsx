// The page that somebody makes of themselves, for the events that they organise.
import { useRef, useState } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import type { EventData, PerformerData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { useEvents } from '../events/query.ts'
import { isHeldByUsers } from '../events/parts.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { CloseIcon } from '../kit/icon.tsx'
import { Page } from '../kit/page.tsx'
import { pictureTypes, Preview, shrink, toBase64 } from '../kit/upload.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, shortWeekday } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { t, type TextKey } from '../texts.ts'
import { useMayOrganise } from '../lineup/rights.ts'

const lines = ['pronouns', 'title', 'organization'] as const
const addresses = ['website', 'facebookURL', 'xURL', 'instagramURL', 'youtubeURL'] as const
const labels: Record<(typeof addresses)[number], string> = {
  website: '',
  facebookURL: 'Facebook',
  xURL: 'X',
  instagramURL: 'Instagram',
  youtubeURL: 'YouTube',
}
const fields = ['name', ...lines, 'bio', ...addresses, 'yearsAttended', 'photo', 'image']

const useOwnPage = () => useQuery({ queryKey: ['performers', 'own'], queryFn: () => client.performer.self(), staleTime: 0 })

export function OwnPerformer() {
  const own = useOwnPage()
  const mayChange = useMayOrganise()
  return (
    <Page title={t('ownPerformer')} back="/performers">
      <Answer of={own}>
        {(page) => (mayChange ? <OwnForm page={page} /> : <p class="card pad notice after-tabs">{t('organiseClosed')}</p>)}
      </Answer>
    </Page>
  )
}

/** The event that is organised; others are added one by one. */
function OwnForm({ page }: { page: PerformerData }) {
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const { data: schedule = [] } = useEvents()
  const [eventID, setEventID] = useState(params.get('event') ?? '')
  const [image, setImage] = useState<Blob>()
  const [isBare, setBare] = useState(false)
  const filename = isBare ? undefined : page.header.photo
  const own = page.events.map((event) => event.eventID)
  const [asking, setAsking] = useState(false)
  const { values, set, error, busy, submit } = useForm({
    name: page.header.name,
    bio: page.bio ?? '',
    years: page.yearsAttended.join(', '),
    ...Object.fromEntries([...lines, ...addresses].map((field) => [field, page[field] ?? ''])),
  } as Record<string, string>)
  const offered = schedule.filter((event) => isHeldByUsers(event) && !own.includes(event.eventID) && !hasOfficial(event))
  const about = eventID || own[0]
  const save = async () => {
    if (!about) return
    const { years = '', name = '', ...texts } = values
    await client.performer.forevent({
      event_id: about,
      name: name.trim(),
      // Not as bytes: a form has no empty list.
      photo: image ? { image: await toBase64(image) } : filename ? { filename } : {},
      isOfficialPerformer: false,
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== '')),
      yearsAttended: years.split(/\D+/).filter(Boolean).map(Number),
      eventUIDs: [],
    })
    refresh('performers', 'events')
    const { header } = await client.performer.self()
    go(`/performer/${header.id}`, { replace: true })
  }
  const giveBack = (event_id: string) =>
    attempt(async () => {
      await client.performer.removeForevent({ event_id })
      refresh('performers', 'events')
    })
  const remove = () =>
    attempt(async () => {
      setAsking(false)
      await client.performer.removeSelf()
      refresh('performers', 'events')
      toast(t('ownPerformerGone'))
      go('/performers', { replace: true })
    })
  const field = (name: string, label: string, more: { rows?: number; hint?: string; maxLength: number; type?: string }) => {
    const { rows, hint, ...input } = more
    return (
      <Field
        key={name}
        label={label}
        value={values[name] ?? ''}
        change={set(name)}
        error={errorOf(error, name)}
        {...(rows && { rows })}
        {...(hint && { hint })}
        input={{ ...input, required: name === 'name' }}
      />
    )
  }
  return (
    <form class="card pad after-tabs" onSubmit={submit(save)}>
      <p class="quiet">{t('ownPerformerText')}</p>
      {own.length > 0 && (
        <ul class="own-events" aria-label={t('yourEvents')}>
          {own.map((id) => {
            const event = schedule.find((each) => each.eventID === id) ?? page.events.find((each) => each.eventID === id)
            return (
              <li key={id} class="row">
                <span class="row-text">
                  <p>{event?.title}</p>
                  <small>{event && timeOf(event)}</small>
                </span>
                <button
                  type="button"
                  class="round plain"
                  aria-label={t('removeName', { name: event?.title ?? '' })}
                  onClick={() => void giveBack(id)}
                >
                  <CloseIcon size={18} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <Choice
        label={t(own.length > 0 ? 'organiseAlso' : 'organiseEvent')}
        value={eventID}
        change={setEventID}
        options={[['', '–'], ...offered.map((event) => [event.eventID, `${event.title} (${timeOf(event)})`] as const)]}
      />
      <Photo
        image={image}
        filename={filename}
        error={errorOf(error, 'image') ?? errorOf(error, 'photo')}
        choose={setImage}
        remove={() => {
          setImage(undefined)
          setBare(true)
        }}
      />
      {field('name', t('performerName'), { maxLength: 200 })}
      {lines.map((line) => field(line, t(`performer.${line}` as TextKey), { maxLength: 100 }))}
      {field('bio', t('performer.bio'), { rows: 8, hint: t('markdownHint'), maxLength: 20_000 })}
      {addresses.map((address) => field(address, labels[address] || t('website'), { maxLength: 2000, type: 'url' }))}
      {field('years', t('performer.years'), { hint: t('performer.yearsHint'), maxLength: 200 })}
      <FormError error={error} fields={fields} />
      {!about && <p class="quiet">{t('organiseFirst')}</p>}
      <div class="buttons">
        {page.header.id && (
          <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {t('deleteOwnPerformer')}
          </button>
        )}
        <button type="submit" class="btn" disabled={busy || !about}>
          {t(busy ? 'sending' : 'save')}
        </button>
      </div>
      {asking && (
        <Dialog title={t('deleteOwnPerformer')} close={() => setAsking(false)}>
          <p>{t('deleteOwnPerformerText')}</p>
          <div class="buttons">
            <button type="button" class="btn quiet" onClick={() => setAsking(false)}>
              {t('cancel')}
            </button>
            <button type="button" class="btn grave" onClick={() => void remove()}>
              {t('delete')}
            </button>
          </div>
        </Dialog>
      )}
    </form>
  )
}

const hasOfficial = ({ performers }: EventData) => performers.some(({ isOfficialPerformer }) => isOfficialPerformer)
const timeOf = ({ startTime }: EventData) => `${shortWeekday(startTime)} ${clock(startTime)}`

interface PhotoProps {
  /** A new one. */
  image: Blob | undefined
  /** The one that is there. */
  filename: string | undefined
  error: string | undefined
  choose: (image: Blob) => void
  remove: () => void
}

function Photo({ image, filename, error, choose, remove }: PhotoProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const shape = { class: 'face big', alt: t('yourPicture'), width: 96, height: 96 }
  const take = (file: File | undefined) => attempt(async () => file && choose(await shrink(file)))
  return (
    <div class="field">
      <span class="label">{t('photo')}</span>
      <div class="own-portrait">
        {image ? (
          <Preview of={image} {...shape} />
        ) : (
          filename && <img src={client.image.thumb.url({ image_filename: filename })} {...shape} />
        )}
        <input
          ref={chooser}
          type="file"
          accept={pictureTypes}
          hidden
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
        {/* Beside the picture, which is as high as both. */}
        <div class="buttons-down">
          <button type="button" class="btn quiet" onClick={() => chooser.current?.click()}>
            {t('newPicture')}
          </button>
          {(image ?? filename) && (
            <button type="button" class="btn quiet" onClick={remove}>
              {t('remove')}
            </button>
          )}
        </div>
      </div>
      {error && (
        <small class="wrong" role="alert">
          {error}
        </small>
      )}
    </div>
  )
}
