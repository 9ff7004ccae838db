// The newest photos, at the end of the first page.
import { Link } from 'wouter-preact'
import type { PhotostreamImageData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { useIsOff } from '../switches/gate.tsx'
import { nameOf } from '../kit/face.tsx'
import { Section } from '../kit/page.tsx'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'

const limit = 6

/** Where a photo was taken, or at what. */
export const placeOf = ({ event, location }: PhotostreamImageData): string => event?.title ?? location ?? ''

export const titleOf = (photo: PhotostreamImageData): string => t('photoTitle', { name: nameOf(photo.author), place: placeOf(photo) })

/** Nothing when there are none. */
export function NewestPhotos() {
  const isOff = useIsOff('photostream')
  const { data } = useQuery({ queryKey: ['photostream', 'newest'], queryFn: () => client.photostream.list({ limit }) })
  if (isOff || !data || data.photos.length === 0) return null
  return (
    <Section title={t('newestPhotos')}>
      <ul class="photo-strip">
        {data.photos.map((photo) => (
          <li key={photo.postID}>
            <Link href={`/photostream/${photo.postID}`}>
              <img
                src={client.image.thumb.url({ image_filename: photo.image })}
                alt={titleOf(photo)}
                width={120}
                height={120}
                loading="lazy"
              />
            </Link>
          </li>
        ))}
      </ul>
      <p class="links">
        <Link href="/photostream" class="btn quiet">
          {t('allPhotos')}
        </Link>
      </p>
    </Section>
  )
}
