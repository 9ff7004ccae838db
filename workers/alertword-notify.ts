// Tells those whom the words of a post concern.
import { notifyOfAlertwords } from '../src/notification/alertwords.service.ts'

export const alertwordNotify = notifyOfAlertwords
