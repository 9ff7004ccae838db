// The settings in force and the trip's zones, in memory on every node.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import type { ServiceFeature } from '../core/http/route.ts'
import { browsersTopic, slowModeFrame } from '../notices/frames.ts'
import { tripDates } from './in-force.ts'
import { selectSettings, selectZoneChanges } from './queries.ts'
import { Trip, type ZoneChange, type ZoneInForce } from './trip.ts'
import { defaultSettings, type EventNotificationSetting, type Settings } from './values.ts'

/** Settings or zone changes were written. */
export type SettingsEvent = { type: 'changed' }

interface Snapshot {
  stored: Partial<Settings>
  changes: ZoneChange[]
}

/** The ship's time of one second. */
export interface ShipTime {
  /** Whole seconds. */
  now: Date
  /** This moment as a floating time. */
  floatingNow: Date
  zone: ZoneInForce
  /** Floating times that "upcoming" is counted from. */
  upcomingFrom: { events: Date; lfgs: Date }
}

/** The settings in force, and the time on board. */
export class SettingsChannel extends Channel<SettingsEvent, Snapshot> {
  readonly #node: Node
  values: Readonly<Settings> = defaultSettings
  trip: Trip
  #disabled: ReadonlySet<ServiceFeature> = new Set()
  #shipTime: { second: number; value: ShipTime } | undefined

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
    this.trip = this.#tripWith([])
  }

  /** Every request needs it. */
  get busy(): boolean {
    return true
  }

  /** True when one of the features is switched off for all apps. */
  disabled(features: readonly ServiceFeature[]): boolean {
    return this.#disabled.size > 0 && (this.#disabled.has('all') || features.some((feature) => this.#disabled.has(feature)))
  }

  /** The ship's clock, worked out once a second: everybody polls it. */
  shipTimeAt(nowMs: number): ShipTime {
    const second = Math.floor(nowMs / 1000)
    if (this.#shipTime?.second !== second) this.#shipTime = { second, value: this.#workOutShipTime(new Date(second * 1000)) }
    return this.#shipTime.value
  }

  #workOutShipTime(now: Date): ShipTime {
    const { upcomingEventNotificationSetting, upcomingLFGNotificationSetting } = this.values
    const from = (setting: EventNotificationSetting) => this.trip.displayToPort(this.trip.referenceTime(now, setting))
    return {
      now,
      floatingNow: this.trip.displayToPort(now),
      zone: this.trip.zoneAt(now),
      upcomingFrom: { events: from(upcomingEventNotificationSetting), lfgs: from(upcomingLFGNotificationSetting) },
    }
  }

  protected override async read(): Promise<Snapshot> {
    const [stored, changes] = await Promise.all([selectSettings(this.#node.db.sql), selectZoneChanges(this.#node.db.sql)])
    return { stored, changes }
  }

  protected override install({ stored, changes }: Snapshot): void {
    const { minAccessUserLevel, verifiedReading, microblogSlowSeconds } = this.values
    this.values = { ...defaultSettings, ...stored }
    this.trip = this.#tripWith(changes)
    this.#shipTime = undefined
    this.#disabled = new Set(this.values.disabledFeatures.filter(({ appName }) => appName === 'all').map(({ featureName }) => featureName))
    const { sockets } = this.#node
    if (this.values.minAccessUserLevel !== minAccessUserLevel || this.values.verifiedReading !== verifiedReading) sockets.closeShutOut()
    if (this.values.microblogSlowSeconds !== microblogSlowSeconds) sockets.publish(browsersTopic, slowModeFrame('microblog'))
  }

  protected override apply(): 'reload' {
    return 'reload'
  }

  #tripWith(changes: ZoneChange[]): Trip {
    const { config } = this.#node
    return new Trip({ portZone: config.portTimeZone, ...tripDates(config, this.values), changes })
  }
}

export const settingsKind: Kind<SettingsChannel, SettingsEvent> = {
  name: 'settings',
  tables: ['setting', 'time_zone_change'],
  create: (node, id) => new SettingsChannel(node, id),
}

/** The one settings channel has this id. */
export const settingsId = 'all'

/** The node's settings. They are loaded before the node takes requests. */
export function settingsOf(node: Node): SettingsChannel {
  const channel = node.channels.of(settingsKind).peek(settingsId)
  if (!channel) throw new Error('settings used before they were loaded')
  return channel
}
