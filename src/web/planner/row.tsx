// An event or a group as a line of a list.
import { EventRow } from '../events/parts.tsx'
import { GroupRow } from '../fez/parts.tsx'
import type { Planned } from './plan.ts'

interface PlannedRowProps {
  planned: Planned
  overlaps?: readonly { title: string }[]
  note?: string | undefined
}

export function PlannedRow({ planned, overlaps = [], note }: PlannedRowProps) {
  return 'event' in planned ? (
    <EventRow event={planned.event} second="end" overlaps={overlaps} note={note} />
  ) : (
    <GroupRow chat={planned.chat} overlaps={overlaps} note={note} />
  )
}
