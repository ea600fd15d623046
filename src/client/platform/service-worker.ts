import { queryClient, trpcUtils } from '#client/trpc.ts'
import { showUnread } from './app-badge.ts'
import { onForgetMember } from './forget-member.ts'

const ADDRESS = '/service-worker.js'
const NOT_FOUND = 404

/** @throws if the site has no worker, or the browser forbids it */
export const registerWorker = () =>
  navigator.serviceWorker.register(ADDRESS, { updateViaCache: 'none' })

/**
 * Registers the service worker, or removes it if the site no longer serves one.
 * @param open shows a page of the app when a notification is pressed
 */
export async function startServiceWorker(open: (path: string) => void): Promise<void> {
  // Service workers need HTTPS, and some browsers have none in private windows.
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: unknown }>) => {
    if (typeof data.open === 'string') open(data.open)
  })
  clearForOthers()
  try {
    await registerWorker()
  } catch {
    const answer = await fetch(ADDRESS, { method: 'HEAD' }).catch(() => undefined)
    if (answer?.status !== NOT_FOUND) return
    const registration = await serviceWorker.getRegistration()
    await registration?.unregister()
  }
}

/** Removes the badge and the notifications of a member who signs out or whose session has ended. */
function clearForOthers(): void {
  onForgetMember(() => void showUnread(0))
  let wasVisitor = false
  const look = () => {
    const isVisitor = trpcUtils.auth.currentUser.getData() === null
    if (isVisitor && !wasVisitor) void showUnread(0)
    wasVisitor = isVisitor
  }
  look()
  queryClient.getQueryCache().subscribe(look)
}
