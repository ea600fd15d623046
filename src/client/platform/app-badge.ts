/** Shows a number on the icon of the installed site, and removes notifications of the system if the number is 0. */
export async function showUnread(count: number): Promise<void> {
  // The system may refuse badges.
  if ('setAppBadge' in navigator) await navigator.setAppBadge(count).catch(() => undefined)
  if (count > 0 || !('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.getRegistration()
    const shown = await registration?.getNotifications()
    for (const notification of shown ?? []) notification.close()
  } catch {
    // The browser forbids service workers.
  }
}
