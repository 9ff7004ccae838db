// What can be switched off, and for which apps, in the order of the grid. A test holds it against the server's lists.

export const apps = ['all', 'swiftarr', 'tricordarr', 'kraken', 'cruisemonkey', 'rainbowmonkey', 'tacobarr'] as const

export const features = [
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
  'all',
] as const
