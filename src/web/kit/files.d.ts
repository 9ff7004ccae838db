// Files that the build takes in, too.
declare module '*.css'
declare module '*.md' {
  const text: string
  export default text
}
// Calls of the server that only the console makes; launch/web.mjs takes them out of the client's table.
declare module 'console-calls' {
  export const consoleCalls: Record<string, Record<string, string>>
}
// launch/web.mjs finds these in the package: its entry is one file that names every icon.
declare module 'lucide-icons/*' {
  import type { LucideIcon } from 'lucide-preact'
  const icon: LucideIcon
  export default icon
}
