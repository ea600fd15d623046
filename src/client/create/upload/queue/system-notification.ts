import { notify } from '#client/platform/notify.tsx'

let isWanted = false

/** Whether the browser can notify outside the page and was not asked to yet. Android only can through a service worker. */
export const canAskForNotification = () =>
  !isWanted && isSecureContext && 'Notification' in window && !/Android/.test(navigator.userAgent)

/** Asks the browser's permission; called by a press only. */
export async function askForNotification(): Promise<void> {
  isWanted = (await Notification.requestPermission()) === 'granted'
  notify({
    tone: isWanted ? 'success' : 'error',
    title: isWanted
      ? 'You will be notified when all uploads are ready.'
      : 'Your browser does not allow notifications from this site.',
  })
}

/** Shows a notification of the operating system, if one was asked for since the last. */
export function showSystemNotification(title: string, body: string): void {
  if (!isWanted) return
  isWanted = false
  const notification = new Notification(title, { body, tag: 'uploads' })
  notification.onclick = () => {
    window.focus()
    notification.close()
  }
}
