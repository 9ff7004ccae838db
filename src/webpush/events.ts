// What is published of devices that are told while the app is closed.
import type { Topic } from '../core/live/registry.ts'

/** The devices of an account have changed; the id is the account's. */
export const pushDevicesTopic: Topic<{ type: 'changed' }> = { name: 'push-devices' }
