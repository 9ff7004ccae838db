// Wire forms of webhooks.
import { DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { testKind, webhookKinds } from './kinds.ts'

/** A program elsewhere that is told of what happens. */
export type WebhookEndpointData = Static<typeof WebhookEndpointData>
export const WebhookEndpointData = Dto('WebhookEndpointData', {
  endpointID: Uuid,
  name: Type.String(),
  /** Of its address: the rest of that may be a secret, and is never shown. */
  host: Type.String(),
  kinds: Type.Array(OneOf(webhookKinds)),
  isPaused: Type.Boolean(),
  createdAt: DateTime,
  /** How many deliveries wait to be sent, and how many of the last 14 days were given up. */
  waiting: Int,
  failed: Int,
  lastSentAt: Type.Optional(DateTime),
})

/** All of them, by name. */
export type WebhookEndpointListData = Static<typeof WebhookEndpointListData>
export const WebhookEndpointListData = Dto('WebhookEndpointListData', {
  endpoints: Type.Array(WebhookEndpointData),
  /** Hosts to which the operator lets anything be sent: names, `*.example.org`, or `*`. */
  allowedHosts: Type.Array(Type.String()),
})

/** With the key that signatures are checked with, `whsec_` before it: it is shown this once. */
export type NewWebhookEndpointData = Static<typeof NewWebhookEndpointData>
export const NewWebhookEndpointData = Dto('NewWebhookEndpointData', { endpoint: WebhookEndpointData, secret: Type.String() })

const kinds = Type.Array(OneOf(webhookKinds), { maxItems: webhookKinds.length })

export type WebhookEndpointCreateData = Static<typeof WebhookEndpointCreateData>
export const WebhookEndpointCreateData = Dto(
  'WebhookEndpointCreateData',
  { name: Text({ min: 1, max: 50 }), url: Text({ min: 1, max: 2000 }), kinds },
  ({ url }, fail) => {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      fail({ text: 'url must begin with http:// or https://', rule: 'characters' }, 'url')
  },
)

/** What is absent stays as it is. */
export type WebhookEndpointUpdateData = Static<typeof WebhookEndpointUpdateData>
export const WebhookEndpointUpdateData = Dto('WebhookEndpointUpdateData', {
  name: Type.Optional(Text({ min: 1, max: 50 })),
  kinds: Type.Optional(kinds),
  /** Nothing is noted for a paused one, and nothing sent. */
  isPaused: Type.Optional(Type.Boolean()),
})

/** One event, for one endpoint. */
export type WebhookDeliveryData = Static<typeof WebhookDeliveryData>
export const WebhookDeliveryData = Dto('WebhookDeliveryData', {
  deliveryID: Uuid,
  kind: OneOf([...webhookKinds, testKind]),
  createdAt: DateTime,
  state: OneOf(['waiting', 'sent', 'failed']),
  attempts: Int,
  lastTriedAt: Type.Optional(DateTime),
  /** With which the address has answered the last attempt. */
  status: Type.Optional(Int),
  /** Why it was not taken, when there was no answer. */
  reason: Type.Optional(Type.String()),
  /** What is sent, as it is signed. */
  body: Type.String(),
})

/** The newest first. */
export type WebhookDeliveryListData = Static<typeof WebhookDeliveryListData>
export const WebhookDeliveryListData = Dto('WebhookDeliveryListData', { deliveries: Type.Array(WebhookDeliveryData) })
