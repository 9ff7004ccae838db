// Rows of incidents and of the processes that are there.

export type ProcessKind = 'server' | 'worker'

/** A process of the product, from its start to its end. */
export interface ProcessRow {
  id: string
  kind: ProcessKind
  name: string
  host: string
  startedAt: Date
  seenAt: Date
}

export interface IncidentRow {
  id: number
  kind: string
  subject: string
  state: 'warning' | 'bad'
  sentence: string
  mend: string | null
  code: string | null
  values: Record<string, string | number> | null
  beganAt: Date
  endedAt: Date | null
}

/** One that is there at the moment. `beganAt`: where it is known to have begun before it was noticed. */
export type Found = Omit<IncidentRow, 'id' | 'endedAt' | 'beganAt'> & { beganAt?: Date }
