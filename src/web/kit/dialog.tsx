// Dialogs: from below on a phone, in the middle of a wide screen. The browser keeps the focus in them.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../texts.ts'
import { CloseIcon } from './icon.tsx'

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
