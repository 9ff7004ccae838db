// Dialogs, and menus as dialogs: from below on a phone, in the middle of a wide screen. The browser keeps the focus in them.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../texts.ts'
import { CloseIcon, MoreIcon } from './icon.tsx'

interface DialogProps {
  title: string
  close: () => void
  children: ComponentChildren
}

export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-label={title}
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      <div class="sheet-body">
        <div class="sheet-top">
          <h2>{title}</h2>
          <button type="button" class="round plain" aria-label={t('close')} onClick={close}>
            <CloseIcon />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** One thing that can be done. */
export interface Action {
  label: string
  run: () => void
  icon?: ComponentChildren
  /** Cannot be undone. */
  grave?: boolean
}

/** A button with three dots and what is behind it. */
export function Menu({ title, actions, small }: { title: string; actions: readonly (Action | false | undefined)[]; small?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="round plain" aria-label={title} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MoreIcon size={small ? 18 : 24} />
      </button>
      {open && (
        <Dialog title={title} close={() => setOpen(false)}>
          <ul class="actions">
            {actions.map(
              (action) =>
                action && (
                  <li key={action.label}>
                    <button
                      type="button"
                      class={action.grave ? 'grave' : ''}
                      onClick={() => {
                        setOpen(false)
                        action.run()
                      }}
                    >
                      {action.icon}
                      {action.label}
                    </button>
                  </li>
                ),
            )}
          </ul>
        </Dialog>
      )}
    </>
  )
}
