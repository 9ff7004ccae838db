// Every page on a wide screen, by day and by night, in both languages: as web.look.test.ts.
import { lookTests, wide } from './support/look.ts'

lookTests([
  { viewport: wide, colorScheme: 'dark', locale: 'en-GB' },
  { viewport: wide, colorScheme: 'light', locale: 'de-DE' },
])
