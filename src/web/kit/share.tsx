// The address of a page, to give to others: as text, as a code for their cameras, and by whatever the device sends things with.
import { useId, useRef, useState } from 'preact/hooks'
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import type { Action } from './menu.tsx'
import { ShareIcon } from './page-icon.tsx'

/** A page of this app. */
export interface Shared {
  path: string
  /** Of what stands there, for those who get it. */
  title: string
  /** Who can open it, where that is not everybody. */
  text?: string
}

/** What opens the dialog from a menu, and the dialog. */
export function useShare(what: Shared) {
  const [open, setOpen] = useState(false)
  const action: Action = { label: t('share'), icon: <ShareIcon size={20} />, opens: true, run: () => setOpen(true) }
  return { action, dialog: open && <Share {...what} close={() => setOpen(false)} /> }
}

/** The same as a button. */
export function ShareButton(what: Shared) {
  const { action, dialog } = useShare(what)
  return (
    <>
      <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={action.run}>
        {action.icon} {action.label}
      </button>
      {dialog}
    </>
  )
}

function Share({ path, title, text, close }: Shared & { close: () => void }) {
  return (
    <Dialog title={t('share')} close={close}>
      <p class="quiet">{text ?? t('share.text')}</p>
      <AddressCard url={`${location.origin}${path}`} title={title} />
    </Dialog>
  )
}

/** An address as a code and as text, with the ways to give it away. */
export function AddressCard({ url, title }: { url: string; title: string }) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const [copied, setCopied] = useState(false)
  const copy = () => {
    field.current?.select()
    // Pages without TLS have no other way to the clipboard.
    setCopied(document.execCommand('copy'))
  }
  // Somebody who closes it again has not failed.
  const send = () => void navigator.share({ title, url }).catch(() => undefined)
  return (
    <>
      <img class="qr-code" src={`/api/v3/image/qrcode?string=${encodeURIComponent(url)}`} width={400} height={400} alt={t('share.code')} />
      <div class="field">
        <label for={id}>{t('share.address')}</label>
        <input id={id} ref={field} readOnly value={url} onFocus={({ currentTarget }) => currentTarget.select()} />
      </div>
      <div class="buttons">
        {'share' in navigator && (
          <button type="button" class="btn quiet" onClick={send}>
            {t('share.send')}
          </button>
        )}
        <button type="button" class="btn" onClick={copy}>
          {t('share.copy')}
        </button>
      </div>
      <p role="status" class="quiet">
        {copied && t('share.copied')}
      </p>
    </>
  )
}
