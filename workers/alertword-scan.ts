// Finds out whom the words of a post concern.
import { scanForAlertwords } from '../src/hits/alertwords.service.ts'

export const alertwordScan = scanForAlertwords
