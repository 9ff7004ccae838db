// Tells those whom the words of a post concern.
import { tellOfAlertwords } from '../src/notification/alertwords.service.ts'

export const alertwordTell = tellOfAlertwords
