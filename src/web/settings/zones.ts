// The zones that hold aboard, kept for pages and forms, and the names of the server.
import { client } from '../client.ts'
import { ownHosts } from '../own-links.ts'
import { shipZone, zones, zonesKey, type Zones } from '../kit/time.ts'

const readAgainMs = 60 * 60_000

/** Reads them now, again and again, and when the ship has changed its zone. */
export function followZones(): void {
  const read = () => void readZones().catch(() => undefined)
  shipZone.subscribe(read)
  setInterval(read, readAgainMs)
}

async function readZones(): Promise<void> {
  const [{ records }, { portTimeZoneID, canonicalHostnames }] = await Promise.all([
    client.admin.timezonechanges(),
    client.client.settings(),
  ])
  for (const host of canonicalHostnames) ownHosts.add(host)
  // Before the first change the clocks are those of the port.
  const all: Zones = [[0, portTimeZoneID], ...records.map(({ activeDate, timeZoneID }) => [Date.parse(activeDate), timeZoneID] as const)]
  const text = JSON.stringify(all)
  if (text === JSON.stringify(zones.value)) return
  zones.value = all
  localStorage.setItem(zonesKey, text)
}
