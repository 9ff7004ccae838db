// Files that the build takes in, too.
declare module '*.css'
declare module '*.md' {
  const text: string
  export default text
}
// Calls of the server that are not made before these are loaded; launch/web.mjs takes them out of the client's table.
declare module 'calls-of-pages' {
  export const calls: Record<string, Record<string, string>>
}
declare module 'calls-of-notices' {
  export const calls: Record<string, Record<string, string>>
}
declare module 'calls-of-console' {
  export const calls: Record<string, Record<string, string>>
}
// launch/web.mjs finds these in the package: its entry is one file that names every icon. `kit/lucide.tsx` draws them.
declare module 'lucide-icons/*' {
  import type createLucideIcon from './lucide.tsx'
  const icon: ReturnType<typeof createLucideIcon>
  export default icon
}
