// Gives an imported user his picture.
export { importUserImage as bulkUserImage } from '../src/bulkusers/service.ts'
