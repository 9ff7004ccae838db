// The photo stream: everybody's photos, newest first, one of them in full, and a form to add one.
import { useRef, useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { PhotostreamImageData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { belowMore } from '../kit/beside.tsx'
import { Menu } from '../kit/menu.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { errorOf, FormError } from '../kit/field.tsx'
import { ScheduleIcon } from '../kit/icon.tsx'
import { CameraIcon, DeleteIcon, FlagIcon, PlaceIcon } from '../kit/page-icon.tsx'
import { NotYet } from '../kit/not-yet.tsx'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
import { maxDescription } from '../kit/choose.tsx'
import { useDescriptions } from '../kit/descriptions.ts'
import { Field } from '../kit/field.tsx'
import { byline, openPictures, roomInFull } from '../kit/picture.tsx'
import { pictureTypes, Preview, Progress, shrink } from '../kit/upload.tsx'
import { Report } from '../kit/report.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { useSure } from '../kit/sure.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { isModerator, mayWrite, me } from '../session.ts'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'
import { placeOf, titleOf } from './newest.tsx'
import { usePhoto, usePhotoPlaces, usePhotos } from './query.ts'
import { useKept } from '../place.ts'

export function PhotoStream() {
  const [place, setPlace] = useKept('place', '')
  const { data: places } = usePhotoPlaces()
  return (
    <Page title={t('photostream')} {...belowMore()} wide>
      {mayWrite.value ? <AddPhoto /> : <NotYet />}
      <div class="sort">
        <Choice
          label={t('photosOf')}
          value={place}
          options={[['', t('everywhere')], ...(places?.locations ?? []).map((name) => [name, name] as const)]}
          change={setPlace}
        />
      </div>
      <Answer of={usePhotos(place)}>
        {({ photos }) =>
          photos.length === 0 ? (
            <Empty title={t('noPhotos')}>{t('noPhotosText')}</Empty>
          ) : (
            <ul class="photos">
              {photos.map((photo) => (
                <Thumbnail key={photo.postID} photo={photo} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Page>
  )
}

function Thumbnail({ photo }: { photo: PhotostreamImageData }) {
  const { postID, image, author, createdAt } = photo
  return (
    <li class="card">
      <Link href={`/photostream/${postID}`}>
        <img src={client.image.thumb.url({ image_filename: image })} alt={titleOf(photo)} width={240} height={180} loading="lazy" />
        <span>
          <b>{nameOf(author)}</b>
          <small>
            {placeOf(photo)} · <time dateTime={createdAt}>{when(createdAt)}</time>
          </small>
        </span>
      </Link>
    </li>
  )
}

/** The value of a choice that is an event; all others are places. */
const eventPrefix = 'event '

function AddPhoto() {
  const { data: places } = usePhotoPlaces()
  const [picture, setPicture] = useState<{ image: Blob; takenMs: number; alt: string }>()
  const [place, setPlace] = useState('On Boat')
  const [error, setError] = useState<unknown>()
  /** The share that has left, while it is being sent. */
  const [share, setShare] = useState<number>()
  const chooser = useRef<HTMLInputElement>(null)
  const choose = (file: File | undefined) =>
    attempt(async () => {
      if (file) setPicture({ image: await shrink(file), takenMs: Math.min(file.lastModified, Date.now()), alt: '' })
    })
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!picture) return
    setShare(0)
    setError(undefined)
    const { image, takenMs, alt } = picture
    const of = place.startsWith(eventPrefix) ? { eventID: place.slice(eventPrefix.length) } : { locationName: place }
    try {
      await once(
        client.photostream.upload,
        { image, createdAt: new Date(takenMs), ...(alt.trim() && { alt: alt.trim() }), ...of },
        { onProgress: setShare },
      )
      setPicture(undefined)
      toast(t('photoAdded'))
      refresh('photostream')
    } catch (refused) {
      setError(refused)
    }
    setShare(undefined)
  }
  const input = (
    <input
      ref={chooser}
      type="file"
      accept={pictureTypes}
      hidden
      onChange={({ currentTarget }) => {
        void choose(currentTarget.files?.[0])
        // The same file may be chosen once more.
        currentTarget.value = ''
      }}
    />
  )
  if (!picture)
    return (
      <p class="links add-photo">
        {input}
        <button type="button" class="btn" onClick={() => chooser.current?.click()}>
          <CameraIcon size={18} /> {t('addPhoto')}
        </button>
      </p>
    )
  return (
    <form class="card pad about add-photo" onSubmit={(event) => void submit(event)}>
      <Preview class="photo-preview" of={picture.image} alt={t('yourPicture')} />
      <Field
        label={t('describe.label')}
        value={picture.alt}
        change={(alt) => setPicture({ ...picture, alt })}
        input={{ maxLength: maxDescription }}
      />
      <Choice
        label={t('photoOf')}
        value={place}
        options={[
          ...(places?.events ?? []).map(({ eventID, title }) => [eventPrefix + eventID, title] as const),
          ...(places?.locations ?? ['On Boat']).map((name) => [name, name] as const),
        ]}
        change={setPlace}
      />
      {errorOf(error, 'image') && (
        <p class="wrong" role="alert">
          {errorOf(error, 'image')}
        </p>
      )}
      <FormError error={error} fields={['image']} />
      <Progress share={share} />
      <div class="buttons">
        <button type="button" class="btn quiet" onClick={() => setPicture(undefined)}>
          {t('cancel')}
        </button>
        <button type="submit" class="btn" disabled={share !== undefined}>
          {t(share !== undefined ? 'sending' : 'share')}
        </button>
      </div>
    </form>
  )
}

export function Photo({ id }: { id: string }) {
  const found = usePhoto(Number(id))
  const photo = found.data?.photo
  return (
    <Page title={photo ? placeOf(photo) : t('photo')} back="/photostream" actions={photo && <PhotoMenu photo={photo} />}>
      <Answer of={found}>
        {({ photo: shown }) => (shown ? <FullPhoto photo={shown} /> : <Empty title={t('noPhoto')}>{t('noPhotoText')}</Empty>)}
      </Answer>
    </Page>
  )
}

function FullPhoto({ photo }: { photo: PhotostreamImageData }) {
  const { image, imageSize, author, createdAt, event, postID } = photo
  const { data } = usePhotos('')
  const description = useDescriptions([image]).get(image)
  const [, navigate] = useLocation()
  // From here one gets to the others, and is left with the page of the last one.
  const open = async () => {
    const newest = data?.photos.some((each) => each.postID === postID) ? data.photos : [photo]
    const last = await openPictures(
      newest.map((each) => ({
        name: each.image,
        size: each.imageSize,
        alt: titleOf(each),
        ...(each.image === image && { description }),
        by: byline(each.author, each.createdAt),
        text: placeOf(each),
      })),
      newest.findIndex((each) => each.postID === postID),
    )
    const shown = newest[last]?.postID ?? postID
    if (shown !== postID) navigate(`/photostream/${shown}`, { replace: true })
  }
  return (
    <article class="card pad about">
      <button type="button" class="opens" onClick={() => void attempt(open)}>
        <img
          class="full"
          src={client.image.full.url({ image_filename: image })}
          alt={description ?? titleOf(photo)}
          style={roomInFull(imageSize)}
        />
      </button>
      {description && <p>{description}</p>}
      <Link class="author" href={`/profile/${encodeURIComponent(author.username)}`}>
        <Face user={author} />
        <span>
          <b>{nameOf(author)}</b>
          <small>@{author.username}</small>
        </span>
      </Link>
      <p class="fact">
        <ScheduleIcon size={18} />
        <time dateTime={createdAt}>
          {fullDay(createdAt)}, {clock(createdAt)}
        </time>
      </p>
      <p class="fact">
        <PlaceIcon size={18} /> {event ? <Link href={`/events/${event.eventID}`}>{event.title}</Link> : placeOf(photo)}
      </p>
    </article>
  )
}

function PhotoMenu({ photo }: { photo: PhotostreamImageData }) {
  const { postID, author } = photo
  const [reporting, setReporting] = useState(false)
  const { ask, question } = useSure()
  const [, navigate] = useLocation()
  const isMine = author.userID === me.value?.userID
  if (isMine && !isModerator.value) return null
  const remove = async () => {
    await client.mod.removePhotostream({ stream_photoID: postID })
    refresh('photostream')
    navigate('/photostream', { replace: true })
  }
  return (
    <>
      <Menu
        title={t('photoMenu')}
        actions={[
          !isMine && { label: t('report'), icon: <FlagIcon size={20} />, opens: true, run: () => setReporting(true) },
          isModerator.value && {
            label: t('delete'),
            icon: <DeleteIcon size={20} />,
            grave: true,
            opens: true,
            run: () => ask({ title: t('sure.photo'), text: t('sure.photoText'), done: t('delete'), run: remove }),
          },
        ]}
      />
      {question}
      {reporting && (
        <Report report={(message) => client.photostream.report({ stream_photoID: postID, message })} close={() => setReporting(false)} />
      )}
    </>
  )
}
