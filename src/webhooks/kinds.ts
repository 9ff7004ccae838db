// What webhooks are told of.

/** Each with what is sent of it: ids and what everybody may read, never what somebody has written to others. */
export interface WebhookEvents {
  'announcement.created': { announcementID: number; text: string }
  'fez.created': { fezID: string; fezType: string }
  'forum.created': { forumID: string; categoryID: string }
  'report.created': { reportType: string; reportedID: string }
  'schedule.updated': { changes: number }
  'user.created': { userID: string }
}
export type WebhookKind = keyof WebhookEvents

export const webhookKinds = [
  'announcement.created',
  'fez.created',
  'forum.created',
  'report.created',
  'schedule.updated',
  'user.created',
] as const satisfies readonly WebhookKind[]

/** Of a delivery that an admin has asked for, to see whether it arrives. */
export const testKind = 'test'
