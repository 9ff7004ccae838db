// Putting the app on a home screen: some browsers offer it to the page, others want a hand on their own menu.

/** What browsers that can install hand to the page, once. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offered: InstallPrompt | undefined

/** Keeps the offer until somebody wants it: the browser would otherwise ask in the middle of something else. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offered = event as InstallPrompt
  })
}

export type InstallWay = 'offer' | 'share' | 'none'

/** How this browser installs: by the offer, by its menu for sharing (Safari on iOS), or not at all, as when it is done. */
export function installWay(): InstallWay {
  if (matchMedia('(display-mode: standalone)').matches) return 'none'
  if (offered) return 'offer'
  return 'standalone' in navigator ? 'share' : 'none'
}

/** Shows the offer. True when it was taken. */
export async function install(): Promise<boolean> {
  const answer = await offered?.prompt()
  offered = undefined
  return answer?.outcome === 'accepted'
}
