import { notify } from '#client/platform/notify.tsx'

let isWanted = false

/** Android supports notifications by service worker only. */
export const canAskForNotification = () =>
  !isWanted && isSecureContext && 'Notification' in window && !/Android/.test(navigator.userAgent)

/** Requires a user gesture. */
export async function askForNotification(): Promise<void> {
  isWanted = (await Notification.requestPermission()) === 'granted'
  notify({
    tone: isWanted ? 'success' : 'error',
    title: isWanted
      ? 'You will be notified when all uploads are ready.'
      : 'Your browser does not allow notifications from this site.',
  })
}

/** Once per request. */
export function showSystemNotification(title: string, body: string): void {
  if (!isWanted) return
  isWanted = false
  const notification = new Notification(title, { body, tag: 'uploads' })
  notification.onclick = () => {
    window.focus()
    notification.close()
  }
}
