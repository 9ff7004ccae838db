// The page on paper: pages.css leaves out what cannot be pressed there.
import { t } from '../texts.ts'
import { PrintIcon } from './page-icon.tsx'

/** For desks: phones have a way of their own. */
export function Print() {
  return (
    <button type="button" class="round plain desk-only" aria-label={t('print')} onClick={() => print()}>
      <PrintIcon size={20} />
    </button>
  )
}
