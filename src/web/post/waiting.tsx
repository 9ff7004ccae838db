// Posts on their way to a forum or to the microblog.
import { useEffect, useReducer } from 'preact/hooks'
import { online } from '../client.ts'
import { previewOf } from '../kit/picture.tsx'
import { discard, lettersTo, sendAgain, type Place } from '../outbox.ts'
import { t } from '../texts.ts'

interface OnItsWayProps {
  refused: string | undefined
  notBefore: number | undefined
}

/** Where a post is that the server has not taken yet. */
export function OnItsWay({ refused, notBefore = 0 }: OnItsWayProps) {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  const seconds = Math.ceil((notBefore - Date.now()) / 1000)
  const isSlow = seconds > 0
  useEffect(() => {
    if (!isSlow) return
    const ticking = setInterval(() => tick(undefined), 1000)
    return () => clearInterval(ticking)
  }, [isSlow])
  return <>{refused ?? (isSlow ? t('slowWaits', { n: seconds }) : t(online.value ? 'sending' : 'waitsForNetwork'))}</>
}

export function WaitingPosts({ place, id }: { place: Place; id: string }) {
  return (
    <>
      {lettersTo(place, id).map(({ key, text, images, refused, notBefore }) => (
        <article key={key} class="card said waiting">
          <p class="words">{text}</p>
          {images.length > 0 && (
            <div class="pictures">
              {images.map((image) => (
                <img key={image} src={previewOf(image)} alt="" width={120} height={120} />
              ))}
            </div>
          )}
          <small class={refused ? 'wrong' : ''}>
            <OnItsWay refused={refused} notBefore={notBefore} />
          </small>
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
