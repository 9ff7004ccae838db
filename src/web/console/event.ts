// The pages about the event itself, in one file that is loaded when one of them is opened.
export { Announcements, Themes } from './announce.tsx'
export { Codes, Desk } from './codes.tsx'
export { Libraries } from './libraries.tsx'
export { MicroSongs } from './microkaraoke.tsx'
export { PerformerFiles } from './performers.tsx'
export { PublicText, PublicTexts } from './public-texts.tsx'
export { Schedule } from './schedule.tsx'
export { Settings } from './settings.tsx'
