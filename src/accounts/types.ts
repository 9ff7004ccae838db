// The roles that accounts may have beside their level.

/** Independent of levels, without a hierarchy. */
export const userRoles = [
  'karaokemanager',
  'shutternautmanager',
  'shutternaut',
  'karaokeambassador',
  'performerselfeditor',
  'accountmanager',
  'huntmanager',
] as const

declare module '../core/base/viewer.ts' {
  interface Roles extends Record<(typeof userRoles)[number], true> {}
}
