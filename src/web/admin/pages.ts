// The pages of the host, in one file that is loaded when one of them is opened.
import * as menu from './menu.tsx'
import { onlyFrom } from './parts.tsx'

export const Menu = onlyFrom('moderator', 'menu', menu.Menu)
