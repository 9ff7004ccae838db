// Finds out whom the words of a post concern.
import { scanForAlertwords } from '../src/notification/alertwords.service.ts'

export const alertwordScan = scanForAlertwords
