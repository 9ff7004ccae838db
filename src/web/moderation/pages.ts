// The pages of moderators, in one file that is loaded when one of them is opened.
export { ActionLog } from './log.tsx'
export { Moderate, Reports } from './reports.tsx'
export { Templates } from './templates.tsx'
export { Written } from './written.tsx'
