// Signing out. Posts that wait are asked about first: afterwards this browser has nothing of the account any more.
import { useState } from 'preact/hooks'
import { client, sentenceOf } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { toast } from '../kit/toast.tsx'
import { deliverNow, findLetters, letters, mine } from '../outbox.ts'
import { end, me, signOut } from '../session.ts'
import { t } from '../texts.ts'

const maxShown = 3

/** The same on all devices, apps included. Without a network nobody is signed out. */
async function signOutEverywhere(): Promise<void> {
  await end(() => client.auth.logoutEverywhere({}, { retries: 0 })).catch((error: unknown) =>
    toast(t('everywhereFailed', { reason: sentenceOf(error) }), { wrong: true }),
  )
}

const ways = { here: signOut, everywhere: signOutEverywhere }
type Way = keyof typeof ways

/** What buttons do, and the question that some of them lead to. */
export function useSignOut() {
  const [asked, ask] = useState<Way>()
  const begin = async (way: Way) => {
    await findLetters()
    if (letters.value.length > 0) ask(way)
    else await ways[way]()
  }
  return {
    signOut: (way: Way) => void begin(way),
    question: asked && <Unsent close={() => ask(undefined)} go={ways[asked]} />,
  }
}

function Unsent({ close, go }: { close: () => void; go: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const own = mine.value
  // Of other accounts that were used here: they go, too, and cannot be sent from here.
  const others = letters.value.filter(({ authorID }) => authorID !== me.value?.userID).length
  const finish = async () => {
    setBusy(true)
    await go()
    close()
  }
  const send = async () => {
    setBusy(true)
    await deliverNow()
    setBusy(false)
    if (mine.value.length > 0 || others > 0) setTried(true)
    else await finish()
  }
  return (
    <Dialog title={t('unsentTitle')} close={close}>
      {own.length > 0 && <p>{t('unsentOwn', { n: own.length })}</p>}
      <ul class="unsent">
        {own.slice(0, maxShown).map(({ key, text, refused }) => (
          <li key={key}>
            <q>{text || t('picture', { number: 1 })}</q>
            {refused && <small class="wrong">{refused}</small>}
          </li>
        ))}
      </ul>
      {others > 0 && <p>{t('unsentOthers', { n: others })}</p>}
      {tried && own.length > 0 && (
        <p class="wrong" role="alert">
          {t('unsentStill', { n: own.length })}
        </p>
      )}
      <div class="buttons-down">
        {own.length > 0 && (
          <button type="button" class="btn" disabled={busy} onClick={() => void send()}>
            {t('unsentSend')}
          </button>
        )}
        <button type="button" class="btn quiet" disabled={busy} onClick={close}>
          {t('unsentStay')}
        </button>
        <button type="button" class="btn grave" disabled={busy} onClick={() => void finish()}>
          {t('unsentDiscard')}
        </button>
      </div>
    </Dialog>
  )
}
