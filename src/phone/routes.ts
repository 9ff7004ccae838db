// Every endpoint under /phone.
import { route, socketRoute } from '../core/http/route.ts'
import { Uuid } from '../core/schema/schema.ts'
import { PhoneSocketServerAddress, PhoneSocketStartData } from './schemas.ts'
import { answerCall, answerRelayed, declineCall, initiateDirect, initiateRelayed, requireCallable } from './service.ts'

const features = ['phone'] as const
const call = { callID: Uuid }
const callee = { callID: Uuid, userID: Uuid }
/** Two addresses. */
const addressLimit = 4096

/** The other side of a call waits for the dead peer all the while; uWS pings after half of it. */
const idleTimeoutSeconds = 16
const relays = {
  name: 'PhoneAudio',
  summary:
    'A binary frame of up to 16 KiB that goes to the other side as it is, once both have had their PhoneSocketStartData. By ' +
    'convention 16 kHz mono PCM: the number of samples as a 32-bit integer, then 16-bit samples, all little-endian.',
}

export const phoneRoutes = [
  route({
    method: 'POST',
    path: '/phone/initiate/:callID/to/:userID',
    clientName: 'initiate',
    access: 'token',
    features: ['phone', 'directphone'],
    params: callee,
    body: PhoneSocketServerAddress,
    bodyLimit: addressLimit,
    summary: 'Calls a user who will connect to the phone of the caller directly.',
    guard: (ctx, params) => requireCallable(ctx, params.userID),
    run: (ctx, { params, body }) => initiateDirect(ctx, params.callID, params.userID, body),
  }),
  route({
    method: 'POST',
    path: '/phone/answer/:callID',
    access: 'token',
    features,
    params: call,
    summary: 'Stops the other devices of the user called from ringing.',
    run: (ctx, { params }) => answerCall(ctx, params.callID),
  }),
  route({
    method: 'POST',
    path: '/phone/decline/:callID',
    access: 'token',
    features,
    params: call,
    summary: 'Declines, cancels or ends a call of the caller.',
    run: (ctx, { params }) => declineCall(ctx, params.callID),
  }),
]

export const phoneSockets = [
  socketRoute({
    path: '/phone/socket/initiate/:callID/to/:userID',
    clientName: 'initiateSocket',
    features,
    params: callee,
    sends: [PhoneSocketStartData],
    relays,
    idleTimeoutSeconds,
    summary:
      "The caller's side of a call through the server. PhoneSocketStartData comes in a binary frame when the user called has answered.",
    open: (ctx, params) => initiateRelayed(ctx, params.callID, params.userID),
  }),
  socketRoute({
    path: '/phone/socket/answer/:callID',
    clientName: 'answerSocket',
    features,
    params: call,
    sends: [PhoneSocketStartData],
    relays,
    idleTimeoutSeconds,
    summary: 'Answers a call through the server. PhoneSocketStartData comes first, in a binary frame.',
    open: (ctx, params) => answerRelayed(ctx, params.callID),
  }),
]
