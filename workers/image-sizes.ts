// Looks up the sizes of images that came before rows kept them: with an older version, or out of a backup of one.
import type { Sweep } from '../src/core/jobs/job-runner.ts'
import { noteSizes } from '../src/image/sizes.service.ts'

export const imageSizesSweep: Sweep = { name: 'image sizes', everyMs: 6 * 60 * 60_000, run: noteSizes }
