// The pages of an event's life, in one file that is loaded when one of them is opened.
export { EventLife } from './event-life.tsx'
export { EventEnd } from './event-end.tsx'
export { DayReport } from './day-report.tsx'
export { Moving } from './moving.tsx'
