// The wire forms of phone calls.
import { DateTime, Dto } from '../core/schema/schema.ts'
import { PhoneSocketServerAddress } from '../notices/schemas.ts'

export { PhoneSocketServerAddress }

/** First frame on both phone sockets of a call. Binary, although it is JSON. */
export const PhoneSocketStartData = Dto('PhoneSocketStartData', { phonecallStartTime: DateTime })
