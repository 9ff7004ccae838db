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
