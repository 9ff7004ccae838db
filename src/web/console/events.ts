// Pages about what happens at the event, in one file that is loaded when one of them is opened.
export { FeedbackReports } from './feedback.tsx'
export { EditHunt, HuntList, NewHunt } from './hunts.tsx'
export { Categories } from './categories.tsx'
export { ZoneTable } from './zones.tsx'
