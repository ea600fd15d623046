import { trpcClient } from '#client/trpc.ts'

/** Why this browser gets no push messages, if it cannot. */
export type PushObstacle = 'insecure' | 'home-screen' | 'unsupported' | 'blocked'

export function findObstacle(): PushObstacle | undefined {
  if (!isSecureContext) return 'insecure'
  if (!('PushManager' in window) || !('Notification' in window)) {
    // Safari on iOS offers both only to sites on the home screen.
    return isAppleHandheld() ? 'home-screen' : 'unsupported'
  }
  return Notification.permission === 'denied' ? 'blocked' : undefined
}

/** An iPad calls itself a Mac, but Macs have no touch screen. */
function isAppleHandheld(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return (
    /\b(iPhone|iPad)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1)
  )
}

/**
 * Asks for permission, which requires a press, and subscribes.
 * @returns undefined if the member refuses
 */
export async function subscribeHere() {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { publicKey } = await trpcClient.push.prepare.mutate()
  const { pushManager } = await navigator.serviceWorker.ready
  // It may belong to other keys, as after a restored backup.
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  return trpcClient.push.subscribe.mutate(readKeys(made))
}

export function readKeys(subscription: PushSubscription) {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
}

export async function unsubscribeHere(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
