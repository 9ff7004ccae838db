// Menus, as dialogs.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { MoreIcon } from './page-icon.tsx'

/** One thing that can be done. */
export interface Action {
  label: string
  run: () => void
  icon?: ComponentChildren
  /** Cannot be undone. */
  grave?: boolean
  /** Something to fill in or to confirm comes next. */
  opens?: boolean
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
                      aria-haspopup={action.opens && 'dialog'}
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
