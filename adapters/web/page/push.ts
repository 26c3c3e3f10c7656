import type { PushState } from './state.ts'

/** Web Push on this device (https://w3c.github.io/push-api/), by the service worker of the page. */
export interface Push {
  /** Whether this device gets notifications, or why it cannot. */
  look(): Promise<PushState>
  /** Asks the person, then the browser's push service. Returns the subscription for Perch, or why there is none. */
  turnOn(key: string): Promise<{ subscription: PushSubscriptionJSON } | PushState>
}

/** `assets`: the folder of the page's files, `base`: the address of the page. */
export function createPush(assets: string, base: string): Push {
  const isPossible = 'serviceWorker' in navigator && 'PushManager' in window && window.isSecureContext
  /** Apple allows notifications to a page on the home screen alone. */
  const isAppleMobile = /iPhone|iPad|iPod/.test(navigator.userAgent) || isTouchMac()
  const isOnHomeScreen =
    matchMedia('(display-mode: standalone)').matches ||
    (navigator as { standalone?: boolean }).standalone === true
  const impossible: PushState = {
    is: 'impossible',
    why: isAppleMobile && !isOnHomeScreen ? 'home-screen' : 'not-here',
  }

  async function register(): Promise<ServiceWorkerRegistration> {
    const worker = new URL(`page/worker.js?${new URLSearchParams({ assets })}`, base)
    await navigator.serviceWorker.register(worker, { scope: new URL('page', base).pathname })
    return navigator.serviceWorker.ready
  }

  return {
    async look() {
      if (!isPossible) return impossible
      if (Notification.permission === 'denied') return { is: 'impossible', why: 'denied' }
      const registration = await navigator.serviceWorker.getRegistration(new URL('page', base))
      const subscription = await registration?.pushManager.getSubscription()
      return { is: subscription ? 'on' : 'off' }
    },
    async turnOn(key) {
      if (!isPossible) return impossible
      if ((await Notification.requestPermission()) !== 'granted') return { is: 'impossible', why: 'denied' }
      try {
        const { pushManager } = await register()
        // A browser takes no second key, as Perch has after a new database.
        const before = await pushManager.getSubscription()
        if (before && keyOf(before) !== key) await before.unsubscribe()
        const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
        return { subscription: subscription.toJSON() }
      } catch {
        // The browser's push service cannot be reached, or the browser has none.
        return { is: 'impossible', why: 'failed' }
      }
    },
  }
}

function keyOf({ options }: PushSubscription): string {
  return base64url(String.fromCharCode(...new Uint8Array(options.applicationServerKey ?? [])))
}

/** `bytes`: a character for each, as `btoa` takes them. */
export function base64url(bytes: string): string {
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** An iPad calls itself a Mac. */
function isTouchMac(): boolean {
  return /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1
}
