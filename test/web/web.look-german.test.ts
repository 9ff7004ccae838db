// Every page in German, whose words are longer: as web.look.test.ts.
import { phone } from '../support/browser.ts'
import { lookTest, wide } from '../support/look.ts'

lookTest({
  locale: 'de-DE',
  looks: [
    { viewport: phone, colorScheme: 'dark' },
    { viewport: wide, colorScheme: 'light' },
  ],
})
