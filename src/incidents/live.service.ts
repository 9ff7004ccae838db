// Tells the team's browsers that something has broken, or works again.
import type { Node } from '../core/work/ctx.ts'
import { notificationFrame } from '../notices/frames.ts'
import { teamBrowsersTopic } from '../users/sockets.ts'
import { incidentsTopic } from './events.ts'

/** Sends a frame for each change: with a sentence when something new is wrong. */
export async function showChanges({ channels, sockets }: Node): Promise<void> {
  channels.listen(incidentsTopic, (_id, { sentence = '' }) =>
    sockets.publish(teamBrowsersTopic, notificationFrame(sentence === '' ? 'incidentsChanged' : 'incident', sentence, '')),
  )
}
