// Posts on their way to a forum or to the microblog.
import { useEffect, useRef } from 'preact/hooks'
import { online } from '../client.ts'
import { useSecondsUntil } from '../kit/countdown.ts'
import { wordsOf } from '../kit/picture.tsx'
import { Preview, Progress } from '../kit/upload.tsx'
import { discard, lettersTo, sendAgain } from '../letters.ts'
import { shares, type Place } from '../outbox.ts'
import { t } from '../texts.ts'

interface OnItsWayProps {
  refused: string | undefined
  notBefore: number | undefined
}

/** Where a post is that the server has not taken yet. */
export function OnItsWay({ refused, notBefore = 0 }: OnItsWayProps) {
  const seconds = useSecondsUntil(notBefore)
  return <>{refused ?? (seconds > 0 ? t('slowWaits', { n: seconds }) : t(online.value ? 'sending' : 'waitsForNetwork'))}</>
}

const justNowMs = 2000

export function WaitingPosts({ place, id }: { place: Place; id: string }) {
  const end = useRef<HTMLDivElement>(null)
  const letters = lettersTo(place, id)
  const last = letters.at(-1)
  // Whoever has written sees that it is there.
  useEffect(() => {
    if (last && Date.now() - Date.parse(last.writtenAt) < justNowMs) end.current?.scrollIntoView({ block: 'center' })
  }, [last?.key])
  return (
    <>
      {letters.map(({ key, text, images, refused, notBefore }) => (
        <article key={key} class="card said waiting">
          <p class="words">{images.length > 0 ? wordsOf(text) : text}</p>
          {images.length > 0 && (
            <div class="pictures">
              {images.map((image, index) => (
                <Preview key={index} of={image} alt="" width={120} height={120} />
              ))}
            </div>
          )}
          <Progress share={shares.value[key]} />
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
      {last && <div ref={end} />}
    </>
  )
}
