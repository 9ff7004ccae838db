// Posts on their way to a forum or to the microblog.
import { online } from '../client.ts'
import { previewOf } from '../kit/picture.tsx'
import { discard, lettersTo, sendAgain, type Place } from '../outbox.ts'
import { t } from '../texts.ts'

export function WaitingPosts({ place, id }: { place: Place; id: string }) {
  return (
    <>
      {lettersTo(place, id).map(({ key, text, images, refused }) => (
        <article key={key} class="card said waiting">
          <p class="words">{text}</p>
          {images.length > 0 && (
            <div class="pictures">
              {images.map((image) => (
                <img key={image} src={previewOf(image)} alt="" width={120} height={120} />
              ))}
            </div>
          )}
          <small class={refused ? 'wrong' : ''}>{refused ?? t(online.value ? 'sending' : 'waitsForNetwork')}</small>
          {refused && (
            <span class="buttons">
              <button type="button" class="btn quiet" onClick={() => sendAgain(key)}>
                {t('again')}
              </button>
              <button type="button" class="btn quiet" onClick={() => discard(key)}>
                {t('discard')}
              </button>
            </span>
          )}
        </article>
      ))}
    </>
  )
}
