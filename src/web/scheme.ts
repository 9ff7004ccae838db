// Day or night: as the device has it, unless somebody chose.
import { signal } from '@preact/signals'

export const schemes = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

export const scheme = signal<Scheme>((localStorage.getItem('scheme') as Scheme | null) ?? 'auto')

/** Uses it from now on. */
export function chooseScheme(chosen: Scheme): void {
  scheme.value = chosen
  localStorage.setItem('scheme', chosen)
  showScheme()
}

export function showScheme(): void {
  document.documentElement.dataset['scheme'] = scheme.value
}
