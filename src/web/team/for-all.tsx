// Switches that touch everybody: whom they touch is said, it is asked first, and for ten seconds it can be undone.
import { signal } from '@preact/signals'
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../kit/dialog.tsx'
import { offerUndo } from '../kit/sure.tsx'
import { c } from './texts.ts'

/** A change for everybody, as the question before it has it. */
export interface Change<T> {
  title: string
  /** Whom it touches, in numbers: these are asked for when the question is shown. */
  Whom: FunctionComponent
  /** What it means for them. */
  text?: ComponentChildren
  /** Of the button that does it. */
  label: string
  /** It takes something away. */
  grave?: boolean
  run: () => Promise<T>
  /** What is said when it is done. */
  said: string | ((done: T) => string)
  /** Makes it what it was before, unless somebody else has changed it since. Absent: nothing can, and the question says so. */
  undo?: ((done: T) => Promise<unknown>) | undefined
}

interface Question {
  of: Omit<Change<unknown>, 'run' | 'said' | 'undo'> & { undoable: boolean }
  answer: (yes: boolean) => void
}

const question = signal<Question | undefined>(undefined)

/** Asks, does it, and offers to undo it. False when the answer was no; a refusal of the server is thrown. */
export async function forAll<T>({ run, said, undo, ...of }: Change<T>): Promise<boolean> {
  question.value?.answer(false)
  const yes = await new Promise<boolean>((answer) => {
    question.value = { of: { ...of, undoable: undo !== undefined }, answer }
  })
  question.value = undefined
  if (!yes) return false
  const done = await run()
  offerUndo(typeof said === 'string' ? said : said(done), undo && (() => undo(done)))
  return true
}

/** The question, on the page that asked it: the answer of a page that is left is no. */
export function Asked() {
  useEffect(() => () => question.value?.answer(false), [])
  const open = question.value
  if (!open) return null
  const {
    of: { title, Whom, text, label, grave = false, undoable },
    answer,
  } = open
  return (
    <Dialog title={title} close={() => answer(false)}>
      <div class="whom">
        <Whom />
      </div>
      {text}
      <p class={undoable ? 'quiet' : 'warn'}>{c(undoable ? 'canUndo' : 'cannotUndo')}</p>
      <div class="buttons">
        <button type="button" class="btn quiet" onClick={() => answer(false)}>
          {c('cancel')}
        </button>
        <button type="button" class={grave ? 'btn grave' : 'btn'} onClick={() => answer(true)}>
          {label}
        </button>
      </div>
    </Dialog>
  )
}
