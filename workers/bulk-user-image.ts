// Gives an imported user their picture.
export { importUserImage as bulkUserImage } from '../src/bulkusers/service.ts'
