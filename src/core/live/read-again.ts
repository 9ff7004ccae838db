// Has every process forget what it keeps in memory of Postgres: for an operator who has written past the product.
import type { Bus } from '../bus/bus.ts'
import type { Channels, Topic } from './registry.ts'

/** Somebody has written to Postgres without saying so. */
export const readAgainTopic: Topic<{ type: 'written' }> = { name: 'read-again' }
export const readAgainId = 'all'

/** From now on this process reads everything again when it hears so. */
export function followReadAgain(channels: Pick<Channels<unknown>, 'listen'>, bus: Pick<Bus, 'reset'>): void {
  channels.listen(readAgainTopic, () => bus.reset())
}
