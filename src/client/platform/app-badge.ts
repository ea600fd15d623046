/** Shows a number on the icon of the installed site, and removes notifications of the system once all are read. */
export async function showUnread(count: number): Promise<void> {
  try {
    if ('setAppBadge' in navigator) await navigator.setAppBadge(count)
    if (count > 0 || !('serviceWorker' in navigator)) return
    const registration = await navigator.serviceWorker.getRegistration()
    const shown = await registration?.getNotifications()
    for (const notification of shown ?? []) notification.close()
  } catch {
    // The system may refuse badges.
  }
}
