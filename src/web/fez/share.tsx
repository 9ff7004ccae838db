// The address of an unlisted event, to give to others: as text, and as a code for their cameras.
import { useRef, useState } from 'preact/hooks'
import type { FezData } from '../../sdk/client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { t } from '../texts.ts'
import { pathOf } from './parts.tsx'

export function Share({ chat, close }: { chat: FezData; close: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  const address = `${location.origin}${pathOf(chat)}`
  const copy = () => {
    field.current?.select()
    // Pages without TLS have no other way to the clipboard.
    setCopied(document.execCommand('copy'))
  }
  return (
    <Dialog title={t('chat.share')} close={close}>
      <p class="quiet">{t('chat.shareText')}</p>
      <img
        class="qr-code"
        src={`/api/v3/image/qrcode?string=${encodeURIComponent(address)}`}
        width={400}
        height={400}
        alt={t('chat.qrCode')}
      />
      <div class="field">
        <label for="chat-address">{t('chat.address')}</label>
        <input id="chat-address" ref={field} readOnly value={address} onFocus={({ currentTarget }) => currentTarget.select()} />
      </div>
      <div class="buttons">
        <button type="button" class="btn" onClick={copy}>
          {t('chat.copy')}
        </button>
      </div>
      <p role="status" class="quiet">
        {copied && t('chat.copied')}
      </p>
    </Dialog>
  )
}
