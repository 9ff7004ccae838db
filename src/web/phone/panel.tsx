// The call on the screen: it rings, can be answered and declined, and says how it goes.
import { useEffect, useRef, useState } from 'preact/hooks'
import { client, sentenceOf } from '../client.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { t } from '../texts.ts'
import { obstacle, openHandset, type Handset } from './handset.ts'
import { call, changeCall, type Call } from './state.ts'

/** Closes the panel; a call that goes on ends. */
function endCall(): void {
  const ended = call.value
  call.value = undefined
  if (ended && ended.phase !== 'over') void client.phone.decline({ callID: ended.id }).catch(() => undefined)
}

export function CallPanel() {
  const current = call.value
  return current ? <Panel key={current.id} current={current} /> : null
}

function Panel({ current }: { current: Call }) {
  const { id, other, isIncoming, isDirect, phase, ended } = current
  const name = nameOf(other)
  const handset = useRef<Handset>()
  const [isMuted, setMuted] = useState(false)
  const [loudness, setLoudness] = useState(0)
  const reason = isDirect ? 'directCall' : obstacle()
  const dialog = useRef<HTMLDialogElement>(null)

  const connect = async () => {
    changeCall({ phase: isIncoming ? 'connecting' : 'ringing' })
    try {
      handset.current = await openHandset(
        () => (isIncoming ? client.phone.answerSocket({ callID: id }) : client.phone.initiateSocket({ callID: id, userID: other.userID })),
        {
          started: () => changeCall({ phase: 'talking' }),
          heard: setLoudness,
          closed: (opened) => {
            if (call.value?.id === id) changeCall({ phase: 'over', ended: t(opened ? 'callOver' : 'callRefused', { name }) })
          },
        },
      )
      // Declined while the browser asked for the microphone.
      if (call.value?.id !== id) handset.current.hangUp()
    } catch (error) {
      changeCall({ phase: 'over', ended: error instanceof DOMException ? t('noMicrophone') : sentenceOf(error) })
      void client.phone.decline({ callID: id }).catch(() => undefined)
    }
  }
  useEffect(() => {
    dialog.current?.show()
    if (!isIncoming && reason === undefined) void connect()
    else if (isIncoming) navigator.vibrate?.([400, 200, 400])
    return () => handset.current?.hangUp()
  }, [])
  useEffect(() => {
    if (phase === 'over') handset.current?.hangUp()
  }, [phase])
  const state = {
    ringing: isIncoming ? t('callsYou') : t('rings'),
    connecting: t('connecting'),
    talking: t('talking'),
    over: ended ?? t('callOver'),
  }[phase]
  const explained = phase === 'ringing' && reason !== undefined
  return (
    <dialog ref={dialog} class="call" aria-label={t('callWith', { name })}>
      <Face user={other} />
      <div class="row-text" role="status">
        <p>{name}</p>
        <small>{explained ? t(`call.${reason}`) : state}</small>
        {phase === 'talking' && <Meter loudness={loudness} />}
      </div>
      <div class="buttons">
        {phase === 'ringing' && isIncoming && (
          <>
            <button type="button" class="btn quiet" onClick={endCall}>
              {t('decline')}
            </button>
            {reason === undefined && (
              <button type="button" class="btn" onClick={() => void connect()}>
                {t('answer')}
              </button>
            )}
          </>
        )}
        {phase === 'talking' && (
          <button
            type="button"
            class="btn quiet"
            aria-pressed={isMuted}
            onClick={() => {
              handset.current?.mute(!isMuted)
              setMuted(!isMuted)
            }}
          >
            {t('muteMicrophone')}
          </button>
        )}
        {(phase === 'talking' || phase === 'connecting' || (phase === 'ringing' && !isIncoming && reason === undefined)) && (
          <button type="button" class="btn grave" onClick={endCall}>
            {t('hangUp')}
          </button>
        )}
        {(phase === 'over' || (explained && !isIncoming)) && (
          <button
            type="button"
            class="btn quiet"
            onClick={() => {
              call.value = undefined
            }}
          >
            {t('close')}
          </button>
        )}
      </div>
    </dialog>
  )
}

/** How loud the other one is: that something comes can be seen. */
function Meter({ loudness }: { loudness: number }) {
  return <meter min={0} max={1} value={loudness} aria-label={t('loudness')} />
}
