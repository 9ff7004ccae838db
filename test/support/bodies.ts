// Bodies of requests that nothing is wrong with.
import { randomUUID } from 'node:crypto'
import { identiconPng } from '../../src/image/identicon.ts'
import type { SchemaNode } from '../../src/core/schema/schema.ts'
import { Dice, valueFor } from '../fuzz/values.ts'
import { lfg } from './fez.ts'
import { content } from './forum.ts'
import { knownImage } from './images.ts'

const smallestPicture = identiconPng(randomUUID()).toString('base64')
const smallestVideo = Buffer.alloc(500_001, 1).toString('base64')

/** One for a schema: with what it requires, and what its rules want beyond that. An image is `knownImage`. */
export function goodBody(schema: SchemaNode): unknown {
  switch (schema.$id) {
    case 'PostContentData':
      return content('hello')
    case 'FezContentData':
      return lfg()
    case 'PersonalEventContentData':
      return { title: 'An event', startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z', participants: [] }
    case 'ForumCreateData':
      return { title: 'A forum', firstPost: content('hello') }
    // Whoever is called next wants to post.
    case 'SlowModeData':
      return { seconds: 0 }
    case 'CategoryChangeData':
      return { title: `Category ${randomUUID()}`, purpose: '', accessLevelToView: 'unverified', accessLevelToCreate: 'verified' }
    case 'UsersBulkData':
      return { userIDs: [randomUUID()], action: 'signOut' }
    case 'WebhookUploadData':
      return { url: 'http://127.0.0.1:9/hook' }
    case 'SeamailTemplateContentData':
      return { title: 'A letter', content: 'Hello' }
    case 'ReportData':
      return { message: 'a report' }
    case 'EventFeedbackData':
      return {
        // Of the schedule that comes with the program.
        eventUID: '1a5cbe8fedf6bc7b047d596dbad13457',
        eventTitle: 'Morning stretches',
        eventLocation: "Crow's Nest",
        eventTime: '2025-03-03T14:00:00Z',
        hostName: 'Somebody',
        attendance: 'Ten',
        recapString: 'We stretched.',
        issuesString: '',
      }
    case 'PhotostreamUploadData':
      return { image: smallestPicture, createdAt: '2025-01-01T00:00:00Z' }
    case 'ImageUploadData':
      return { filename: knownImage }
    case 'UserUsernameData':
      return { username: `name-${randomUUID().slice(0, 8)}` }
    case 'UserCreateData':
      return { username: `name-${randomUUID().slice(0, 8)}`, password: 'a password' }
    case 'AnnouncementPlanData':
      return { text: 'Hear', showAt: '2099-01-01T00:00:00Z', displayUntil: '2099-01-02T00:00:00Z' }
    case 'AnnouncementCreateData':
      return { text: 'Hear', displayUntil: '2099-01-01T00:00:00Z' }
    case 'DailyThemeUploadData':
      return { title: 'A theme', info: 'Its text', cruiseDay: 1 }
    case 'MicroKaraokeRecordingData':
      return { offerID: randomUUID(), videoData: smallestVideo }
    case 'PollContentData':
      return { place: 'microblog', question: 'Which?', choices: ['This', 'That'] }
    case 'QuartermasterCreateData':
      return { category: 'have', items: [{ itemName: 'A sewing kit' }] }
    case 'QuartermasterContentData':
      return { category: 'need', itemName: 'A sewing kit' }
    case 'HuntCreateData':
      return {
        title: 'A hunt',
        description: 'About it',
        puzzles: [{ title: 'A puzzle', body: 'Its text', answer: 'An answer', hints: {} }],
      }
    case 'HuntPatchData':
    case 'HuntPuzzlePatchData':
      return { title: 'Another title' }
    case 'PhoneSocketServerAddress':
      return { ipV4Addr: '10.0.0.7' }
    default:
      return valueFor(required(schema), new Dice(1), { uuids: [randomUUID()], ints: ['1'] }, false)
  }
}

function required(schema: SchemaNode): SchemaNode {
  const properties = Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name))
    .map(([name, part]) => [name, required(part)] as const)
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema
}
