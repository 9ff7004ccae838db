// Tells those whom the words of a post concern.
import { notifyOfAlertwords } from '../src/hits/alertwords.service.ts'

export const alertwordNotify = notifyOfAlertwords
