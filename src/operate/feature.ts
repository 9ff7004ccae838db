// The certificate, for phones to download.
import { feature } from '../core/http/feature.ts'
import { certificatePages } from './certificate-page.ts'

export const operateFeature = feature({
  name: 'operate',
  pages: certificatePages,
})
