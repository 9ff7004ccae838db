// How people react to a post.
import { HeartIcon, LaughIcon, LikeIcon } from '../kit/page-icon.tsx'

export const reactions = ['like', 'love', 'laugh'] as const
export type Reaction = (typeof reactions)[number]

export const reactionIcons = { like: LikeIcon, love: HeartIcon, laugh: LaughIcon }
