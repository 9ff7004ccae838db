// A device that is told while the app is closed.
import type { NotificationType } from '../notices/schemas.ts'

export interface PushDeviceRow {
  id: string
  accountId: string
  sessionKey: string
  endpoint: string
  /** Keys of the device, as its browser gives them. */
  p256dh: string
  auth: string
  types: readonly NotificationType[]
  quietFrom: string | null
  quietTo: string | null
  timeZone: string | null
}
