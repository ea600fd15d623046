import { deviceStorage, parseObject } from '#client/platform/browser-storage.ts'
import { registerWorker } from '#client/platform/service-worker.ts'
import { trpcClient } from '#client/trpc.ts'

/** The reason why this browser cannot get push messages. */
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
export async function subscribeHere(userId: number) {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { publicKey } = await trpcClient.push.prepare.mutate()
  // Without a worker, `ready` would never resolve.
  await registerWorker()
  const { pushManager } = await navigator.serviceWorker.ready
  // The existing subscription may belong to other keys, for example after a restored backup.
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  const state = await trpcClient.push.subscribe.mutate(readKeys(made))
  noteOwner(userId, made.endpoint)
  return state
}

function readKeys(subscription: PushSubscription) {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
}

export async function unsubscribeHere(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

/** Stores the owner of the browser's subscription as `{ userId, endpoint }`. Signing out removes it. */
const MARK_KEY = 'clutch-push'

function noteOwner(userId: number, endpoint: string): void {
  deviceStorage.write(MARK_KEY, JSON.stringify({ userId, endpoint }))
}

/** Connects the browser's subscription to a new session of its member, and ends the subscription of another member. */
export async function renewHere(userId: number): Promise<void> {
  if (findObstacle() || Notification.permission !== 'granted') return
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return
  const owner = parseObject(deviceStorage.read(MARK_KEY))
  if (owner.userId !== userId) {
    await subscription.unsubscribe()
    return
  }
  const { browsers } = await trpcClient.push.state.query()
  const isKnown = browsers.some(({ isCurrent }) => isCurrent)
  if (isKnown && owner.endpoint === subscription.endpoint) return
  await trpcClient.push.subscribe.mutate(readKeys(subscription))
  noteOwner(userId, subscription.endpoint)
}
