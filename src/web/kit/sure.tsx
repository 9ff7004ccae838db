// Before something that nobody can take back stands a question; after what can be, a way to do so.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { attempt, toast } from './toast.tsx'

interface Question {
  title: string
  /** Whom it touches, and what is lost. */
  text: string
  /** Of the button. */
  done: string
  run: () => Promise<unknown>
}

/** `ask` shows the question, which stands at `question`; what it is about runs when somebody says yes. */
export function useSure(): { ask: (what: Question) => void; question: ComponentChildren } {
  const [asked, ask] = useState<Question>()
  const close = () => ask(undefined)
  const yes = (run: Question['run']) => {
    close()
    void attempt(run)
  }
  const question = asked && (
    <Dialog title={asked.title} close={close}>
      <p>{asked.text}</p>
      <div class="buttons">
        <button type="button" class="btn quiet" onClick={close}>
          {t('cancel')}
        </button>
        <button type="button" class="btn grave" onClick={() => yes(asked.run)}>
          {asked.done}
        </button>
      </div>
    </Dialog>
  )
  return { ask, question }
}

const undoMs = 10_000

/** Says that something was done, with the way back. */
export function offerUndo(said: string, undo: (() => Promise<unknown>) | undefined): void {
  if (!undo) return toast(said)
  toast(said, {
    shownMs: undoMs,
    action: {
      label: t('undo'),
      run: () => void attempt(undo).then((isUndone) => isUndone && toast(t('undone'))),
    },
  })
}
