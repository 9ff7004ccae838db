// Pages that are loaded when they are first wanted.
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Page } from './page.tsx'
import { Failure, Loading } from './states.tsx'

const reloadedKey = 'reloaded for'

/**
 * `load` gives the component. A server that was updated has other files: then the page itself is loaded again, once.
 * With `part` it is no page, and nothing stands in its place until it is there.
 */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>, part = false): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | undefined
  return function Lazy(props: P) {
    const [, setReady] = useState(loaded !== undefined)
    const [error, setError] = useState<unknown>()
    useEffect(() => {
      if (loaded) return
      load().then(
        (component) => {
          loaded = component
          setReady(true)
        },
        (failure: unknown) => {
          if (navigator.onLine && sessionStorage.getItem(reloadedKey) !== location.pathname) {
            sessionStorage.setItem(reloadedKey, location.pathname)
            location.reload()
          } else setError(failure)
        },
      )
    }, [])
    const Component = loaded
    if (Component) return <Component {...props} />
    if (part) return null
    return <Page title="Quarterdeck">{error ? <Failure error={error} again={() => location.reload()} /> : <Loading />}</Page>
  }
}

/** Loads the style of a chunk beside its code; launch/web.mjs writes its address into the page. */
export async function withStyle<T>(name: string, code: Promise<T>): Promise<T> {
  const address = document.querySelector<HTMLMetaElement>(`meta[name="style-${name}"]`)?.content
  if (address && !document.querySelector(`link[href="${address}"]`)) {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    // A page without its style is better than none.
    const loaded = new Promise((resolve) => {
      link.addEventListener('load', resolve)
      link.addEventListener('error', resolve)
    })
    document.head.append(link)
    await loaded
  }
  return code
}
