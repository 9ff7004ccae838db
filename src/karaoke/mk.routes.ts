// Micro karaoke below the path of karaoke; done in src/microkaraoke.
import { microKaraokeFamily } from '../microkaraoke/routes.ts'

export const karaokeMkRoutes = microKaraokeFamily('/karaoke/mk', ['karaoke', 'microkaraoke'])
