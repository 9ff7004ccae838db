// A poll was voted on or has ended.
import type { Topic } from '../core/live/registry.ts'

export const pollTopic: Topic<{ type: 'changed' }> = { name: 'poll' }
