// Finds out whom the words of a post concern.
import { mergedScans, scanForAlertwords } from '../src/hits/alertwords.service.ts'

export const alertwordScan = scanForAlertwords
export const alertwordScansTogether = mergedScans
