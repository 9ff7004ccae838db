// Leads from an address of an app, or of an older site, to the page that it means.
import type { ComponentChildren } from 'preact'
import { Redirect, useLocation, useSearch } from 'wouter-preact'
import { meantBy } from './addresses.ts'
import './own-links.ts'

export function Meant({ children }: { children: ComponentChildren }) {
  const [path] = useLocation()
  const target = meantBy(path, useSearch())
  return target === undefined ? <>{children}</> : <Redirect to={target} replace />
}
