// Posts on their way to a forum or to the microblog.
import { online } from '../client.ts'
import { Preview, Progress } from '../kit/upload.tsx'
import { discard, lettersTo, sendAgain, shares, type Place } from '../outbox.ts'
import { t } from '../texts.ts'

export function WaitingPosts({ place, id }: { place: Place; id: string }) {
  return (
    <>
      {lettersTo(place, id).map(({ key, text, images, refused }) => (
        <article key={key} class="card said waiting">
          <p class="words">{text}</p>
          {images.length > 0 && (
            <div class="pictures">
              {images.map((image, index) => (
                <Preview key={index} of={image} alt="" width={120} height={120} />
              ))}
            </div>
          )}
          <Progress share={shares.value[key]} />
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
