// The paths of the browser app that belong to no feature of the server; those of features stand in their manifests. The server
// answers them with its page, and the app shows a view for each. They are those of swiftarr's own site, since the phone apps share
// and open them.

export const webPathsOfFrame = [
  '/',
  '/search',
  '/welcome',
  '/dayplanner',
  '/dayplanner/fits',
  '/display',
  '/time',
  '/map',
  '/help',
  '/help/:which',
  '/faq',
  '/codeOfConduct',
  '/about',
] as const
