// The features that an admin can switch off.

/** Every feature an admin can switch off. `all` switches off every route that has a feature. */
export const serviceFeatures = [
  'tweets',
  'forums',
  'seamail',
  'schedule',
  'friendlyfez',
  'karaoke',
  'microkaraoke',
  'gameslist',
  'images',
  'users',
  'phone',
  'directphone',
  'photostream',
  'performers',
  'personalevents',
  'registration',
  'hunts',
  'eventFeedback',
  'quartermaster',
  'all',
] as const

declare module '../core/http/route.ts' {
  interface Features extends Record<(typeof serviceFeatures)[number], true> {}
}
