// Gives an imported performer their photo.
export { fetchPerformerPhoto as performerPhoto } from '../src/performers/profiles.service.ts'
