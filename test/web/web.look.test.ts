// Every page on a phone and on a wide screen, by day and by night: nothing is wider than the screen, axe finds nothing, and
// each says what `pages.txt` says it does (`UPDATE_PAGES=1` writes it again).
// `PICTURES=folder` keeps a picture of each page; `UPDATE_PICTURES=1` makes those of the README again.
import { join } from 'node:path'
import { test } from 'node:test'
import { phone } from '../support/browser.ts'
import { lookTest, takePictures, wide } from '../support/look.ts'

lookTest({
  locale: 'en-GB',
  looks: [
    { viewport: phone, colorScheme: 'light' },
    { viewport: wide, colorScheme: 'dark' },
  ],
})

test('the pictures of the README', { skip: process.env['UPDATE_PICTURES'] !== '1' }, () =>
  // Two of them stand side by side.
  takePictures(join(process.cwd(), 'src', 'web', 'pictures'), { width: 390, height: 720 }),
)
