// The pages of moderators, in one file that is loaded when one of them is opened.
import { onlyFrom } from '../admin/parts.tsx'
import * as log from './log.tsx'
import * as reports from './reports.tsx'

export const ActionLog = onlyFrom('moderator', 'log', log.ActionLog)
export const Moderate = onlyFrom('moderator', 'reports', reports.Moderate)
export const Reports = onlyFrom('moderator', 'reports', reports.Reports)
